/* The hosted port: a test gives the time and what the pins read, and looks at pins and bytes.
 *
 * Several boards may live in one process; each is memory of the caller's. Nothing here waits or allocates. */
#include <stddef.h>

#include "board.h"
#include "hosted.h"

size_t hosted_size(void)
{
    return sizeof(struct board);
}

static struct inputs read_pins(const struct hosted_pins *pins)
{
    const struct inputs inputs = {
        .sensors = pins->sensors,
        .seat_keys = pins->seat_keys,
        .dice_faces = pins->dice_faces,
        .panel_keys = pins->panel_keys,
    };
    return inputs;
}

void hosted_boot(struct board *board, uint32_t device, uint32_t boot_count, uint8_t profile,
                 const struct hosted_pins *pins)
{
    const struct settings settings = {.boot_count = boot_count, .profile = profile};
    const struct inputs inputs = read_pins(pins);
    board_boot(board, device, &settings, &inputs);
}

void hosted_receive(struct board *board, uint64_t now_us, const uint8_t *bytes, uint32_t length)
{
    for (uint32_t i = 0u; i < length; i++) {
        board_receive(board, now_us, bytes[i]);
    }
}

void hosted_step(struct board *board, uint64_t now_us, struct hosted_pins *pins)
{
    const struct inputs inputs = read_pins(pins);
    board_step(board, now_us, &inputs);
    pins->outputs = board_outputs(board);
    pins->due_us = board_due(board);
}

uint32_t hosted_transmit(struct board *board, uint8_t *bytes, uint32_t room)
{
    uint32_t length = 0u;
    while ((length < room) && board_transmit(board, &bytes[length])) {
        length++;
    }
    return length;
}

uint8_t hosted_profile(struct board *board)
{
    struct settings settings;
    return board_settings_changed(board, &settings) ? settings.profile : 0u;
}
