/* Port to a Cortex-M3 (LM3S6965): UART0 is the host's line, UART1 leads to an input and output board.
 *
 * That board carries motor drivers, sensors, keys and the memory that outlives a power cut. It is asked every two
 * milliseconds and answers at once:
 *
 *     0xA5, now u64 in µs, outputs u32      0x5A, sensors u32, seat keys u32, dice u16, panel keys u8
 *     0xA6                                  0x6A, boot count u32, profile u8
 *     0xA7, boot count u32, profile u8      0x7A
 *
 * All numbers are little-endian. Without an answer nothing moves on: the motor drivers switch off what is not
 * renewed within 50 ms. */
#include <stddef.h>

#include "atp_fields.h"
#include "handlers.h"
#include "main.h"

#define REGISTER(address) (*(volatile uint32_t *)(address))

#define SYSCTL_RIS REGISTER(0x400FE050u)
#define SYSCTL_RCC REGISTER(0x400FE060u)
#define SYSCTL_RCGC1 REGISTER(0x400FE104u)
#define RCGC1_UARTS 3u
#define RCGC1_TIMER0 (1u << 16)
#define SYSCTL_RCGC2 REGISTER(0x400FE108u)
#define RCC_BYPASS (1u << 11)
#define RCC_RUN ((3u << 23) | (1u << 22) | (0xEu << 6)) /* PLL 200 MHz / 4, crystal of 8 MHz */
#define RIS_PLL_LOCKED (1u << 6)

#define SYSTICK_CONTROL REGISTER(0xE000E010u)
#define SYSTICK_RELOAD REGISTER(0xE000E014u)
#define SYSTICK_VALUE REGISTER(0xE000E018u)
#define NVIC_ENABLE REGISTER(0xE000E100u)

#define CLOCK_HZ 50000000u
#define CYCLES_A_US (CLOCK_HZ / 1000000u)
#define TURN 0x1000000u /* cycles of SysTick from one tick to the next: the longest it can do, a third of a second */

/* Timer 0 wakes the loop once a millisecond; what it misses costs nothing, time is SysTick's. */
#define TIMER0 0x40030000u
#define TIMER_CONFIG REGISTER(TIMER0 + 0x00u)
#define TIMER_MODE REGISTER(TIMER0 + 0x04u)
#define TIMER_CONTROL REGISTER(TIMER0 + 0x0Cu)
#define TIMER_MASK REGISTER(TIMER0 + 0x18u)
#define TIMER_CLEAR REGISTER(TIMER0 + 0x24u)
#define TIMER_RELOAD REGISTER(TIMER0 + 0x28u)
#define WAKE_CYCLES (CLOCK_HZ / 1000u)

#define UART0 0x4000C000u
#define UART1 0x4000D000u
#define UART_DATA(uart) REGISTER((uart) + 0x00u)
#define UART_FLAGS(uart) REGISTER((uart) + 0x18u)
#define UART_IBRD(uart) REGISTER((uart) + 0x24u)
#define UART_FBRD(uart) REGISTER((uart) + 0x28u)
#define UART_LINE(uart) REGISTER((uart) + 0x2Cu)
#define UART_CONTROL(uart) REGISTER((uart) + 0x30u)
#define UART_MASK(uart) REGISTER((uart) + 0x38u)
#define UART_CLEAR(uart) REGISTER((uart) + 0x44u)
#define FLAG_RX_EMPTY 0x10u
#define FLAG_TX_FULL 0x20u
#define LINE_8N1 0x60u
#define CONTROL_ON 0x301u
#define MASK_RX 0x10u
#define IBRD_115200 27u
#define FBRD_115200 8u

#define RING 256u /* a power of two */
#define ASK_PINS 0xA5u
#define PINS 0x5Au
#define PINS_SIZE 11u
#define ASK_SETTINGS 0xA6u
#define SETTINGS 0x6Au
#define SETTINGS_SIZE 5u
#define SAVE_SETTINGS 0xA7u
#define SAVED 0x7Au

struct ring {
    uint8_t bytes[RING];
    volatile uint32_t head;
    volatile uint32_t tail;
};

static struct ring from_host;
static struct ring from_pins;
static volatile uint32_t turns;

static void take_all(uint32_t uart, struct ring *ring)
{
    while ((ring->head - ring->tail < RING) && ((UART_FLAGS(uart) & FLAG_RX_EMPTY) == 0u)) {
        ring->bytes[ring->head % RING] = (uint8_t)UART_DATA(uart);
        ring->head = ring->head + 1u;
    }
    UART_CLEAR(uart) = 0x7FFu;
    if (ring->head - ring->tail >= RING) { /* the rest waits in the UART until there is room */
        UART_MASK(uart) = 0u;
    }
}

void on_uart0(void)
{
    take_all(UART0, &from_host);
}

void on_uart1(void)
{
    take_all(UART1, &from_pins);
}

void on_tick(void)
{
    turns = turns + 1u;
}

void on_timer(void)
{
    TIMER_CLEAR = 1u;
}

static bool take(uint32_t uart, struct ring *ring, uint8_t *byte)
{
    if ((ring->head == ring->tail) && (UART_MASK(uart) == 0u)) { /* what waited makes no interrupt any more */
        __asm volatile("cpsid i");
        UART_MASK(uart) = MASK_RX;
        take_all(uart, ring);
        __asm volatile("cpsie i");
    }
    if (ring->head == ring->tail) {
        return false;
    }
    *byte = ring->bytes[ring->tail % RING];
    ring->tail = ring->tail + 1u;
    return true;
}

static void open_uart(uint32_t uart)
{
    UART_CONTROL(uart) = 0u;
    UART_IBRD(uart) = IBRD_115200;
    UART_FBRD(uart) = FBRD_115200;
    UART_LINE(uart) = LINE_8N1;
    UART_MASK(uart) = MASK_RX;
    UART_CONTROL(uart) = CONTROL_ON;
}

void port_start(void)
{
    SYSCTL_RCC = RCC_RUN | RCC_BYPASS;
    while ((SYSCTL_RIS & RIS_PLL_LOCKED) == 0u) {
    }
    SYSCTL_RCC = RCC_RUN;
    SYSCTL_RCGC1 |= RCGC1_UARTS | RCGC1_TIMER0;
    SYSCTL_RCGC2 |= 1u; /* port A, where UART0 comes out */
    open_uart(UART0);
    open_uart(UART1);
    TIMER_CONTROL = 0u;
    TIMER_CONFIG = 0u; /* one counter of 32 bits */
    TIMER_MODE = 2u;   /* again and again */
    TIMER_RELOAD = WAKE_CYCLES - 1u;
    TIMER_MASK = 1u;
    TIMER_CONTROL = 1u;
    NVIC_ENABLE = (1u << 5) | (1u << 6) | (1u << 19);
    SYSTICK_RELOAD = TURN - 1u;
    SYSTICK_VALUE = 0u;
    SYSTICK_CONTROL = 7u;
    __asm volatile("cpsie i");
}

uint64_t port_now_us(void)
{
    static uint64_t newest_us;
    uint32_t before;
    uint32_t left;
    do { /* a tick between the two reads would tear them */
        before = turns;
        left = SYSTICK_VALUE;
    } while (before != turns);
    const uint64_t cycles = (uint64_t)before * TURN + (TURN - 1u - left);
    const uint64_t now_us = cycles / CYCLES_A_US;
    if (now_us > newest_us) { /* a tick that is late would set it back */
        newest_us = now_us;
    }
    return newest_us;
}

bool port_receive(uint8_t *byte)
{
    return take(UART0, &from_host, byte);
}

bool port_can_send(void)
{
    return (UART_FLAGS(UART0) & FLAG_TX_FULL) == 0u;
}

void port_send(uint8_t byte)
{
    UART_DATA(UART0) = byte;
}

static void tell_pins(const uint8_t *bytes, uint8_t size)
{
    for (uint8_t i = 0u; i < size; i++) {
        while ((UART_FLAGS(UART1) & FLAG_TX_FULL) != 0u) {
        }
        UART_DATA(UART1) = bytes[i];
    }
}

static uint8_t wait_for_pins(void)
{
    uint8_t byte = 0u;
    while (!take(UART1, &from_pins, &byte)) {
        __asm volatile("wfi");
    }
    return byte;
}

/* Wait for the answer that begins with `mark`. */
static void hear_pins(uint8_t mark, uint8_t *bytes, uint8_t size)
{
    while (wait_for_pins() != mark) {
    }
    for (uint8_t i = 0u; i < size; i++) {
        bytes[i] = wait_for_pins();
    }
}

void port_exchange(uint64_t now_us, uint32_t outputs, struct inputs *inputs)
{
    uint8_t bytes[13];
    uint8_t *end = atp_put_u8(bytes, ASK_PINS);
    end = atp_put_u64(end, now_us);
    end = atp_put_u32(end, outputs);
    tell_pins(bytes, (uint8_t)(end - bytes));
    hear_pins(PINS, bytes, PINS_SIZE);
    struct atp_cursor cursor = {bytes, PINS_SIZE};
    inputs->sensors = atp_get_u32(&cursor);
    inputs->seat_keys = atp_get_u32(&cursor);
    inputs->dice_faces = atp_get_u16(&cursor);
    inputs->panel_keys = atp_get_u8(&cursor);
}

uint32_t port_device(void)
{
    return UINT32_C(0xC3000001); /* a maker gives each piece its own */
}

void port_load(struct settings *settings)
{
    const uint8_t ask = ASK_SETTINGS;
    uint8_t bytes[SETTINGS_SIZE];
    tell_pins(&ask, 1u);
    hear_pins(SETTINGS, bytes, SETTINGS_SIZE);
    struct atp_cursor cursor = {bytes, SETTINGS_SIZE};
    settings->boot_count = atp_get_u32(&cursor);
    settings->profile = atp_get_u8(&cursor);
}

void port_save(const struct settings *settings)
{
    uint8_t bytes[1u + SETTINGS_SIZE];
    uint8_t *end = atp_put_u8(bytes, SAVE_SETTINGS);
    end = atp_put_u32(end, settings->boot_count);
    end = atp_put_u8(end, settings->profile);
    tell_pins(bytes, (uint8_t)(end - bytes));
    hear_pins(SAVED, bytes, 0u);
}

void port_idle(void)
{
    __asm volatile("wfi");
}
