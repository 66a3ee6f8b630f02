/* Keys of the seats and of the table: one press, one event, however the contact bounces.
 *
 * A press counts at its first contact, so its time is exact; the key is deaf until it has been open for four
 * samples. */
#ifndef KEYS_H
#define KEYS_H

#include <stdbool.h>
#include <stdint.h>

#include "atp_messages.h"

struct board;

#define KEY_SAMPLE_US UINT32_C(5000)

/* One bit a key; two bits a key count the samples it has been open. */
struct debounce {
    uint32_t armed;
    uint32_t low;
    uint32_t high;
};

struct keys {
    uint64_t sampled_us;
    uint64_t lift_us; /* when a lift key was last pressed */
    uint64_t stuck_us[SIDES + 2u]; /* since when each panel key is down */
    struct debounce seats;
    struct debounce panel;
    uint8_t lift_side; /* of that press, NO_SIDE = none yet */
};

void keys_boot(struct board *board);
void keys_step(struct board *board);
uint64_t keys_due(const struct board *board);

#endif /* KEYS_H */
