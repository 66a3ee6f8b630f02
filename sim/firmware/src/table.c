#include "table.h"

#include "board.h"
#include "jobs.h"
#include "steps.h"
#include "words.h"

#define TICK_US UINT32_C(2000)       /* between two looks while anything moves... */
#define STACK_TICK_US UINT32_C(8000) /* ...or only tiles come: each covers its barrier longer than that */
#define LATE_US UINT32_C(50000)
#define NEVER UINT64_MAX

/* ---- what is there ---- */

uint8_t table_goal(const struct board *board, uint8_t side)
{
    const struct table *table = &board->table;
    const uint8_t tiles = (table->rows.built != 0u) ? table->rows.built : table->profile;
    const uint8_t stacks = tiles / TILES_A_STACK;
    const uint8_t rest = stacks % SIDES;
    /* as even as they go, the first and the third side longer */
    const bool longer = (rest == 1u) ? (side == 0u) : ((rest == 2u) ? (side % 2u == 0u) : (side < rest));
    return (uint8_t)(stacks / SIDES + (longer ? 1u : 0u));
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

/* ---- boot, time ---- */

void table_boot(struct board *board)
{
    static const uint8_t sizes[PROFILE_COUNT] = PROFILES;
    struct table *table = &board->table;
    const uint32_t sensors = board->in.sensors;
    const uint32_t trays = (sensors >> FIRST_TRAY_UP) | (sensors >> FIRST_TRAY_DOWN);
    const bool centre = (sensors & (IN_CENTRE_UP | IN_CENTRE_DOWN)) != 0u;
    if (!table_is_profile(table->profile)) {
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
                job_fail(board, job, FAULT_COVER_OPEN, NO_SIDE);
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
        table_run_out(board);
        return;
    }
    for (uint8_t i = 0u; i < JOBS; i++) {
        struct job *job = &table->jobs[i];
        if ((job->operation != 0u) && !job->held) {
            job_run(board, job);
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
