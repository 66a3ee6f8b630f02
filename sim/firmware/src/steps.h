/* Steps: what a job does between two looks at the sensors, and the programmes made of them. */
#ifndef STEPS_H
#define STEPS_H

#include <stdbool.h>
#include <stdint.h>

#include "table.h"

/* Programmes of the table's own, beside the operations of the wire. */
#define OP_OPEN_BY_KEY UINT8_C(13)
#define OP_CLOSE_BY_KEY UINT8_C(14)
#define OPERATIONS 15u

enum progress {
    STEP_RUNS,
    STEP_OVER,
    STEP_BROKEN, /* job->fault, fault_side and store_left say how */
};

/* True when a step has nothing to do. */
typedef bool step_question(const struct board *board, const struct job *job);
typedef void step_action(struct board *board, struct job *job);
typedef enum progress step_watch(struct board *board, struct job *job);

struct step {
    step_question *skip; /* NULL = never */
    step_action *begin;
    step_watch *watch; /* NULL = over at once */
    step_action *end;  /* what the table remembers when it went well; NULL = nothing */
    uint32_t outputs;  /* switched off whenever it ends */
};

/* The step at `place` of a programme; NULL behind the last one. */
const struct step *step_at(uint8_t operation, uint8_t place);

/* True when the step only waits for people: nothing moves, and no time-out runs. */
bool step_is_loading(const struct step *step);

/* True when tiles come to the heads. */
bool step_is_stacking(const struct step *step);

/* Where the programme of BUILD begins to stack. */
#define PLACE_OF_STACKING 5u

enum progress step_broken(struct job *job, uint8_t fault, uint8_t side);
bool step_timed_out(const struct board *board, const struct job *job, uint32_t limit_us);

/* stack.c */

/* Count what passes the heads, also what does so while the drum runs out. */
void stack_count(struct board *board);

#endif /* STEPS_H */
