/* A whole controller board: the connection and the table behind it. What a port calls is here.
 *
 *     board_boot(&board, device, &settings, &inputs);
 *     for (;;) {
 *         while a byte came:  board_receive(&board, now, byte);
 *         board_step(&board, now, &inputs);      whenever board_due says so, a pin changes or a byte came
 *         pins = board_outputs(&board);
 *         while the UART is free and board_transmit(&board, &byte): send it
 *     }
 */
#ifndef BOARD_H
#define BOARD_H

#include "keys.h"
#include "port.h"
#include "session.h"
#include "table.h"

struct board {
    uint64_t now_us; /* since this boot */
    uint32_t device; /* this piece of hardware among all */
    uint32_t boot_count;
    struct inputs in;
    struct inputs before;
    struct session session;
    struct table table;
    struct keys keys;
};

/* Run from here on. `settings` as kept; the port has counted this boot in. `inputs` = what the pins read. */
void board_boot(struct board *board, uint32_t device, const struct settings *settings,
                const struct inputs *inputs);
void board_receive(struct board *board, uint64_t now_us, uint8_t byte);
void board_step(struct board *board, uint64_t now_us, const struct inputs *inputs);
bool board_transmit(struct board *board, uint8_t *byte);
uint32_t board_outputs(const struct board *board);

/* When the next step is due if no pin changes and no byte comes. */
uint64_t board_due(const struct board *board);

/* True once after something changed that is to outlive a power cut. */
bool board_settings_changed(struct board *board, struct settings *settings);

#endif /* BOARD_H */
