#include "table.h"

#include <stddef.h>

#include "board.h"
#include "bytes.h"
#include "steps.h"
#include "words.h"

#define TICK_US UINT32_C(2000)       /* between two looks while anything moves... */
#define STACK_TICK_US UINT32_C(8000) /* ...or only tiles come: each covers its barrier longer than that */
#define LATE_US UINT32_C(50000)
#define NEVER UINT64_MAX

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

/* ---- what is there ---- */

uint8_t table_goal(const struct board *board, uint8_t side)
{
    const struct table *table = &board->table;
    const uint8_t tiles = (table->rows.built != 0u) ? table->rows.built : table->profile;
    const uint8_t stacks = tiles / TILES_A_STACK;
    const uint8_t rest = stacks % SIDES;
    /* as even as they go, the first and the third side longer */
    const bool longer = (rest == 1u) ? (side == 0u) : ((rest == 2u) ? (side % 2u == 0u) : (side < rest));
    return (uint8_t)(stacks / SIDES + ((longer && (rest != 0u)) ? 1u : 0u));
}

bool table_rows_full(const struct board *board)
{
    return (board->in.sensors & ALL_SIDES(FIRST_ROW_FULL)) == ALL_SIDES(FIRST_ROW_FULL);
}

uint8_t table_top_sensed(const struct board *board)
{
    return ((board->in.sensors & ALL_SIDES(FIRST_WALL)) != 0u) ? TOP_WALLS_UP : TOP_CLEAR;
}

void table_sense(struct board *board, uint8_t tracks, uint8_t partial)
{
    struct table *table = &board->table;
    if ((tracks & TRACK_TOP) != 0u) {
        table->top = (table_top_sensed(board) == TOP_WALLS_UP) ? TOP_WALLS_UP : TOP_UNKNOWN;
    }
    if ((tracks & TRACK_STORE) != 0u) {
        if (table_rows_full(board) && !table->doubtful) {
            table->store = STORE_READY;
        } else if ((board->in.sensors & ALL_SIDES(FIRST_ROW_ANY)) != 0u) {
            table->store = partial;
        } else {
            table->store = STORE_EMPTY;
        }
    }
}

void table_show_lamp(struct board *board, uint8_t lamp, uint8_t side)
{
    board->table.lamp = lamp;
    board->table.lamp_side = side;
}

/* ---- jobs ---- */

struct job *table_job_on(struct board *board, uint8_t tracks)
{
    for (uint8_t i = 0u; i < JOBS; i++) {
        struct job *job = &board->table.jobs[i];
        if ((job->operation != 0u) && ((job->tracks & tracks) != 0u)) {
            return job;
        }
    }
    return NULL;
}

static const struct job *job_on(const struct board *board, uint8_t tracks)
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
static void settle(struct board *board, struct job *job, uint8_t fault, uint8_t side)
{
    struct table *table = &board->table;
    const uint8_t number = table_number(board, job);
    table_sense(board, job->tracks, STORE_PAUSED);
    table->homed = table->homed && (job->tracks == TRACK_DICE);
    if (job->store_left != STORE_UNKNOWN) {
        table->store = job->store_left;
    }
    job->operation = 0u;
    job->tracks = 0u;
    fault_latch(board, fault, side);
    session_failed(board, number, fault, side);
}

static void fail(struct board *board, struct job *job, uint8_t fault, uint8_t side)
{
    leave_step(board, job);
    settle(board, job, fault, side);
}

static void finish(struct board *board, struct job *job)
{
    const uint8_t number = table_number(board, job);
    const uint32_t value = job->value;
    job->operation = 0u;
    job->tracks = 0u;
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
        fail(board, job, job->fault, job->fault_side);
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

static struct job *free_job(struct board *board)
{
    for (uint8_t i = 0u; i < JOBS; i++) {
        if (board->table.jobs[i].operation == 0u) {
            return &board->table.jobs[i];
        }
    }
    return NULL;
}

static struct job *start(struct board *board, uint8_t operation, uint8_t tracks)
{
    struct job *job = free_job(board); /* three tracks, three jobs: there is one */
    if (job != NULL) {
        bytes_clear(job, sizeof *job);
        job->operation = operation;
        job->tracks = tracks;
        job->fault_side = NO_SIDE;
    }
    return job;
}

void table_build_by_itself(struct board *board)
{
    struct job *job = start(board, OP_BUILD, TRACK_STORE);
    if (job != NULL) {
        job->place = PLACE_OF_STACKING;
        enter(board, job);
    }
}

void table_toggle_centre(struct board *board)
{
    const uint8_t operation = board->table.centre_open ? OP_CLOSE_BY_KEY : OP_OPEN_BY_KEY;
    struct job *job = start(board, operation, tracks_of[operation]);
    if (job != NULL) {
        enter(board, job);
    }
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
        job->tracks = 0u;
        session_pass_on(board, number, HOLDER_PAUSE);
        board->table.store = STORE_PAUSED;
    }
}

/* ---- orders ---- */

static bool is_profile(uint16_t tiles)
{
    static const uint8_t sizes[PROFILE_COUNT] = PROFILES;
    for (uint8_t i = 0u; i < PROFILE_COUNT; i++) {
        if (sizes[i] == tiles) {
            return true;
        }
    }
    return false;
}

static bool is_bad(const struct atp_operate *order)
{
    bool bad = false;
    switch (order->operation) {
    case OP_RAISE:
        bad = (order->side >= SIDES) && (order->side != NO_SIDE);
        break;
    case OP_DICE:
        bad = (order->side >= SIDES) || (order->count < 1u) || (order->count > MOST_DICE);
        break;
    case OP_SET_PROFILE:
        bad = !is_profile(order->count);
        break;
    case OP_LAMPS:
        bad = (order->count > LAMP_CLOSED) || ((order->side >= SIDES) && (order->side != NO_SIDE));
        break;
    default:
        break;
    }
    return bad;
}

static bool moves_nothing(uint8_t operation)
{
    return (operation == OP_LAMPS) || (operation == OP_SET_PROFILE) || (operation == OP_CLEAR_FAULT);
}

static bool leads_out(uint8_t operation)
{
    return (operation == OP_HOME) || (operation == OP_PAUSE) || (operation == OP_RESUME) ||
           (operation == OP_ABORT_BUILD);
}

/* The walls an order asks for are up. */
static bool is_up(const struct table *table, uint16_t hand)
{
    return (hand != 0u) && (table->hand == hand);
}

static bool is_reached(const struct board *board, const struct atp_operate *order)
{
    const struct table *table = &board->table;
    bool reached = false;
    switch (order->operation) {
    case OP_HOME:
        reached = table->homed && !table->stopped && !table->between;
        break;
    case OP_BUILD:
    case OP_RESUME:
        reached = table->store == STORE_READY;
        break;
    case OP_RAISE:
        reached = (table->top == TOP_WALLS_UP) && is_up(table, order->hand);
        break;
    case OP_LOWER:
        reached = table->top == TOP_CLEAR;
        break;
    case OP_PAUSE:
        reached = ((table->store == STORE_PAUSED) || (table->store == STORE_SHORT)) && table->centre_open;
        break;
    case OP_ABORT_BUILD:
        reached = table->store == STORE_EMPTY;
        break;
    default:
        break;
    }
    return reached;
}

static bool builds(const struct job *job)
{
    return (job->operation == OP_BUILD) || (job->operation == OP_RESUME);
}

static uint8_t busy_if(bool busy)
{
    return busy ? REFUSAL_BUSY : REFUSAL_NONE;
}

static uint8_t refuses_mending(const struct board *board, uint8_t operation)
{
    const struct table *table = &board->table;
    const struct job *store = job_on(board, TRACK_STORE);
    const bool top = table_has_job_on(board, TRACK_TOP);
    uint8_t refusal = REFUSAL_NONE;
    if (operation == OP_PAUSE) {
        const bool stands = (table->store == STORE_BUILDING) || (table->store == STORE_SHORT) ||
                            (table->store == STORE_PAUSED);
        refusal = top ? REFUSAL_BUSY : (stands ? REFUSAL_NONE : REFUSAL_NOT_READY);
    } else if (operation == OP_PURGE) {
        refusal = busy_if(store != NULL);
    } else if (store != NULL) { /* ABORT_BUILD ends a build under way, RESUME joins it */
        refusal = busy_if(!builds(store));
    } else if ((operation == OP_RESUME) && (table->store != STORE_READY)) {
        refusal = top ? REFUSAL_BUSY : ((table->rows.built != 0u) ? REFUSAL_NONE : REFUSAL_NOT_READY);
    } else {
        /* nothing is in its way */
    }
    return refusal;
}

static uint8_t refuses_now(const struct board *board, const struct atp_operate *order)
{
    const struct table *table = &board->table;
    const struct job *store = job_on(board, TRACK_STORE);
    uint8_t refusal = REFUSAL_NONE;
    switch (order->operation) {
    case OP_RAISE:
        if (!is_up(table, order->hand)) {
            refusal = (table->store != STORE_READY) ? REFUSAL_NOT_READY
                                                    : busy_if(table_has_job_on(board, tracks_of[OP_RAISE]));
        }
        break;
    case OP_HOME:
        refusal = busy_if(!is_reached(board, order) && table_has_job_on(board, TRACKS_ALL));
        break;
    case OP_BUILD: /* joins a build under way; needs the top only while tiles are pushed in */
        refusal = (store != NULL) ? busy_if(!builds(store))
                                  : busy_if((table->store != STORE_READY) && table_has_job_on(board, TRACK_TOP));
        break;
    case OP_LOWER:
    case OP_DICE:
        refusal = busy_if(table_has_job_on(board, tracks_of[order->operation]));
        break;
    default:
        refusal = moves_nothing(order->operation) ? REFUSAL_NONE : refuses_mending(board, order->operation);
        break;
    }
    return refusal;
}

uint8_t table_refuses(const struct board *board, const struct atp_operate *order)
{
    const struct table *table = &board->table;
    const uint8_t operation = order->operation;
    if ((operation < OP_HOME) || (operation > OP_ABORT_BUILD)) {
        return REFUSAL_UNSUPPORTED;
    }
    if (is_bad(order)) {
        return REFUSAL_BAD_ARGUMENT;
    }
    if (table->stopped && (operation != OP_HOME) && !moves_nothing(operation)) {
        return REFUSAL_STOPPED;
    }
    if (table->halting && (operation == OP_HOME)) {
        return REFUSAL_BUSY;
    }
    if (!moves_nothing(operation)) {
        if ((board->in.sensors & IN_COVER) != 0u) {
            return REFUSAL_LOCKED;
        }
        if (leads_out(operation) ? fault_bars(board, operation) : fault_blocks(board, operation)) {
            return REFUSAL_FAULT_LATCHED;
        }
    }
    return refuses_now(board, order);
}

/* What needs no motion. Returns the value of its DONE. */
static uint32_t at_once(struct board *board, const struct atp_operate *order)
{
    struct table *table = &board->table;
    uint32_t value = 0u;
    switch (order->operation) {
    case OP_SET_PROFILE:
        table->profile = (uint8_t)order->count;
        table->settings_changed = true;
        session_event(board, EVENT_PROFILE_CHANGED, NO_SIDE, table->profile, SOURCE_HOST);
        break;
    case OP_HOME:
        fault_forget_gone(board, SOURCE_SENSOR);
        break;
    case OP_CLEAR_FAULT:
        fault_forget_gone(board, SOURCE_HOST);
        break;
    case OP_LAMPS:
        table->dimmed = false;
        table_show_lamp(board, (uint8_t)order->count, order->side);
        break;
    case OP_BUILD:
    case OP_RESUME:
        for (uint8_t side = 0u; side < SIDES; side++) {
            value += (uint32_t)table_goal(board, side) * TILES_A_STACK;
        }
        break;
    default:
        break;
    }
    return value;
}

static void abandon_build(struct board *board)
{
    struct job *job = table_job_on(board, TRACK_STORE);
    if (job != NULL) {
        fail(board, job, FAULT_NONE, NO_SIDE);
    }
    session_failed(board, HOLDER_PAUSE, FAULT_NONE, NO_SIDE);
}

uint8_t table_begin(struct board *board, const struct atp_operate *order, bool host, uint32_t *value)
{
    const uint8_t operation = order->operation;
    struct job *job = table_job_on(board, TRACK_STORE);
    if ((job != NULL) && ((operation == OP_BUILD) || (operation == OP_RESUME))) {
        return table_number(board, job); /* joins it */
    }
    if (moves_nothing(operation) || is_reached(board, order)) {
        *value = at_once(board, order);
        return HOLDER_NOBODY;
    }
    if (operation == OP_ABORT_BUILD) {
        abandon_build(board);
    }
    job = start(board, operation, tracks_of[operation]);
    if (job == NULL) {
        return HOLDER_NOBODY;
    }
    job->host = host;
    job->hand = order->hand;
    job->side = order->side;
    job->count = (uint8_t)order->count;
    if (operation == OP_RESUME) {
        fault_forget_gone(board, SOURCE_SENSOR);
        session_pass_on(board, HOLDER_PAUSE, table_number(board, job));
    }
    return table_number(board, job);
}

/* ---- stop ---- */

bool table_is_moving(const struct board *board)
{
    return table_has_job_on(board, TRACKS_ALL) || board->table.halting;
}

static void at_rest(struct board *board)
{
    struct table *table = &board->table;
    for (uint8_t i = 0u; i < JOBS; i++) {
        if (table->jobs[i].operation != 0u) {
            settle(board, &table->jobs[i], table->stop_fault, NO_SIDE);
        }
    }
    fault_latch(board, table->stop_fault, NO_SIDE);
}

bool table_stop(struct board *board, uint8_t fault)
{
    struct table *table = &board->table;
    const bool stood = table->stopped;
    table->stopped = true;
    if (table->halting) {
        return false;
    }
    const bool moves = (table->outputs & OUT_MOTORS) != 0u;
    table->outputs = 0u;
    table->stop_fault = fault;
    session_failed(board, HOLDER_PAUSE, fault, NO_SIDE);
    if (moves) {
        table->halting = true;
        table->halt_us = table->clock_us;
        return false;
    }
    at_rest(board);
    if (!stood) {
        session_event(board, EVENT_STOPPED, NO_SIDE, 0u, SOURCE_SENSOR);
    }
    return true;
}

void table_host_silent(struct board *board)
{
    struct table *table = &board->table;
    bool ordered = false;
    for (uint8_t i = 0u; i < JOBS; i++) {
        ordered = ordered || ((table->jobs[i].operation != 0u) && session_waits(board, i));
    }
    if (ordered) {
        (void)table_stop(board, FAULT_HOST_SILENT_STOP);
    }
    if (table->lamp == LAMP_PLAY) {
        table_show_lamp(board, LAMP_HOLD, NO_SIDE);
        table->dimmed = true;
    }
}

void table_host_back(struct board *board, bool greeting)
{
    struct table *table = &board->table;
    if (table->dimmed && !greeting) { /* the same host, which never knew that it was not heard */
        table_show_lamp(board, LAMP_PLAY, NO_SIDE);
    }
    table->dimmed = false; /* a new connection orders the lamps anew */
}

/* ---- boot, time ---- */

void table_boot(struct board *board)
{
    static const uint8_t sizes[PROFILE_COUNT] = PROFILES;
    struct table *table = &board->table;
    const uint32_t sensors = board->in.sensors;
    const uint32_t trays = (sensors >> FIRST_TRAY_UP) | (sensors >> FIRST_TRAY_DOWN);
    const bool centre = (sensors & (IN_CENTRE_UP | IN_CENTRE_DOWN)) != 0u;
    if (!is_profile(table->profile)) {
        table->profile = sizes[0];
    }
    table->dealer = NO_SIDE;
    table->lamp_side = NO_SIDE;
    table->centre_open = (sensors & IN_CENTRE_UP) != 0u;
    table->between = !centre || ((trays & 0xFu) != 0xFu) || ((sensors & IN_CHAIN_ZERO) == 0u);
    table->homed = !table->between;
    table->clock_us = 1u;     /* 0 stands for never */
    table->incomplete = true; /* nobody knows what lies in the drum */
    table_sense(board, TRACK_STORE, STORE_UNKNOWN);
    table->top = table->between ? TOP_UNKNOWN : TOP_CLEAR;
    if (table_top_sensed(board) == TOP_WALLS_UP) {
        table->top = TOP_WALLS_UP;
    }
    if (table->between) {
        fault_latch(board, FAULT_POWER_LOST_MID_CYCLE, NO_SIDE);
    }
}

/* Time as motions are judged by: what nobody looked at does not count, so a loop that is late jams nothing. */
static void pass_time(struct board *board)
{
    struct table *table = &board->table;
    const uint64_t passed = board->now_us - table->looked_us;
    table->looked_us = board->now_us;
    table->clock_us += (passed < LATE_US) ? passed : LATE_US;
}

static void watch_cover(struct board *board)
{
    struct table *table = &board->table;
    if ((board->in.sensors & IN_COVER) == 0u) {
        fault_forget(board, FAULT_COVER_OPEN);
    } else {
        for (uint8_t i = 0u; i < JOBS; i++) {
            struct job *job = &table->jobs[i];
            if ((job->operation != 0u) && !step_is_loading(step_at(job->operation, job->place))) {
                fail(board, job, FAULT_COVER_OPEN, NO_SIDE);
            }
        }
        fault_latch(board, FAULT_COVER_OPEN, NO_SIDE);
    }
}

void table_step(struct board *board)
{
    struct table *table = &board->table;
    pass_time(board);
    stack_count(board);
    watch_cover(board);
    if (fault_is_seen(board, FAULT_LIMITS_CONFLICT, NO_SIDE)) {
        fault_latch(board, FAULT_LIMITS_CONFLICT, NO_SIDE);
    }
    if (table->halting) {
        if (table->clock_us - table->halt_us >= HALT_US) {
            table->halting = false;
            at_rest(board);
            session_event(board, EVENT_STOPPED, NO_SIDE, 0u, SOURCE_SENSOR);
            session_stopped(board);
        }
        return;
    }
    for (uint8_t i = 0u; i < JOBS; i++) {
        struct job *job = &table->jobs[i];
        if ((job->operation != 0u) && !job->held) {
            if (job->begun) {
                advance(board, job);
            } else {
                enter(board, job);
            }
        }
    }
}

uint64_t table_due(const struct board *board)
{
    const struct table *table = &board->table;
    uint64_t due = table->halting ? (board->now_us + TICK_US) : NEVER;
    for (uint8_t i = 0u; i < JOBS; i++) {
        const struct job *job = &table->jobs[i];
        if (job->operation != 0u) {
            const struct step *step = step_at(job->operation, job->place);
            if (!job->begun || !step_is_loading(step)) {
                const uint64_t look = board->now_us + (step_is_stacking(step) ? STACK_TICK_US : TICK_US);
                due = (look < due) ? look : due;
            }
        }
    }
    return due;
}

void table_status(const struct board *board, struct atp_status *status)
{
    const struct table *table = &board->table;
    status->top = table->top;
    status->store = table->store;
    status->stopped = table->stopped ? 1u : 0u;
    status->homed = table->homed ? 1u : 0u;
    status->profile = table->profile;
    status->hand = table->hand;
    for (uint8_t side = 0u; side < SIDES; side++) {
        const bool wall = (board->in.sensors & PIN_OF(FIRST_WALL, side)) != 0u;
        const bool full = (board->in.sensors & PIN_OF(FIRST_ROW_FULL, side)) != 0u;
        const bool any = (board->in.sensors & PIN_OF(FIRST_ROW_ANY, side)) != 0u;
        const uint8_t counted = (uint8_t)((table->rows.counted[side] + 1u) / TILES_A_STACK);
        status->top_stacks[side] = wall ? table->top_stacks[side] : 0u;
        status->store_stacks[side] = full ? table_goal(board, side) : (any ? counted : 0u);
    }
    for (uint8_t i = 0u; i < FAULTS_SHOWN; i++) {
        const bool used = i < table->latched;
        status->faults[i] = used ? table->latches[i].fault : FAULT_NONE;
        status->fault_sides[i] = used ? table->latches[i].side : NO_SIDE;
    }
}
