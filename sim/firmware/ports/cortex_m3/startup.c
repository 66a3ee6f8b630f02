/* From reset to main, the vector table, and what the compiler calls by itself. */
#include <stddef.h>
#include <stdint.h>

#include "handlers.h"

extern uint32_t data_start[];
extern uint32_t data_end[];
extern const uint32_t data_image[];
extern uint32_t bss_start[];
extern uint32_t bss_end[];
extern uint32_t stack_top[];

int main(void);
void reset(void);
void *memcpy(void *to, const void *from, size_t size);
void *memset(void *to, int value, size_t size);

void *memcpy(void *to, const void *from, size_t size)
{
    uint8_t *at = to;
    const uint8_t *source = from;
    for (size_t i = 0u; i < size; i++) {
        at[i] = source[i];
    }
    return to;
}

void *memset(void *to, int value, size_t size)
{
    uint8_t *at = to;
    for (size_t i = 0u; i < size; i++) {
        at[i] = (uint8_t)value;
    }
    return to;
}

static void hang(void)
{
    for (;;) {
    }
}

void reset(void)
{
    const uint32_t *image = data_image;
    for (uint32_t *at = data_start; at < data_end; at++) {
        *at = *image;
        image++;
    }
    for (uint32_t *at = bss_start; at < bss_end; at++) {
        *at = 0u;
    }
    (void)main();
    hang();
}

union vector {
    void (*handler)(void);
    uint32_t *stack;
};

#define SYSTICK 15u
#define UART0 (16u + 5u)
#define UART1 (16u + 6u)
#define TIMER0 (16u + 19u)

static const union vector vectors[TIMER0 + 1u] __attribute__((section(".vectors"), used)) = {
    [0] = {.stack = stack_top},       [1] = {.handler = reset},        [2] = {.handler = hang},
    [3] = {.handler = hang},          [4] = {.handler = hang},         [5] = {.handler = hang},
    [6] = {.handler = hang},          [11] = {.handler = hang},        [14] = {.handler = hang},
    [SYSTICK] = {.handler = on_tick}, [UART0] = {.handler = on_uart0}, [UART1] = {.handler = on_uart1},
    [TIMER0] = {.handler = on_timer},
};
