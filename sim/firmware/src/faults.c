/* Latched faults: set when a sensor or a time-out says so, forgotten when their cause is gone. */
#include "board.h"
#include "words.h"

static const struct fault_row rows[FAULT_ROWS] = FAULT_BLOCKS;

static void unlatch(struct board *board, uint8_t place, uint8_t source)
{
    struct table *table = &board->table;
    const struct latch gone = table->latches[place];
    table->latched--;
    for (uint8_t i = place; i < table->latched; i++) {
        table->latches[i] = table->latches[i + 1u];
    }
    session_event(board, EVENT_FAULT_CLEARED, gone.side, gone.fault, source);
}

static bool is_latched(const struct table *table, uint8_t fault, uint8_t side)
{
    for (uint8_t i = 0u; i < table->latched; i++) {
        if ((table->latches[i].fault == fault) && (table->latches[i].side == side)) {
            return true;
        }
    }
    return false;
}

void fault_latch(struct board *board, uint8_t fault, uint8_t side)
{
    struct table *table = &board->table;
    if ((fault != FAULT_NONE) && !is_latched(table, fault, side) && (table->latched < FAULTS_KEPT)) {
        table->latches[table->latched].fault = fault;
        table->latches[table->latched].side = side;
        table->latched++;
        session_event(board, EVENT_FAULT_SET, side, fault, SOURCE_SENSOR);
    }
}

bool fault_is_seen(const struct board *board, uint8_t fault, uint8_t side)
{
    const uint32_t sensors = board->in.sensors;
    bool seen = false;
    if (fault == FAULT_COVER_OPEN) {
        seen = (sensors & IN_COVER) != 0u;
    } else if (fault == FAULT_HEAD_JAM) {
        seen = (side < SIDES) && ((sensors & PIN_OF(FIRST_HEAD, side)) != 0u);
    } else if (fault == FAULT_LIMITS_CONFLICT) {
        seen = (sensors & (IN_CENTRE_UP | IN_CENTRE_DOWN)) == (IN_CENTRE_UP | IN_CENTRE_DOWN);
    } else if (fault == FAULT_PANEL_KEY_STUCK) {
        seen = board->in.panel_keys != 0u;
    } else {
        /* no sensor looks at the others */
    }
    return seen;
}

void fault_forget_gone(struct board *board, uint8_t source)
{
    struct table *table = &board->table;
    uint8_t i = 0u;
    while (i < table->latched) {
        if (fault_is_seen(board, table->latches[i].fault, table->latches[i].side)) {
            i++;
        } else {
            unlatch(board, i, source);
        }
    }
}

void fault_forget(struct board *board, uint8_t fault)
{
    struct table *table = &board->table;
    uint8_t i = 0u;
    while (i < table->latched) {
        if ((table->latches[i].fault == fault) &&
            !fault_is_seen(board, fault, table->latches[i].side)) {
            unlatch(board, i, SOURCE_SENSOR);
        } else {
            i++;
        }
    }
}

static uint16_t forbidden(uint8_t fault)
{
    for (uint8_t i = 0u; i < FAULT_ROWS; i++) {
        if (rows[i].fault == fault) {
            return rows[i].operations;
        }
    }
    return 0u;
}

bool fault_blocks(const struct board *board, uint8_t operation)
{
    const struct table *table = &board->table;
    for (uint8_t i = 0u; i < table->latched; i++) {
        if ((forbidden(table->latches[i].fault) & (1u << operation)) != 0u) {
            return true;
        }
    }
    return false;
}

bool fault_bars(const struct board *board, uint8_t operation)
{
    const struct table *table = &board->table;
    for (uint8_t i = 0u; i < table->latched; i++) {
        const struct latch *latch = &table->latches[i];
        const uint16_t operations = forbidden(latch->fault);
        const bool applies = (operations == MOTION_OPERATIONS) || ((operations & (1u << operation)) != 0u);
        if (applies && fault_is_seen(board, latch->fault, latch->side)) {
            return true;
        }
    }
    return false;
}
