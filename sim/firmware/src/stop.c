/* Stop: by order, or because the host fell silent. */
#include "board.h"
#include "jobs.h"
#include "words.h"

bool table_is_moving(const struct board *board)
{
    return table_has_job_on(board, TRACKS_ALL) || board->table.halting;
}

static void at_rest(struct board *board)
{
    struct table *table = &board->table;
    for (uint8_t i = 0u; i < JOBS; i++) {
        if (table->jobs[i].operation != 0u) {
            job_settle(board, &table->jobs[i], table->stop_fault, NO_SIDE);
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

void table_run_out(struct board *board)
{
    struct table *table = &board->table;
    if (table->clock_us - table->halt_us >= HALT_US) {
        table->halting = false;
        at_rest(board);
        session_event(board, EVENT_STOPPED, NO_SIDE, 0u, SOURCE_SENSOR);
        session_stopped(board);
    }
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
