/* The trays: walls up to the players, and down again. */
#include <stddef.h>

#include "board.h"
#include "motions.h"
#include "words.h"

bool trays_reached(struct board *board, uint8_t first_limit, uint8_t first_motor)
{
    bool all = true;
    for (uint8_t side = 0u; side < SIDES; side++) {
        if (step_senses(board, PIN_OF(first_limit, side))) {
            step_release(board, PIN_OF(first_motor, side));
        } else {
            all = false;
        }
    }
    return all;
}

uint8_t trays_first_off(const struct board *board, uint8_t first_limit)
{
    uint8_t side = 0u;
    while ((side < SIDES) && step_senses(board, PIN_OF(first_limit, side))) {
        side++;
    }
    return side;
}

static void trays_down_begin(struct board *board, struct job *job)
{
    board->table.top = (job->operation == OP_LOWER) ? TOP_LOWERING : TOP_RAISING;
    step_drive(board, TRAYS_LOWER);
}

static enum progress trays_down_watch(struct board *board, struct job *job)
{
    if (job->operation == OP_RAISE) { /* what stands on a tray keeps it up: nobody pushed the old walls in */
        for (uint8_t side = 0u; side < SIDES; side++) {
            if (step_senses(board, PIN_OF(FIRST_WALL, side))) {
                job->store_left = STORE_READY;
                return step_broken(job, FAULT_TRAY_NOT_DOWN, side);
            }
        }
    }
    if (trays_reached(board, FIRST_TRAY_DOWN, FIRST_TRAY_LOWER)) {
        return STEP_OVER;
    }
    return step_timed_out(board, job, TRAYS_DOWN_TIMEOUT_US)
               ? step_broken(job, FAULT_TRAY_NOT_DOWN, trays_first_off(board, FIRST_TRAY_DOWN))
               : STEP_RUNS;
}

static void trays_down_end(struct board *board, struct job *job)
{
    struct table *table = &board->table;
    if (job->operation == OP_LOWER) {
        table->top = TOP_CLEAR;
        table->hand = 0u;
        session_event(board, EVENT_WALLS_DOWN, NO_SIDE, 0u, SOURCE_HOST);
    }
}

static void trays_up_begin(struct board *board, struct job *job)
{
    (void)job;
    step_drive(board, TRAYS_RAISE);
}

static enum progress trays_up_watch(struct board *board, struct job *job)
{
    if (trays_reached(board, FIRST_TRAY_UP, FIRST_TRAY_RAISE)) {
        return STEP_OVER;
    }
    return step_timed_out(board, job, TRAYS_UP_TIMEOUT_US)
               ? step_broken(job, FAULT_TRAY_NOT_UP, trays_first_off(board, FIRST_TRAY_UP))
               : STEP_RUNS;
}

static void trays_up_end(struct board *board, struct job *job)
{
    struct table *table = &board->table;
    table->hand = job->hand;
    table->dealer = job->side;
    table->top = TOP_WALLS_UP;
    table->store = STORE_EMPTY;
    for (uint8_t side = 0u; side < SIDES; side++) {
        table->top_stacks[side] = table_goal(board, side);
    }
    table->rows.built = 0u;
    if ((table->lamp == LAMP_CLOSED) || (table->lamp == LAMP_WIN)) { /* of the hand before */
        table_show_lamp(board, LAMP_OFF, NO_SIDE);
    }
    session_event(board, EVENT_WALLS_UP, NO_SIDE, table->hand, SOURCE_HOST);
    if (step_senses(board, IN_DRUM)) {
        table_build_by_itself(board);
    }
}

const struct step step_trays_down = {NULL, trays_down_begin, trays_down_watch, trays_down_end, TRAYS_LOWER};
const struct step step_trays_up = {NULL, trays_up_begin, trays_up_watch, trays_up_end, TRAYS_RAISE};
