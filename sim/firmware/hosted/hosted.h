/* What a test calls. */
#ifndef HOSTED_H
#define HOSTED_H

#include <stddef.h>
#include <stdint.h>

struct board;

/* One look at the table, both ways. */
struct hosted_pins {
    uint64_t due_us; /* out: when to look again if nothing changes */
    uint32_t sensors;
    uint32_t seat_keys;
    uint32_t outputs; /* out */
    uint16_t dice_faces;
    uint8_t panel_keys;
};

size_t hosted_size(void);
void hosted_boot(struct board *board, uint32_t device, uint32_t boot_count, uint8_t profile,
                 const struct hosted_pins *pins);
void hosted_receive(struct board *board, uint64_t now_us, const uint8_t *bytes, uint32_t length);
void hosted_step(struct board *board, uint64_t now_us, struct hosted_pins *pins);
uint32_t hosted_transmit(struct board *board, uint8_t *bytes, uint32_t room);
/* Tiles of a set where it is to be kept anew over a power cut; 0 = nothing has changed. */
uint8_t hosted_profile(struct board *board);

#endif /* HOSTED_H */
