#include "steps.h"

#include <stddef.h>

#include "board.h"
#include "motions.h"
#include "words.h"

bool step_senses(const struct board *board, uint32_t sensor)
{
    return (board->in.sensors & sensor) != 0u;
}

void step_drive(struct board *board, uint32_t outputs)
{
    board->table.outputs |= outputs;
}

void step_release(struct board *board, uint32_t outputs)
{
    board->table.outputs &= ~outputs;
}

void step_begins_nothing(struct board *board, struct job *job)
{
    (void)board;
    (void)job;
}

enum progress step_broken(struct job *job, uint8_t fault, uint8_t side)
{
    job->fault = fault;
    job->fault_side = side;
    return STEP_BROKEN;
}

bool step_timed_out(const struct board *board, const struct job *job, uint32_t limit_us)
{
    return board->table.clock_us - job->since_us >= limit_us;
}

/* ---- programmes ---- */

#define LONGEST 8u

static const struct step *const programmes[OPERATIONS][LONGEST] = {
    [OP_HOME] = {&step_home, &step_drop_rows, &step_count_rows},
    [OP_BUILD] = {&step_find_home, &step_drop_rows, &step_open_centre, &step_load, &step_close_centre, &step_stack,
                  &step_park},
    [OP_RAISE] = {&step_find_home, &step_open_centre, &step_load, &step_close_centre, &step_trays_down,
                  &step_trays_up},
    [OP_LOWER] = {&step_trays_down},
    [OP_DICE] = {&step_spin_dice, &step_read_dice},
    [OP_PAUSE] = {&step_rest, &step_open_centre},
    [OP_RESUME] = {&step_find_home, &step_close_centre, &step_stack_on, &step_park},
    [OP_PURGE] = {&step_purge},
    [OP_ABORT_BUILD] = {&step_run_out, &step_drop_rows, &step_count_rows},
    [OP_OPEN_BY_KEY] = {&step_open_centre},
    [OP_CLOSE_BY_KEY] = {&step_close_centre},
};

const struct step *step_at(uint8_t operation, uint8_t place)
{
    return (place < LONGEST) ? programmes[operation][place] : NULL;
}

bool step_is_loading(const struct step *step)
{
    return step == &step_load;
}

bool step_is_stacking(const struct step *step)
{
    return (step == &step_stack) || (step == &step_stack_on);
}
