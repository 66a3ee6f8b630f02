#include "ledger.h"

#include <stddef.h>

#include "bytes.h"
#include "words.h"

static void drop(struct ledger *ledger, uint8_t place)
{
    ledger->count--;
    for (uint8_t i = place; i < ledger->count; i++) {
        ledger->orders[i] = ledger->orders[i + 1u];
    }
}

bool order_is_final(const struct order *order)
{
    return (order->stage == STAGE_REFUSED) || (order->stage == STAGE_DONE) || (order->stage == STAGE_FAILED);
}

void ledger_bury(struct ledger *ledger)
{
    uint8_t i = 0u;
    while (i < ledger->count) {
        if (ledger->orders[i].orphan && order_is_final(&ledger->orders[i])) {
            drop(ledger, i);
        } else {
            i++;
        }
    }
}

void ledger_greet(struct ledger *ledger, const uint8_t *journal)
{
    if (!bytes_equal(ledger->journal, journal, JOURNAL_SIZE)) {
        bytes_copy(ledger->journal, journal, JOURNAL_SIZE);
        for (uint8_t i = 0u; i < ledger->count; i++) {
            ledger->orders[i].orphan = true;
        }
        ledger->forgotten = 0u;
        ledger_bury(ledger);
    }
}

struct order *ledger_find(struct ledger *ledger, uint64_t id)
{
    for (uint8_t i = 0u; i < ledger->count; i++) {
        if ((ledger->orders[i].id == id) && !ledger->orders[i].orphan) {
            return &ledger->orders[i];
        }
    }
    return NULL;
}

bool ledger_is_old(struct ledger *ledger, uint64_t id)
{
    return (id <= ledger->forgotten) && (ledger_find(ledger, id) == NULL);
}

bool ledger_is_orphan(const struct ledger *ledger, uint64_t id)
{
    for (uint8_t i = 0u; i < ledger->count; i++) {
        if ((ledger->orders[i].id == id) && ledger->orders[i].orphan) {
            return true;
        }
    }
    return false;
}

uint8_t ledger_under_way(const struct ledger *ledger)
{
    uint8_t found = 0u;
    for (uint8_t i = 0u; i < ledger->count; i++) {
        if (!order_is_final(&ledger->orders[i])) {
            found++;
        }
    }
    return found;
}

static void make_room(struct ledger *ledger)
{
    uint8_t kept = 0u;
    for (uint8_t i = 0u; i < ledger->count; i++) {
        if (!ledger->orders[i].orphan) {
            kept++;
        }
    }
    uint8_t i = 0u;
    while ((kept >= ATP_RESULTS_KEPT) && (i < ledger->count)) {
        const struct order *order = &ledger->orders[i];
        if (!order->orphan && order_is_final(order)) {
            if (order->id > ledger->forgotten) {
                ledger->forgotten = order->id;
            }
            drop(ledger, i);
            kept--;
        } else {
            i++;
        }
    }
}

struct order *ledger_add(struct ledger *ledger, uint64_t id, uint8_t operation)
{
    make_room(ledger);
    struct order *order = &ledger->orders[ledger->count];
    ledger->count++;
    bytes_clear(order, sizeof *order);
    order->id = id;
    order->operation = operation;
    order->stage = STAGE_ACCEPTED;
    order->holder = HOLDER_NOBODY;
    return order;
}
