/* What the table does with jobs; what steps and keys ask of them is in table.h. */
#ifndef JOBS_H
#define JOBS_H

#include "table.h"

/* The tracks an operation needs to begin. */
uint8_t job_tracks(uint8_t operation);

/* The job on any of these tracks. NULL when there is none. */
const struct job *job_on(const struct board *board, uint8_t tracks);
struct job *job_start(struct board *board, uint8_t operation, uint8_t tracks);

/* Let a job do what it has to now. */
void job_run(struct board *board, struct job *job);

/* End its step, and it: orders that wait for it fail. */
void job_fail(struct board *board, struct job *job, uint8_t fault, uint8_t side);

/* The same where everything is switched off already. */
void job_settle(struct board *board, struct job *job, uint8_t fault, uint8_t side);

#endif /* JOBS_H */
