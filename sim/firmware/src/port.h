/* What the table is wired to. A port (hosted, Cortex-M3, AVR) brings these bits and the bytes of one UART.
 *
 * The firmware never waits and never calls a port: the port's loop gives it the time, what the pins read and
 * what the line brought, and takes away what the pins shall be and what the line shall carry (board.h). */
#ifndef PORT_H
#define PORT_H

#include <stdint.h>

#define PIN(number) (UINT32_C(1) << (number))
#define PIN_OF(first, side) (UINT32_C(1) << ((first) + (side)))
#define ALL_SIDES(first) (UINT32_C(0xF) << (first))

/* Sensors: 1 = closed, covered, there. The numbers of a side's own pins count up from the first side's. */
#define IN_CENTRE_UP PIN(0)   /* limit switch */
#define IN_CENTRE_DOWN PIN(1) /* limit switch */
#define FIRST_TRAY_UP 2u      /* limit switches */
#define FIRST_TRAY_DOWN 6u
#define FIRST_HEAD 10u     /* light barrier: a tile passes the head */
#define FIRST_ROW_FULL 14u /* end switch of the row in the store */
#define FIRST_ROW_ANY 18u  /* something stands in the row */
#define FIRST_WALL 22u     /* something stands on the tray, on the felt */
#define IN_DRUM PIN(26)    /* a tile lies in the drum */
#define IN_LOADED PIN(27)  /* the flap fell shut: people have pushed everything in */
#define IN_COVER PIN(28)   /* a cover is open */
#define IN_DICE_TURN PIN(29)
#define IN_DICE_READ PIN(30)  /* the faces lie still and are read */
#define IN_CHAIN_ZERO PIN(31) /* reference of chain and pushers */

/* Motors and magnets: 1 = current. */
#define OUT_CENTRE_RAISE PIN(0)
#define OUT_CENTRE_LOWER PIN(1)
#define FIRST_TRAY_RAISE 2u
#define FIRST_TRAY_LOWER 6u
#define FIRST_GATE 10u /* the head takes tiles */
#define OUT_DRUM PIN(14)
#define OUT_DRUM_BACK PIN(15)
#define OUT_CHAIN PIN(16) /* chain and pushers to their reference */
#define OUT_DROP PIN(17)  /* the rows in the store fall back into the drum */
#define OUT_DICE PIN(18)
#define OUT_MOTORS (PIN(19) - 1u)
/* Lamps: no motion. */
#define LAMP_SHIFT 19u      /* three bits: LAMP_* of words.h */
#define LAMP_SIDE_SHIFT 22u /* three bits: side, 4 = none */
#define DEALER_SHIFT 25u    /* three bits: side, 4 = none */
#define OUT_LOAD PIN(28)    /* "push the tiles in" */
#define OUT_FAULT PIN(29)   /* the fault lamp */
#define DICE_SIDE_SHIFT 30u /* two bits: for whom the dice were last thrown */

#define SEAT_KEYS 7u /* a seat, from its lowest bit on: SEAT_KEY_* of words.h less one */
#define PANEL_LIFTS 2u /* bits 0 and 1: the lift keys at sides 0 and 2 */
#define PANEL_DICE 2u  /* bits 2 to 5: the dice key of each side */

/* Everything the pins read at one moment. */
struct inputs {
    uint32_t sensors;
    uint32_t seat_keys;
    uint16_t dice_faces; /* a nibble a die, first die lowest */
    uint8_t panel_keys;
};

/* What outlives a power cut. The port reads it at boot and writes it when `board_settings_changed` says so. */
struct settings {
    uint32_t boot_count;
    uint8_t profile; /* tiles of a set; 0 = never set */
};

#endif /* PORT_H */
