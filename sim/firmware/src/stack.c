/* Stacking: the heads lay what the drum brings on the rows, and what can go wrong on the way.
 *
 * Light barriers count tiles, end switches know when a row is full; the two together tell a tile that was
 * missed from one that is not there. */
#include <stddef.h>

#include "board.h"
#include "motions.h"
#include "words.h"

#define GATES ALL_SIDES(FIRST_GATE)
#define QUIET_US UINT32_C(1000000) /* without a tile for so long, an empty drum is believed */
#define PERCENT 100u

static uint8_t wanted(const struct board *board, uint8_t side)
{
    return (uint8_t)(table_goal(board, side) * TILES_A_STACK);
}

static uint16_t total(const struct board *board, bool counted)
{
    uint16_t sum = 0u;
    for (uint8_t side = 0u; side < SIDES; side++) {
        sum = (uint16_t)(sum + (counted ? board->table.rows.counted[side] : wanted(board, side)));
    }
    return sum;
}

static void turn(struct board *board)
{
    struct table *table = &board->table;
    table->store = STORE_BUILDING;
    table->rows.tile_us = board->table.clock_us;
    table->rows.began_us = board->table.clock_us;
    table->rows.slow = false;
    for (uint8_t side = 0u; side < SIDES; side++) {
        if (table->rows.counted[side] < wanted(board, side)) {
            table->outputs |= PIN_OF(FIRST_GATE, side);
        }
    }
    table->outputs |= OUT_DRUM;
    session_event(board, EVENT_BUILD_STARTED, NO_SIDE, 0u, SOURCE_SENSOR);
}

static void stack_begin(struct board *board, struct job *job)
{
    struct table *table = &board->table;
    job->tracks = TRACK_STORE;
    table->rows.built = table->profile;
    table->rows.sides_done = 0u;
    for (uint8_t side = 0u; side < SIDES; side++) {
        table->rows.counted[side] = 0u;
    }
    table->rows.base = job->percent;
    table->rows.told = 0u;
    turn(board);
}

static void stack_go_on(struct board *board, struct job *job)
{
    job->tracks = TRACK_STORE;
    turn(board);
}

void stack_count(struct board *board)
{
    struct rows *rows = &board->table.rows;
    for (uint8_t side = 0u; side < SIDES; side++) {
        const bool covered = (board->in.sensors & PIN_OF(FIRST_HEAD, side)) != 0u;
        if (covered && (rows->covered_us[side] == 0u)) {
            rows->covered_us[side] = board->table.clock_us;
            rows->tile_us = board->table.clock_us;
        } else if (!covered && (rows->covered_us[side] != 0u)) {
            if (board->table.clock_us - rows->covered_us[side] < HEAD_RETRY_US) { /* else a hand has taken it out */
                rows->counted[side]++;
            }
            rows->covered_us[side] = 0u;
        } else {
            /* it is still passing, or nothing is there */
        }
    }
}

/* Close the gates of full rows. Returns the side whose head is jammed, NO_SIDE = none. */
static uint8_t watch_heads(struct board *board)
{
    const struct rows *rows = &board->table.rows;
    uint8_t jammed = NO_SIDE;
    for (uint8_t side = 0u; side < SIDES; side++) {
        if (rows->counted[side] >= wanted(board, side)) {
            board->table.outputs &= ~PIN_OF(FIRST_GATE, side);
        }
        if ((rows->covered_us[side] != 0u) && (board->table.clock_us - rows->covered_us[side] >= HEAD_RETRY_US)) {
            jammed = side;
        }
    }
    return jammed;
}

static bool is_full(const struct board *board, uint8_t side)
{
    return (board->in.sensors & PIN_OF(FIRST_ROW_FULL, side)) != 0u;
}

static bool tell_sides(struct board *board)
{
    struct rows *rows = &board->table.rows;
    bool all = true;
    for (uint8_t side = 0u; side < SIDES; side++) {
        const uint8_t bit = (uint8_t)(1u << side);
        const bool complete = (rows->counted[side] == wanted(board, side)) && is_full(board, side);
        if (complete && ((rows->sides_done & bit) == 0u)) {
            rows->sides_done |= bit;
            session_event(board, EVENT_SIDE_DONE, side, table_goal(board, side), SOURCE_SENSOR);
        }
        all = all && complete;
    }
    return all;
}

static void tell_progress(struct board *board, struct job *job, uint8_t base)
{
    struct rows *rows = &board->table.rows;
    const uint32_t share = (uint32_t)total(board, true) * (PERCENT - base) / total(board, false);
    const uint8_t step = (uint8_t)(share / PERCENT_STEP);
    if ((step > rows->told) && (total(board, true) < total(board, false))) {
        rows->told = step;
        table_progress(board, job, (uint8_t)(base + step * PERCENT_STEP));
    }
}

static enum progress came_out_wrong(struct board *board, struct job *job, uint8_t fault, uint8_t side)
{
    board->table.doubtful = true;
    board->table.incomplete = true;
    return step_broken(job, fault, side);
}

/* The drum is empty and the rows are short. */
static enum progress missing(struct board *board, struct job *job)
{
    const struct rows *rows = &board->table.rows;
    uint8_t short_side = NO_SIDE;
    uint8_t short_sides = 0u;
    for (uint8_t side = 0u; side < SIDES; side++) {
        if (rows->counted[side] < wanted(board, side)) {
            short_side = (short_sides == 0u) ? side : NO_SIDE;
            short_sides++;
            if (is_full(board, side)) { /* the switch says full: the barrier has missed one */
                return came_out_wrong(board, job, FAULT_COUNT_MISMATCH, side);
            }
        }
    }
    const uint16_t lacking = (uint16_t)(total(board, false) - total(board, true));
    session_event(board, EVENT_MISSING_TILES, short_side, lacking, SOURCE_SENSOR);
    board->table.incomplete = true;
    job->store_left = STORE_SHORT;
    return step_broken(job, FAULT_MISSING_TILES, short_side);
}

/* Every head has counted its tiles and a second has passed: what do the switches and the drum say? */
static enum progress judge(struct board *board, struct job *job, bool all)
{
    if (!all) {
        for (uint8_t side = 0u; side < SIDES; side++) {
            if (!is_full(board, side)) {
                return came_out_wrong(board, job, FAULT_COUNT_MISMATCH, side);
            }
        }
    }
    session_event(board, EVENT_EXTRA_TILES, NO_SIDE, 1u, SOURCE_SENSOR); /* at least one: none can be counted */
    return came_out_wrong(board, job, FAULT_EXTRA_TILES, NO_SIDE);
}

static enum progress stack_watch(struct board *board, struct job *job)
{
    struct rows *rows = &board->table.rows;
    const uint8_t jammed = watch_heads(board);
    const bool all = tell_sides(board);
    const bool drum = (board->in.sensors & IN_DRUM) != 0u;
    const bool heads = (board->in.sensors & ALL_SIDES(FIRST_HEAD)) != 0u;
    const bool quiet = !heads && (board->table.clock_us - rows->tile_us >= QUIET_US);
    tell_progress(board, job, rows->base);
    if (jammed != NO_SIDE) {
        return step_broken(job, FAULT_HEAD_JAM, jammed);
    }
    if (all && !drum && !heads) {
        return STEP_OVER;
    }
    if (quiet && (total(board, true) >= total(board, false))) {
        return judge(board, job, all);
    }
    if (quiet && !drum) {
        return missing(board, job);
    }
    if (!rows->slow && (board->table.clock_us - rows->began_us >= SLOW_BUILD_US)) {
        rows->slow = true;
        fault_latch(board, FAULT_LAST_TILES_SLOW, NO_SIDE);
    }
    if (board->table.clock_us - rows->began_us >= BUILD_TIMEOUT_US) {
        return step_broken(job, FAULT_BUILD_TIMEOUT, NO_SIDE);
    }
    return STEP_RUNS;
}

static void stack_end(struct board *board, struct job *job)
{
    struct table *table = &board->table;
    table->store = STORE_READY;
    table->doubtful = false;
    table->incomplete = false;
    job->value = total(board, true);
    session_event(board, EVENT_BUILD_DONE, NO_SIDE, job->value, SOURCE_SENSOR);
    fault_forget(board, FAULT_LAST_TILES_SLOW);
    fault_forget(board, FAULT_POWER_LOST_MID_CYCLE);
}

const struct step step_stack = {NULL, stack_begin, stack_watch, NULL, OUT_DRUM | GATES};
const struct step step_stack_on = {NULL, stack_go_on, stack_watch, NULL, OUT_DRUM | GATES};
const struct step step_park = {NULL, chain_begin, chain_watch, stack_end, OUT_CHAIN};
