/* Port to an AVR (ATmega1284P at 16 MHz): USART0 is the host's line, shift registers on SPI are the pins.
 *
 * Eleven 74HC165 bring the inputs and four 74HC595 take the outputs, all on one chain: PB3 low loads the inputs,
 * eleven bytes are exchanged, PB3 high shows the outputs. Byte by byte, in this order:
 *
 *     out   outputs u32, then seven bytes that fall off the end
 *     in    sensors u32, seat keys u32, dice u16, panel keys u8
 */
#include <avr/eeprom.h>
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>

#include "atp_fields.h"
#include "main.h"

#define LATCH PB3
#define CHAIN_SIZE 11u
#define TICK_US 1000u
#define TIMER_STEPS 250u /* of 4 µs: 16 MHz / 64 */
#define UBRR_115200 16u  /* double speed: 2.1 % fast, as near as 16 MHz comes */
#define RING 256u        /* so that an index of eight bits wraps by itself */

static uint8_t ring[RING];
static volatile uint8_t head;
static volatile uint8_t tail;
static volatile uint8_t ticks;

static struct settings EEMEM kept;

ISR(USART0_RX_vect)
{
    const uint8_t byte = UDR0;
    const uint8_t next = (uint8_t)(head + 1u);
    if (next != tail) { /* a full ring loses it: the frame is repeated */
        ring[head] = byte;
        head = next;
    }
}

ISR(TIMER0_COMPA_vect)
{
    ticks++;
}

void port_start(void)
{
    DDRB |= (uint8_t)(_BV(LATCH) | _BV(PB4) | _BV(PB5) | _BV(PB7)); /* latch, select, MOSI, clock */
    PORTB |= _BV(LATCH);
    SPCR = (uint8_t)(_BV(SPE) | _BV(MSTR));
    SPSR = _BV(SPI2X);
    UCSR0A = _BV(U2X0);
    UBRR0 = UBRR_115200;
    UCSR0C = (uint8_t)(_BV(UCSZ01) | _BV(UCSZ00));
    UCSR0B = (uint8_t)(_BV(RXEN0) | _BV(TXEN0) | _BV(RXCIE0));
    TCCR0A = _BV(WGM01);
    OCR0A = TIMER_STEPS - 1u;
    TIMSK0 = _BV(OCIE0A);
    TCCR0B = (uint8_t)(_BV(CS01) | _BV(CS00));
    sei();
}

uint64_t port_now_us(void)
{
    static uint64_t now_us;
    static uint8_t seen;
    const uint8_t count = ticks; /* asked far more often than every 256 ms */
    now_us += (uint64_t)(uint8_t)(count - seen) * TICK_US;
    seen = count;
    return now_us;
}

bool port_receive(uint8_t *byte)
{
    if (head == tail) {
        return false;
    }
    *byte = ring[tail];
    tail = (uint8_t)(tail + 1u);
    return true;
}

bool port_can_send(void)
{
    return (UCSR0A & _BV(UDRE0)) != 0u;
}

void port_send(uint8_t byte)
{
    UDR0 = byte;
}

static uint8_t exchange(uint8_t byte)
{
    SPDR = byte;
    while ((SPSR & _BV(SPIF)) == 0u) {
    }
    return SPDR;
}

void port_exchange(uint64_t now_us, uint32_t outputs, struct inputs *inputs)
{
    uint8_t bytes[CHAIN_SIZE] = {0u};
    (void)now_us;
    (void)atp_put_u32(bytes, outputs);
    PORTB &= (uint8_t)~_BV(LATCH);
    for (uint8_t i = 0u; i < CHAIN_SIZE; i++) {
        bytes[i] = exchange(bytes[i]);
    }
    PORTB |= _BV(LATCH);
    struct atp_cursor cursor = {bytes, CHAIN_SIZE};
    inputs->sensors = atp_get_u32(&cursor);
    inputs->seat_keys = atp_get_u32(&cursor);
    inputs->dice_faces = atp_get_u16(&cursor);
    inputs->panel_keys = atp_get_u8(&cursor);
}

uint32_t port_device(void)
{
    return UINT32_C(0xA1284001); /* a maker gives each piece its own */
}

void port_load(struct settings *settings)
{
    eeprom_read_block(settings, &kept, sizeof *settings);
    if (settings->boot_count == UINT32_MAX) { /* never written */
        settings->boot_count = 0u;
        settings->profile = 0u;
    }
}

void port_save(const struct settings *settings)
{
    eeprom_update_block(settings, &kept, sizeof *settings);
}

void port_idle(void)
{
    cli();
    if (head == tail) {
        SMCR = _BV(SE); /* idle: timer and lines go on */
        sei();
        sleep_cpu();
        SMCR = 0u;
    }
    sei();
}
