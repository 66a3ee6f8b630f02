#include "steps.h"

#include <stddef.h>

#include "board.h"
#include "words.h"

#define DICE_SPIN_US UINT32_C(800000)    /* current on the dice motor */
#define DICE_START_US UINT32_C(500000)   /* until then they must turn */
#define REST_US UINT32_C(700000)         /* until ring, chain and heads stand after a pause */
#define TRAYS_RAISE ALL_SIDES(FIRST_TRAY_RAISE)
#define TRAYS_LOWER ALL_SIDES(FIRST_TRAY_LOWER)
#define GATES ALL_SIDES(FIRST_GATE)

static bool is_on(const struct board *board, uint32_t sensor)
{
    return (board->in.sensors & sensor) != 0u;
}

static void drive(struct board *board, uint32_t outputs)
{
    board->table.outputs |= outputs;
}

static void release(struct board *board, uint32_t outputs)
{
    board->table.outputs &= ~outputs;
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

/* ---- centre ---- */

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
    return (job->operation == OP_BUILD) && is_on(board, IN_DRUM) && !board->table.incomplete;
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
    drive(board, OUT_CENTRE_RAISE);
}

static enum progress open_watch(struct board *board, struct job *job)
{
    if (is_on(board, IN_CENTRE_UP)) {
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
    table->by_panel = by_key;
    table->adding = (job->operation == OP_PAUSE) || (by_key && (table->top == TOP_WALLS_UP));
    if (by_key && !table->adding) {
        table->top = TOP_LOADING;
    }
    session_event(board, EVENT_CENTRE_OPENED, NO_SIDE, 0u, by_key ? SOURCE_PANEL : SOURCE_SENSOR);
}

static void close_begin(struct board *board, struct job *job)
{
    (void)job;
    drive(board, OUT_CENTRE_LOWER);
}

static enum progress close_watch(struct board *board, struct job *job)
{
    if (is_on(board, IN_CENTRE_DOWN)) {
        return STEP_OVER;
    }
    return step_timed_out(board, job, CENTRE_DOWN_TIMEOUT_US)
               ? step_broken(job, FAULT_CENTRE_NOT_DOWN, NO_SIDE)
               : STEP_RUNS;
}

static void centre_closed(struct board *board)
{
    struct table *table = &board->table;
    table->centre_open = false;
    table->adding = false;
    table->by_panel = false;
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
    board->table.adding = false;
    board->table.by_panel = false;
    drive(board, OUT_LOAD);
    table_progress(board, job, 10u);
}

static enum progress load_watch(struct board *board, struct job *job)
{
    (void)job;
    const bool fell = is_on(board, IN_LOADED) && ((board->before.sensors & IN_LOADED) == 0u);
    return fell ? STEP_OVER : STEP_RUNS;
}

static void load_end(struct board *board, struct job *job)
{
    board->table.incomplete = false;
    table_progress(board, job, 20u);
}

/* ---- reference ---- */

static bool is_homed(const struct board *board, const struct job *job)
{
    (void)job;
    return board->table.homed;
}

/* The chain turns until its reference has gone by: a switch that never opens is no reference. */
static void chain_begin(struct board *board, struct job *job)
{
    job->turned = false;
    drive(board, OUT_CHAIN);
}

static bool chain_found(struct board *board, struct job *job)
{
    const bool at_zero = is_on(board, IN_CHAIN_ZERO);
    job->turned = job->turned || !at_zero;
    if (job->turned && at_zero) {
        release(board, OUT_CHAIN);
        return true;
    }
    return false;
}

static enum progress chain_watch(struct board *board, struct job *job)
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

/* Switch each tray off at its limit. True when all four have reached theirs. */
static bool trays_reached(struct board *board, uint8_t first_limit, uint8_t first_motor)
{
    bool all = true;
    for (uint8_t side = 0u; side < SIDES; side++) {
        if (is_on(board, PIN_OF(first_limit, side))) {
            release(board, PIN_OF(first_motor, side));
        } else {
            all = false;
        }
    }
    return all;
}

static uint8_t first_off(const struct board *board, uint8_t first_limit)
{
    uint8_t side = 0u;
    while ((side < SIDES) && is_on(board, PIN_OF(first_limit, side))) {
        side++;
    }
    return side;
}

static void home_begin(struct board *board, struct job *job)
{
    chain_begin(board, job);
    job->value = 0u; /* 1 = the chain has found its reference */
    drive(board, OUT_CENTRE_LOWER);
    drive(board, is_on(board, ALL_SIDES(FIRST_WALL)) ? TRAYS_RAISE : TRAYS_LOWER);
}

static enum progress home_watch(struct board *board, struct job *job)
{
    const bool up = (board->table.outputs & TRAYS_RAISE) != 0u;
    bool all = up ? trays_reached(board, FIRST_TRAY_UP, FIRST_TRAY_RAISE)
                  : trays_reached(board, FIRST_TRAY_DOWN, FIRST_TRAY_LOWER);
    if (is_on(board, IN_CENTRE_DOWN)) {
        release(board, OUT_CENTRE_LOWER);
    }
    if (chain_found(board, job)) {
        job->value = 1u;
    }
    all = all && is_on(board, IN_CENTRE_DOWN) && (job->value != 0u);
    if (all || !step_timed_out(board, job, HOME_TIMEOUT_US)) {
        return all ? STEP_OVER : STEP_RUNS;
    }
    if (!is_on(board, IN_CENTRE_DOWN)) {
        return step_broken(job, FAULT_CENTRE_NOT_DOWN, NO_SIDE);
    }
    if (job->value == 0u) {
        return step_broken(job, FAULT_CHAIN_ZERO_LOST, NO_SIDE);
    }
    return step_broken(job, FAULT_TRAY_RUNAWAY, first_off(board, up ? FIRST_TRAY_UP : FIRST_TRAY_DOWN));
}

static void home_end(struct board *board, struct job *job)
{
    job->value = 0u;
    if (board->table.centre_open) {
        centre_closed(board);
    }
}

/* ---- rows in the store ---- */

static bool keeps_rows(const struct board *board, const struct job *job)
{
    const bool whole = table_rows_full(board) && !board->table.doubtful;
    return !is_on(board, ALL_SIDES(FIRST_ROW_ANY)) || ((job->operation == OP_HOME) && whole);
}

static void drop_begin(struct board *board, struct job *job)
{
    (void)job;
    drive(board, OUT_DROP);
}

static enum progress drop_watch(struct board *board, struct job *job)
{
    if (!is_on(board, ALL_SIDES(FIRST_ROW_ANY))) {
        return STEP_OVER;
    }
    return step_timed_out(board, job, ABORT_TIMEOUT_US) ? step_broken(job, FAULT_PUSHER_NOT_HOME, NO_SIDE)
                                                         : STEP_RUNS;
}

static void nothing_begins(struct board *board, struct job *job)
{
    (void)board;
    (void)job;
}

/* What HOME and ABORT_BUILD leave: whole rows are ready, others are in the drum again. */
static void rows_end(struct board *board, struct job *job)
{
    struct table *table = &board->table;
    if (is_on(board, ALL_SIDES(FIRST_ROW_ANY))) {
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

/* ---- trays ---- */

static void trays_down_begin(struct board *board, struct job *job)
{
    board->table.top = (job->operation == OP_LOWER) ? TOP_LOWERING : TOP_RAISING;
    drive(board, TRAYS_LOWER);
}

static enum progress trays_down_watch(struct board *board, struct job *job)
{
    if (job->operation == OP_RAISE) { /* what stands on a tray keeps it up: nobody pushed the old walls in */
        for (uint8_t side = 0u; side < SIDES; side++) {
            if (is_on(board, PIN_OF(FIRST_WALL, side))) {
                job->store_left = STORE_READY;
                return step_broken(job, FAULT_TRAY_NOT_DOWN, side);
            }
        }
    }
    if (trays_reached(board, FIRST_TRAY_DOWN, FIRST_TRAY_LOWER)) {
        return STEP_OVER;
    }
    return step_timed_out(board, job, TRAYS_DOWN_TIMEOUT_US)
               ? step_broken(job, FAULT_TRAY_NOT_DOWN, first_off(board, FIRST_TRAY_DOWN))
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
    drive(board, TRAYS_RAISE);
}

static enum progress trays_up_watch(struct board *board, struct job *job)
{
    if (trays_reached(board, FIRST_TRAY_UP, FIRST_TRAY_RAISE)) {
        return STEP_OVER;
    }
    return step_timed_out(board, job, TRAYS_UP_TIMEOUT_US)
               ? step_broken(job, FAULT_TRAY_NOT_UP, first_off(board, FIRST_TRAY_UP))
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
    job->tracks = 0u;
    if (is_on(board, IN_DRUM)) {
        table_build_by_itself(board);
    }
}

/* ---- dice ---- */

static uint8_t dice_source(const struct job *job)
{
    return job->host ? SOURCE_HOST : SOURCE_PANEL;
}

static void spin_begin(struct board *board, struct job *job)
{
    session_event(board, EVENT_DICE_STARTED, job->side, 0u, dice_source(job));
    board->table.dice_side = job->side;
    job->value = 0u; /* 1 = they turn */
    drive(board, OUT_DICE);
}

static enum progress spin_watch(struct board *board, struct job *job)
{
    if (is_on(board, IN_DICE_TURN)) {
        job->value = 1u;
    }
    if ((job->value == 0u) && step_timed_out(board, job, DICE_START_US)) {
        return step_broken(job, FAULT_DICE_NO_SPIN, NO_SIDE);
    }
    return step_timed_out(board, job, DICE_SPIN_US) ? STEP_OVER : STEP_RUNS;
}

static enum progress read_watch(struct board *board, struct job *job)
{
    if (is_on(board, IN_DICE_READ) && !is_on(board, IN_DICE_TURN)) {
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
    release(board, OUT_DRUM | OUT_CHAIN | GATES);
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
    drive(board, OUT_DRUM_BACK);
}

static enum progress purge_watch(struct board *board, struct job *job)
{
    return step_timed_out(board, job, PURGE_US) ? STEP_OVER : STEP_RUNS;
}

/* ---- programmes ---- */

#define CENTRE (OUT_CENTRE_RAISE | OUT_CENTRE_LOWER)
#define EVERYTHING (CENTRE | OUT_CHAIN | TRAYS_RAISE | TRAYS_LOWER)

static const struct step find_home = {is_homed, chain_begin, chain_watch, chain_end, OUT_CHAIN};
static const struct step open_centre = {opens_nothing, open_begin, open_watch, open_end, CENTRE};
static const struct step load = {loads_nothing, load_begin, load_watch, load_end, OUT_LOAD};
static const struct step close_centre = {is_closed, close_begin, close_watch, close_end, CENTRE};
static const struct step home = {NULL, home_begin, home_watch, home_end, EVERYTHING};
static const struct step drop_rows = {keeps_rows, drop_begin, drop_watch, NULL, OUT_DROP};
static const struct step count_rows = {NULL, nothing_begins, NULL, rows_end, 0u};
static const struct step trays_down = {NULL, trays_down_begin, trays_down_watch, trays_down_end, TRAYS_LOWER};
static const struct step trays_up = {NULL, trays_up_begin, trays_up_watch, trays_up_end, TRAYS_RAISE};
static const struct step stack = {NULL, stack_begin, stack_watch, NULL, OUT_DRUM | GATES};
static const struct step stack_on = {NULL, stack_go_on, stack_watch, NULL, OUT_DRUM | GATES};
static const struct step park = {NULL, chain_begin, chain_watch, stack_end, OUT_CHAIN};
static const struct step spin = {NULL, spin_begin, spin_watch, NULL, OUT_DICE};
static const struct step read = {NULL, nothing_begins, read_watch, read_end, 0u};
static const struct step rest = {builds_nothing, rest_begin, rest_watch, rest_end, 0u};
static const struct step purge = {NULL, purge_begin, purge_watch, NULL, OUT_DRUM_BACK};

#define LONGEST 8u

static const struct step *const programmes[OPERATIONS][LONGEST] = {
    [OP_HOME] = {&home, &drop_rows, &count_rows},
    [OP_BUILD] = {&find_home, &drop_rows, &open_centre, &load, &close_centre, &stack, &park},
    [OP_RAISE] = {&find_home, &open_centre, &load, &close_centre, &trays_down, &trays_up},
    [OP_LOWER] = {&trays_down},
    [OP_DICE] = {&spin, &read},
    [OP_PAUSE] = {&rest, &open_centre},
    [OP_RESUME] = {&find_home, &close_centre, &stack_on, &park},
    [OP_PURGE] = {&purge},
    [OP_ABORT_BUILD] = {&drop_rows, &count_rows},
    [OP_OPEN_BY_KEY] = {&open_centre},
    [OP_CLOSE_BY_KEY] = {&close_centre},
};

const struct step *step_at(uint8_t operation, uint8_t place)
{
    return (place < LONGEST) ? programmes[operation][place] : NULL;
}

bool step_is_loading(const struct step *step)
{
    return step == &load;
}

bool step_is_stacking(const struct step *step)
{
    return (step == &stack) || (step == &stack_on);
}
