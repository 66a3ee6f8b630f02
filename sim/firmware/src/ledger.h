/* What became of the last orders: the memory that keeps a repeated order from moving twice.
 *
 * The newest eight by id, and besides them every order that is under way. Ids only grow, so an id at or below
 * the highest one pushed out was there before and is never begun. */
#ifndef LEDGER_H
#define LEDGER_H

#include <stdbool.h>
#include <stdint.h>

#include "atp_messages.h"

#define UNDER_WAY_AT_MOST ATP_RESULTS_KEPT
#define LEDGER_SIZE (ATP_RESULTS_KEPT + UNDER_WAY_AT_MOST + 1u)
#define JOURNAL_SIZE 16u

/* Who ends an order that is under way: a job of table.h, or one of these. */
#define HOLDER_NOBODY UINT8_C(0xFF)
#define HOLDER_PAUSE UINT8_C(0xFE) /* a paused build: RESUME goes on with it */

struct order {
    uint64_t id;
    uint32_t value; /* of DONE */
    uint8_t stage;  /* STAGE_* */
    uint8_t operation;
    uint8_t detail; /* refusal, percent or fault, as the stage says */
    uint8_t side;
    uint8_t holder;
    bool orphan; /* of another journal: nobody is told of it any more */
};

struct ledger {
    uint64_t forgotten; /* highest id that was pushed out */
    uint8_t count;
    uint8_t journal[JOURNAL_SIZE];
    struct order orders[LEDGER_SIZE]; /* oldest first */
};

/* A host with this journal speaks: another journal's results mean nothing to it. */
void ledger_greet(struct ledger *ledger, const uint8_t *journal);

/* The order of that id, of this journal. NULL when there is none. */
struct order *ledger_find(struct ledger *ledger, uint64_t id);
bool ledger_is_old(struct ledger *ledger, uint64_t id);

/* An order of an earlier journal that still runs has this id. */
bool ledger_is_orphan(const struct ledger *ledger, uint64_t id);
uint8_t ledger_under_way(const struct ledger *ledger);

/* Keep a new order, accepted. The oldest finished one makes room. */
struct order *ledger_add(struct ledger *ledger, uint64_t id, uint8_t operation);

bool order_is_final(const struct order *order);

/* Orphans that have ended are forgotten. */
void ledger_bury(struct ledger *ledger);

#endif /* LEDGER_H */
