/* The loop of a bare port. */
#include "main.h"

#include "board.h"

#define EXCHANGE_US UINT32_C(2000) /* between two looks at the pins */
#define ALL_OFF UINT32_C(0)

static struct board board;

static void start(struct inputs *inputs)
{
    struct settings settings;
    port_start();
    port_exchange(0u, ALL_OFF, inputs);
    port_load(&settings);
    settings.boot_count++;
    port_save(&settings);
    board_boot(&board, port_device(), &settings, inputs);
}

int main(void)
{
    struct inputs inputs;
    struct settings settings;
    uint64_t exchanged_us = 0u;
    uint8_t byte;
    uint8_t leaving = 0u;
    bool waiting = false; /* `leaving` has not found the line free yet: no time to sleep, nothing would end it */
    start(&inputs);
    for (;;) {
        const uint64_t now = port_now_us();
        bool worked = false;
        while (port_receive(&byte)) {
            board_receive(&board, now, byte);
            worked = true;
        }
        if (worked || (now - exchanged_us >= EXCHANGE_US)) {
            exchanged_us = now;
            port_exchange(now, board_outputs(&board), &inputs);
            board_step(&board, now, &inputs);
            if (board_settings_changed(&board, &settings)) {
                port_save(&settings);
            }
            worked = true;
        }
        waiting = waiting || board_transmit(&board, &leaving);
        while (waiting && port_can_send()) {
            port_send(leaving);
            waiting = board_transmit(&board, &leaving);
        }
        if (!worked && !waiting) {
            port_idle();
        }
    }
}
