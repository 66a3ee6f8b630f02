#include "keys.h"

#include "board.h"
#include "words.h"

#define ALL_SEAT_KEYS ((UINT32_C(1) << (SEAT_KEYS * SIDES)) - 1u)
#define ALL_PANEL_KEYS ((UINT32_C(1) << (PANEL_LIFTS + SIDES)) - 1u)
#define LIFTS_TOGETHER_US UINT32_C(500000) /* two presses within so long are one of both keys */
#define NEVER UINT64_MAX

void keys_boot(struct board *board)
{
    /* a key that is down at boot is none that was pressed */
    board->keys.seats.armed = ALL_SEAT_KEYS & ~board->in.seat_keys;
    board->keys.panel.armed = ALL_PANEL_KEYS & ~(uint32_t)board->in.panel_keys;
    board->keys.lift_side = NO_SIDE;
}

/* The keys that were pressed just now. */
static uint32_t pressed(struct debounce *keys, uint32_t down)
{
    const uint32_t edges = down & keys->armed;
    keys->armed &= ~down;
    return edges;
}

/* Count how long each key has been open; four samples arm it again. */
static void sample(struct debounce *keys, uint32_t down, uint32_t all)
{
    const uint32_t counting = all & ~down & ~keys->armed;
    const uint32_t full = counting & keys->low & keys->high;
    keys->high = counting & (keys->high ^ keys->low) & ~full;
    keys->low = counting & ~keys->low & ~full;
    keys->armed |= full;
}

static void press_seats(struct board *board, uint32_t edges)
{
    for (uint8_t key = 0u; key < SEAT_KEYS * SIDES; key++) {
        if ((edges & PIN(key)) != 0u) {
            session_event(board, EVENT_SEAT_KEY, key / SEAT_KEYS, (key % SEAT_KEYS) + 1u, SOURCE_SENSOR);
        }
    }
}

static void own_order(struct board *board, uint8_t operation, uint8_t side, uint8_t count)
{
    const struct atp_operate order = {.operation = operation, .side = side, .count = count};
    uint32_t value;
    if (table_refuses(board, &order) == REFUSAL_NONE) {
        (void)table_begin(board, &order, false, &value);
    }
}

static void press_lift(struct board *board, uint8_t side)
{
    struct table *table = &board->table;
    struct keys *keys = &board->keys;
    session_event(board, EVENT_KEY_PRESSED, side, PANEL_KEY_LIFT, SOURCE_PANEL);
    const bool both = (keys->lift_side != NO_SIDE) && (keys->lift_side != side) &&
                      (board->now_us - keys->lift_us <= LIFTS_TOGETHER_US);
    keys->lift_side = side;
    keys->lift_us = board->now_us;
    if (table->store == STORE_BUILDING) { /* one key is ignored meanwhile */
        if (both) {
            own_order(board, OP_PAUSE, NO_SIDE, 0u);
        }
    } else if (table_loaded(board)) {
        /* the key says that everything is in */
    } else if (table->centre_open && (table->store == STORE_PAUSED) && (table->rows.built != 0u)) {
        own_order(board, OP_RESUME, NO_SIDE, 0u);
    } else if (!table_has_job_on(board, TRACK_TOP) && !table->stopped && !fault_bars(board, OP_PAUSE) &&
               ((board->in.sensors & IN_COVER) == 0u)) {
        table_toggle_centre(board);
    } else {
        /* nothing a key may do now */
    }
}

static void press_panel(struct board *board, uint32_t edges)
{
    for (uint8_t key = 0u; key < PANEL_LIFTS; key++) {
        if ((edges & PIN(key)) != 0u) {
            press_lift(board, (uint8_t)(key * 2u));
        }
    }
    for (uint8_t side = 0u; side < SIDES; side++) {
        if ((edges & PIN_OF(PANEL_DICE, side)) != 0u) {
            session_event(board, EVENT_KEY_PRESSED, side, PANEL_KEY_DICE, SOURCE_PANEL);
            own_order(board, OP_DICE, side, DICE_OF_THE_KEY);
        }
    }
}

static void watch_stuck(struct board *board)
{
    for (uint8_t key = 0u; key < PANEL_LIFTS + SIDES; key++) {
        uint64_t *since = &board->keys.stuck_us[key];
        if ((board->in.panel_keys & PIN(key)) == 0u) {
            *since = board->now_us;
        } else if (board->now_us - *since >= KEY_STUCK_US) {
            fault_latch(board, FAULT_PANEL_KEY_STUCK, NO_SIDE);
        } else {
            /* down, but not for long */
        }
    }
}

void keys_step(struct board *board)
{
    struct keys *keys = &board->keys;
    press_seats(board, pressed(&keys->seats, board->in.seat_keys & ALL_SEAT_KEYS));
    press_panel(board, pressed(&keys->panel, board->in.panel_keys & ALL_PANEL_KEYS));
    watch_stuck(board);
    if (board->now_us - keys->sampled_us >= KEY_SAMPLE_US) {
        keys->sampled_us = board->now_us;
        sample(&keys->seats, board->in.seat_keys, ALL_SEAT_KEYS);
        sample(&keys->panel, board->in.panel_keys, ALL_PANEL_KEYS);
    }
}

uint64_t keys_due(const struct board *board)
{
    const struct keys *keys = &board->keys;
    const bool idle = (keys->seats.armed == ALL_SEAT_KEYS) && (keys->panel.armed == ALL_PANEL_KEYS);
    return idle ? NEVER : (keys->sampled_us + KEY_SAMPLE_US);
}
