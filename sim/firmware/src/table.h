/* The mechanism of a small table: motors, limit switches, interlocks, jams.
 *
 * A job carries out an order, or what a key or the table itself began. It holds tracks (no two jobs the same
 * one) and walks through the steps of its programme (steps.h). Whatever cuts a motion short leaves only what
 * sensors tell. */
#ifndef TABLE_H
#define TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "atp_messages.h"
#include "mechanism.h"
#include "port.h"

struct board;

#define TRACK_TOP 1u
#define TRACK_STORE 2u
#define TRACK_DICE 4u
#define TRACKS_ALL 7u

#define JOBS 3u
#define FAULTS_KEPT 8u
#define FAULTS_SHOWN 4u /* in STATUS */

struct job {
    uint64_t since_us;   /* when its step began */
    uint32_t value;      /* of its DONE */
    uint8_t operation;   /* 0 = no job */
    uint8_t tracks;
    uint8_t place; /* in its programme */
    uint8_t percent;
    bool begun; /* its first step */
    bool host;  /* began by an order */
    bool held;  /* a pause lets it stand */
    bool turned; /* the chain has left its reference */
    uint8_t side;
    uint8_t count;
    uint16_t hand;
    uint8_t fault; /* why its step broke */
    uint8_t fault_side;
    uint8_t store_left; /* what a broken step leaves in the store; STORE_UNKNOWN = what sensors say */
};

struct latch {
    uint8_t fault;
    uint8_t side;
};

/* Stacking: what the heads have counted. */
struct rows {
    uint64_t tile_us;  /* when a tile was last seen at any head */
    uint64_t began_us; /* of the whole build, pauses left out */
    uint64_t covered_us[SIDES]; /* since when a head is covered; 0 = it is not */
    uint8_t counted[SIDES]; /* tiles */
    uint8_t built; /* tiles of the set the rows belong to, 0 = nobody knows of one */
    uint8_t base;  /* percent at which stacking began */
    uint8_t told;  /* last step of progress */
    uint8_t sides_done; /* bits */
    bool slow;
};

struct table {
    uint64_t clock_us;  /* time that somebody looked; motions are judged by it */
    uint64_t looked_us;
    uint64_t halt_us;  /* when the motors were switched off to stop */
    uint32_t outputs;
    uint16_t hand;
    uint8_t top;   /* TOP_* */
    uint8_t store; /* STORE_* */
    uint8_t profile;
    uint8_t dealer; /* NO_SIDE = none */
    uint8_t dice_side;
    uint8_t lamp;
    uint8_t lamp_side;
    uint8_t latched;
    uint8_t stop_fault;
    bool stopped;
    bool halting;
    bool homed;
    bool between; /* an axis stands between its limits */
    bool centre_open;
    bool doubtful;  /* the rows are full, but counters or drum say otherwise */
    bool incomplete; /* what lies in the drum is not a whole set, as far as anybody knows */
    bool dimmed;    /* the lamps say hold because nobody is heard */
    bool settings_changed;
    uint8_t top_stacks[SIDES];
    struct rows rows;
    struct latch latches[FAULTS_KEPT];
    struct job jobs[JOBS];
};

void table_boot(struct board *board);
void table_step(struct board *board);
uint64_t table_due(const struct board *board);

/* Why an order cannot be taken now; REFUSAL_NONE when it can. Changes nothing. */
uint8_t table_refuses(const struct board *board, const struct atp_operate *order);

/* Carry out an order that is not refused; `holder` says who ends it, HOLDER_NOBODY = it is done, with `value`. */
uint8_t table_begin(struct board *board, const struct atp_operate *order, bool host, uint32_t *value);

/* Stop every motion. True when nothing moved. */
bool table_stop(struct board *board, uint8_t fault);

/* The motors are off: see whether everything has come to rest. */
void table_run_out(struct board *board);
void table_host_silent(struct board *board);
void table_host_back(struct board *board, bool greeting);
bool table_is_moving(const struct board *board);
void table_status(const struct board *board, struct atp_status *status);

/* For steps and keys. */
struct job *table_job_on(struct board *board, uint8_t tracks);
bool table_has_job_on(const struct board *board, uint8_t tracks);
uint8_t table_number(const struct board *board, const struct job *job);
void table_build_by_itself(struct board *board);
void table_toggle_centre(struct board *board);

/* People have finished, or a key says so. False when nobody waits for them. */
bool table_loaded(struct board *board);
void table_suspend(struct board *board, struct job *job);
void table_progress(struct board *board, struct job *job, uint8_t percent);
void table_sense(struct board *board, uint8_t tracks, uint8_t partial);
void table_show_lamp(struct board *board, uint8_t lamp, uint8_t side);
uint8_t table_goal(const struct board *board, uint8_t side);
bool table_rows_full(const struct board *board);
uint8_t table_top_sensed(const struct board *board);
bool table_is_profile(uint16_t tiles);

/* faults.c */
void fault_latch(struct board *board, uint8_t fault, uint8_t side);
void fault_forget_gone(struct board *board, uint8_t source);
void fault_forget(struct board *board, uint8_t fault);
bool fault_is_seen(const struct board *board, uint8_t fault, uint8_t side);
bool fault_blocks(const struct board *board, uint8_t operation);
bool fault_bars(const struct board *board, uint8_t operation);

#endif /* TABLE_H */
