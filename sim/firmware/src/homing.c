/* Homing: every axis finds its reference. */
#include <stddef.h>

#include "board.h"
#include "motions.h"
#include "words.h"

#define EVERYTHING (OUT_CENTRE_RAISE | OUT_CENTRE_LOWER | OUT_CHAIN | TRAYS_RAISE | TRAYS_LOWER)

static bool is_homed(const struct board *board, const struct job *job)
{
    (void)job;
    return board->table.homed;
}

void chain_begin(struct board *board, struct job *job)
{
    job->turned = false;
    step_drive(board, OUT_CHAIN);
}

static bool chain_found(struct board *board, struct job *job)
{
    const bool at_zero = step_senses(board, IN_CHAIN_ZERO);
    job->turned = job->turned || !at_zero;
    if (job->turned && at_zero) {
        step_release(board, OUT_CHAIN);
        return true;
    }
    return false;
}

enum progress chain_watch(struct board *board, struct job *job)
{
    if (chain_found(board, job)) {
        return STEP_OVER;
    }
    return step_timed_out(board, job, HOME_TIMEOUT_US) ? step_broken(job, FAULT_CHAIN_ZERO_LOST, NO_SIDE)
                                                        : STEP_RUNS;
}

static void chain_end(struct board *board, struct job *job)
{
    (void)job;
    board->table.homed = true;
}

static void home_begin(struct board *board, struct job *job)
{
    chain_begin(board, job);
    job->value = 0u; /* 1 = the chain has found its reference */
    job->count = step_senses(board, ALL_SIDES(FIRST_WALL)) ? 1u : 0u; /* 1 = the trays go up: walls stand */
    step_drive(board, OUT_CENTRE_LOWER);
    step_drive(board, (job->count != 0u) ? TRAYS_RAISE : TRAYS_LOWER);
}

static enum progress home_watch(struct board *board, struct job *job)
{
    const bool up = job->count != 0u;
    bool all = up ? trays_reached(board, FIRST_TRAY_UP, FIRST_TRAY_RAISE)
                  : trays_reached(board, FIRST_TRAY_DOWN, FIRST_TRAY_LOWER);
    if (step_senses(board, IN_CENTRE_DOWN)) {
        step_release(board, OUT_CENTRE_LOWER);
    }
    if (chain_found(board, job)) {
        job->value = 1u;
    }
    all = all && step_senses(board, IN_CENTRE_DOWN) && (job->value != 0u);
    if (all || !step_timed_out(board, job, HOME_TIMEOUT_US)) {
        return all ? STEP_OVER : STEP_RUNS;
    }
    if (!step_senses(board, IN_CENTRE_DOWN)) {
        return step_broken(job, FAULT_CENTRE_NOT_DOWN, NO_SIDE);
    }
    if (job->value == 0u) {
        return step_broken(job, FAULT_CHAIN_ZERO_LOST, NO_SIDE);
    }
    return step_broken(job, FAULT_TRAY_RUNAWAY, trays_first_off(board, up ? FIRST_TRAY_UP : FIRST_TRAY_DOWN));
}

static void home_end(struct board *board, struct job *job)
{
    job->value = 0u;
    if (board->table.centre_open) {
        centre_closed(board);
    }
}

const struct step step_find_home = {is_homed, chain_begin, chain_watch, chain_end, OUT_CHAIN};
const struct step step_home = {NULL, home_begin, home_watch, home_end, EVERYTHING};
