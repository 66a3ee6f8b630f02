/* The steps the programmes are made of, and what the files that hold them share. */
#ifndef MOTIONS_H
#define MOTIONS_H

#include "steps.h"

#define TRAYS_RAISE ALL_SIDES(FIRST_TRAY_RAISE)
#define TRAYS_LOWER ALL_SIDES(FIRST_TRAY_LOWER)

/* Any of these sensors is on. */
bool step_senses(const struct board *board, uint32_t sensors);
void step_drive(struct board *board, uint32_t outputs);
void step_release(struct board *board, uint32_t outputs);
void step_begins_nothing(struct board *board, struct job *job);

/* centre.c */
extern const struct step step_open_centre;
extern const struct step step_load;
extern const struct step step_close_centre;
void centre_closed(struct board *board);

/* homing.c */
extern const struct step step_find_home;
extern const struct step step_home;

/* The chain turns until its reference has gone by: a switch that never opens is no reference. */
void chain_begin(struct board *board, struct job *job);
enum progress chain_watch(struct board *board, struct job *job);

/* store.c */
extern const struct step step_drop_rows;
extern const struct step step_count_rows;
extern const struct step step_rest;
extern const struct step step_run_out;
extern const struct step step_purge;

/* trays.c */
extern const struct step step_trays_down;
extern const struct step step_trays_up;

/* Switch each tray off at its limit. True when all four have reached theirs. */
bool trays_reached(struct board *board, uint8_t first_limit, uint8_t first_motor);
uint8_t trays_first_off(const struct board *board, uint8_t first_limit);

/* dice.c */
extern const struct step step_spin_dice;
extern const struct step step_read_dice;

/* stack.c */
extern const struct step step_stack;
extern const struct step step_stack_on;
extern const struct step step_park;

#endif /* MOTIONS_H */
