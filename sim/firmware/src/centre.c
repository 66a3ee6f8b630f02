/* The centre: up so that people can push tiles in, and down again. */
#include "board.h"
#include "motions.h"
#include "words.h"

#define CENTRE (OUT_CENTRE_RAISE | OUT_CENTRE_LOWER)

static bool is_open(const struct board *board, const struct job *job)
{
    (void)job;
    return board->table.centre_open;
}

static bool is_closed(const struct board *board, const struct job *job)
{
    (void)job;
    return !board->table.centre_open;
}

/* A whole set lies in the drum already: a build need not load. */
static bool loads_nothing(const struct board *board, const struct job *job)
{
    return (job->operation == OP_BUILD) && step_senses(board, IN_DRUM) && !board->table.incomplete;
}

static bool opens_nothing(const struct board *board, const struct job *job)
{
    return is_open(board, job) || loads_nothing(board, job);
}

static void open_begin(struct board *board, struct job *job)
{
    if ((job->operation == OP_BUILD) || (job->operation == OP_RAISE)) {
        board->table.top = TOP_LOADING;
    }
    step_drive(board, OUT_CENTRE_RAISE);
}

static enum progress open_watch(struct board *board, struct job *job)
{
    if (step_senses(board, IN_CENTRE_UP)) {
        return STEP_OVER;
    }
    return step_timed_out(board, job, CENTRE_UP_TIMEOUT_US) ? step_broken(job, FAULT_CENTRE_NOT_UP, NO_SIDE)
                                                             : STEP_RUNS;
}

static void open_end(struct board *board, struct job *job)
{
    struct table *table = &board->table;
    const bool by_key = job->operation == OP_OPEN_BY_KEY;
    table->centre_open = true;
    if (by_key && (table->top != TOP_WALLS_UP)) { /* else for single tiles */
        table->top = TOP_LOADING;
    }
    session_event(board, EVENT_CENTRE_OPENED, NO_SIDE, 0u, by_key ? SOURCE_PANEL : SOURCE_SENSOR);
}

static void close_begin(struct board *board, struct job *job)
{
    (void)job;
    step_drive(board, OUT_CENTRE_LOWER);
}

static enum progress close_watch(struct board *board, struct job *job)
{
    if (step_senses(board, IN_CENTRE_DOWN)) {
        return STEP_OVER;
    }
    return step_timed_out(board, job, CENTRE_DOWN_TIMEOUT_US)
               ? step_broken(job, FAULT_CENTRE_NOT_DOWN, NO_SIDE)
               : STEP_RUNS;
}

void centre_closed(struct board *board)
{
    struct table *table = &board->table;
    table->centre_open = false;
    table->top = table_top_sensed(board);
    session_event(board, EVENT_CENTRE_CLOSED, NO_SIDE, 0u, SOURCE_SENSOR);
}

static void close_end(struct board *board, struct job *job)
{
    centre_closed(board);
    if ((job->operation == OP_RAISE) || ((job->operation == OP_BUILD) && (job->percent != 0u))) {
        table_progress(board, job, 30u);
    }
}

/* ---- people push the tiles in ---- */

static void load_begin(struct board *board, struct job *job)
{
    board->table.top = TOP_LOADING;
    step_drive(board, OUT_LOAD);
    table_progress(board, job, 10u);
}

static enum progress load_watch(struct board *board, struct job *job)
{
    (void)job;
    const bool fell = step_senses(board, IN_LOADED) && ((board->before.sensors & IN_LOADED) == 0u);
    return fell ? STEP_OVER : STEP_RUNS;
}

static void load_end(struct board *board, struct job *job)
{
    board->table.incomplete = false;
    table_progress(board, job, 20u);
}

const struct step step_open_centre = {opens_nothing, open_begin, open_watch, open_end, CENTRE};
const struct step step_load = {loads_nothing, load_begin, load_watch, load_end, OUT_LOAD};
const struct step step_close_centre = {is_closed, close_begin, close_watch, close_end, CENTRE};
