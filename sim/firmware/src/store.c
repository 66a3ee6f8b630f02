/* The store: rows that fall back into the drum, a build that rests, the drum turned back to loosen what clings. */
#include <stddef.h>

#include "board.h"
#include "motions.h"
#include "words.h"

#define REST_US UINT32_C(700000) /* until ring, chain and heads stand after a pause */
#define GATES ALL_SIDES(FIRST_GATE)

static bool keeps_rows(const struct board *board, const struct job *job)
{
    const bool whole = table_rows_full(board) && !board->table.doubtful;
    return !step_senses(board, ALL_SIDES(FIRST_ROW_ANY)) || ((job->operation == OP_HOME) && whole);
}

static void drop_begin(struct board *board, struct job *job)
{
    (void)job;
    step_drive(board, OUT_DROP);
}

static enum progress drop_watch(struct board *board, struct job *job)
{
    if (!step_senses(board, ALL_SIDES(FIRST_ROW_ANY))) {
        return STEP_OVER;
    }
    return step_timed_out(board, job, ABORT_TIMEOUT_US) ? step_broken(job, FAULT_PUSHER_NOT_HOME, NO_SIDE)
                                                         : STEP_RUNS;
}

/* What HOME and ABORT_BUILD leave: whole rows are ready, others are in the drum again. */
static void rows_end(struct board *board, struct job *job)
{
    struct table *table = &board->table;
    if (step_senses(board, ALL_SIDES(FIRST_ROW_ANY))) {
        table->store = STORE_READY;
    } else {
        table->store = STORE_EMPTY;
        table->rows.built = 0u;
        table->doubtful = false;
    }
    if (job->operation == OP_HOME) {
        table->top = table_top_sensed(board);
        table->homed = true;
        table->stopped = false;
        table->between = false;
        fault_forget_gone(board, SOURCE_SENSOR);
    }
}

/* ---- ways out of a build ---- */

static bool builds_nothing(const struct board *board, const struct job *job)
{
    (void)job;
    return !table_has_job_on(board, TRACK_STORE);
}

static void rest_begin(struct board *board, struct job *job)
{
    struct job *build = table_job_on(board, TRACK_STORE);
    (void)job;
    build->held = true;
    step_release(board, OUT_DRUM | OUT_CHAIN | GATES);
}

static enum progress rest_watch(struct board *board, struct job *job)
{
    return step_timed_out(board, job, REST_US) ? STEP_OVER : STEP_RUNS;
}

static void rest_end(struct board *board, struct job *job)
{
    (void)job;
    table_suspend(board, table_job_on(board, TRACK_STORE));
}

static void purge_begin(struct board *board, struct job *job)
{
    (void)job;
    step_drive(board, OUT_DRUM_BACK);
}

static enum progress purge_watch(struct board *board, struct job *job)
{
    return step_timed_out(board, job, PURGE_US) ? STEP_OVER : STEP_RUNS;
}

const struct step step_drop_rows = {keeps_rows, drop_begin, drop_watch, NULL, OUT_DROP};
const struct step step_count_rows = {NULL, step_begins_nothing, NULL, rows_end, 0u};
const struct step step_rest = {builds_nothing, rest_begin, rest_watch, rest_end, 0u};
const struct step step_purge = {NULL, purge_begin, purge_watch, NULL, OUT_DRUM_BACK};

/* An aborted build: what is on its way falls onto the rows before they are looked at. */
const struct step step_run_out = {NULL, step_begins_nothing, rest_watch, NULL, 0u};
