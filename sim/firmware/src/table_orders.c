/* Orders: what is refused and why, what is reached already, what begins. */
#include <stddef.h>

#include "board.h"
#include "jobs.h"
#include "words.h"

bool table_is_profile(uint16_t tiles)
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
        bad = !table_is_profile(order->count);
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
                                                    : busy_if(table_has_job_on(board, job_tracks(OP_RAISE)));
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
        refusal = busy_if(table_has_job_on(board, job_tracks(order->operation)));
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
        job_fail(board, job, FAULT_NONE, NO_SIDE);
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
    job = job_start(board, operation, job_tracks(operation));
    if (job == NULL) {
        return HOLDER_NOBODY;
    }
    job->host = host;
    job->hand = order->hand;
    job->side = order->side;
    job->count = (uint8_t)order->count;
    if (operation == OP_RESUME) {
        const struct rows *rows = &board->table.rows;
        job->percent = (uint8_t)(rows->base + rows->told * PERCENT_STEP); /* where it was */
        fault_forget_gone(board, SOURCE_SENSOR);
        session_pass_on(board, HOLDER_PAUSE, table_number(board, job));
    }
    return table_number(board, job);
}
