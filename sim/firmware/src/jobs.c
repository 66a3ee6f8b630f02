/* Jobs: each walks through the steps of its programme, alone on its tracks, to its end or until one breaks. */
#include "jobs.h"

#include <stddef.h>

#include "board.h"
#include "bytes.h"
#include "steps.h"
#include "words.h"

static const uint8_t tracks_of[OPERATIONS] = {
    [OP_HOME] = TRACKS_ALL,
    [OP_BUILD] = TRACK_TOP | TRACK_STORE,
    [OP_RAISE] = TRACK_TOP | TRACK_STORE,
    [OP_LOWER] = TRACK_TOP,
    [OP_DICE] = TRACK_DICE,
    [OP_PAUSE] = TRACK_TOP,
    [OP_RESUME] = TRACK_TOP | TRACK_STORE,
    [OP_PURGE] = TRACK_STORE,
    [OP_ABORT_BUILD] = TRACK_STORE,
    [OP_OPEN_BY_KEY] = TRACK_TOP,
    [OP_CLOSE_BY_KEY] = TRACK_TOP,
};

uint8_t job_tracks(uint8_t operation)
{
    return tracks_of[operation];
}

const struct job *job_on(const struct board *board, uint8_t tracks)
{
    for (uint8_t i = 0u; i < JOBS; i++) {
        const struct job *job = &board->table.jobs[i];
        if ((job->operation != 0u) && ((job->tracks & tracks) != 0u)) {
            return job;
        }
    }
    return NULL;
}

bool table_has_job_on(const struct board *board, uint8_t tracks)
{
    return job_on(board, tracks) != NULL;
}

uint8_t table_number(const struct board *board, const struct job *job)
{
    return (uint8_t)(job - board->table.jobs);
}

struct job *table_job_on(struct board *board, uint8_t tracks)
{
    const struct job *found = job_on(board, tracks);
    return (found == NULL) ? NULL : &board->table.jobs[table_number(board, found)];
}

void table_progress(struct board *board, struct job *job, uint8_t percent)
{
    job->percent = percent;
    session_progress(board, table_number(board, job), percent);
}

static void leave_step(struct board *board, struct job *job)
{
    const struct step *step = step_at(job->operation, job->place);
    if (step != NULL) {
        board->table.outputs &= ~step->outputs;
    }
}

/* What a job that did not reach its end leaves: states as sensors tell them, a fault, answers. */
void job_settle(struct board *board, struct job *job, uint8_t fault, uint8_t side)
{
    struct table *table = &board->table;
    const uint8_t number = table_number(board, job);
    table_sense(board, job->tracks, STORE_PAUSED);
    table->homed = table->homed && (job->tracks == TRACK_DICE);
    if (job->store_left != STORE_UNKNOWN) {
        table->store = job->store_left;
    }
    job->operation = 0u;
    fault_latch(board, fault, side);
    session_failed(board, number, fault, side);
}

void job_fail(struct board *board, struct job *job, uint8_t fault, uint8_t side)
{
    leave_step(board, job);
    job_settle(board, job, fault, side);
}

static void finish(struct board *board, struct job *job)
{
    const uint8_t number = table_number(board, job);
    const uint32_t value = job->value;
    job->operation = 0u;
    session_done(board, number, value);
}

/* Go on to the next step that has something to do; behind the last one the job is done. */
static void enter(struct board *board, struct job *job)
{
    const struct step *step = step_at(job->operation, job->place);
    job->begun = true;
    while ((step != NULL) && (step->skip != NULL) && step->skip(board, job)) {
        job->place++;
        step = step_at(job->operation, job->place);
    }
    if (step == NULL) {
        finish(board, job);
    } else {
        job->since_us = board->table.clock_us;
        step->begin(board, job);
    }
}

static void advance(struct board *board, struct job *job)
{
    const struct step *step = step_at(job->operation, job->place);
    const enum progress progress = (step->watch == NULL) ? STEP_OVER : step->watch(board, job);
    if (progress == STEP_BROKEN) {
        job_fail(board, job, job->fault, job->fault_side);
    } else if (progress == STEP_OVER) {
        leave_step(board, job);
        if (step->end != NULL) {
            step->end(board, job);
        }
        job->place++;
        enter(board, job);
    } else {
        /* it runs */
    }
}

void job_run(struct board *board, struct job *job)
{
    if (job->begun) {
        advance(board, job);
    } else {
        enter(board, job);
    }
}

static struct job *free_job(struct board *board)
{
    for (uint8_t i = 0u; i < JOBS; i++) {
        if (board->table.jobs[i].operation == 0u) {
            return &board->table.jobs[i];
        }
    }
    return NULL;
}

struct job *job_start(struct board *board, uint8_t operation, uint8_t tracks)
{
    struct job *job = free_job(board); /* three tracks, three jobs: there is one */
    if (job != NULL) {
        bytes_clear(job, sizeof *job);
        job->operation = operation;
        job->tracks = tracks;
    }
    return job;
}

void table_build_by_itself(struct board *board)
{
    struct job *job = job_start(board, OP_BUILD, TRACK_STORE);
    if (job != NULL) {
        job->place = PLACE_OF_STACKING;
        enter(board, job);
    }
}

void table_toggle_centre(struct board *board)
{
    const uint8_t operation = board->table.centre_open ? OP_CLOSE_BY_KEY : OP_OPEN_BY_KEY;
    (void)job_start(board, operation, job_tracks(operation));
}

bool table_loaded(struct board *board)
{
    bool waited = false;
    for (uint8_t i = 0u; i < JOBS; i++) {
        struct job *job = &board->table.jobs[i];
        if ((job->operation != 0u) && step_is_loading(step_at(job->operation, job->place))) {
            const struct step *step = step_at(job->operation, job->place);
            waited = true;
            leave_step(board, job);
            step->end(board, job);
            job->place++;
            enter(board, job);
        }
    }
    return waited;
}

void table_suspend(struct board *board, struct job *job)
{
    if (job != NULL) {
        const uint8_t number = table_number(board, job);
        leave_step(board, job);
        job->operation = 0u;
        session_pass_on(board, number, HOLDER_PAUSE);
        board->table.store = STORE_PAUSED;
    }
}
