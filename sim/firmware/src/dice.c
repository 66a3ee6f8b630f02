/* The dice: spun, and read when they lie still. */
#include <stddef.h>

#include "board.h"
#include "motions.h"
#include "words.h"

#define DICE_SPIN_US UINT32_C(800000)  /* current on the dice motor */
#define DICE_START_US UINT32_C(500000) /* until then they must turn */

static uint8_t dice_source(const struct job *job)
{
    return job->host ? SOURCE_HOST : SOURCE_PANEL;
}

static void spin_begin(struct board *board, struct job *job)
{
    session_event(board, EVENT_DICE_STARTED, job->side, 0u, dice_source(job));
    board->table.dice_side = job->side;
    job->value = 0u; /* 1 = they turn */
    step_drive(board, OUT_DICE);
}

static enum progress spin_watch(struct board *board, struct job *job)
{
    if (step_senses(board, IN_DICE_TURN)) {
        job->value = 1u;
    }
    if ((job->value == 0u) && step_timed_out(board, job, DICE_START_US)) {
        return step_broken(job, FAULT_DICE_NO_SPIN, NO_SIDE);
    }
    return step_timed_out(board, job, DICE_SPIN_US) ? STEP_OVER : STEP_RUNS;
}

static enum progress read_watch(struct board *board, struct job *job)
{
    if (step_senses(board, IN_DICE_READ) && !step_senses(board, IN_DICE_TURN)) {
        return STEP_OVER;
    }
    return step_timed_out(board, job, DICE_TIMEOUT_US) ? step_broken(job, FAULT_DICE_NO_READ, NO_SIDE)
                                                        : STEP_RUNS;
}

static void read_end(struct board *board, struct job *job)
{
    const uint32_t mask = (UINT32_C(1) << (4u * job->count)) - 1u;
    fault_forget(board, FAULT_DICE_NO_SPIN);
    fault_forget(board, FAULT_DICE_NO_READ);
    job->value = board->in.dice_faces & mask;
    session_event(board, EVENT_DICE_RESULT, job->side, job->value, dice_source(job));
}

const struct step step_spin_dice = {NULL, spin_begin, spin_watch, NULL, OUT_DICE};
const struct step step_read_dice = {NULL, step_begins_nothing, read_watch, read_end, 0u};
