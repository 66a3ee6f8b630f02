/* Orders on the wire: taken or refused, never begun twice, and what becomes of them told. */
#include <stddef.h>

#include "board.h"
#include "session_parts.h"
#include "words.h"

static void send_unknown(struct board *board, uint64_t id)
{
    const struct atp_unknown unknown = {.id = id};
    uint8_t body[ATP_LARGEST_OF_BOARD];
    session_send(board, ATP_UNKNOWN, body, atp_put_unknown(body, &unknown));
}

static void send_final(struct board *board, const struct order *order, uint8_t queried)
{
    uint8_t body[ATP_LARGEST_OF_BOARD];
    if (order->stage == STAGE_REFUSED) {
        const struct atp_refused refused = {
            .id = order->id, .queried = queried, .operation = order->operation, .refusal = order->detail};
        session_send(board, ATP_REFUSED, body, atp_put_refused(body, &refused));
    } else if (order->stage == STAGE_DONE) {
        const struct atp_done done = {
            .id = order->id, .queried = queried, .operation = order->operation, .value = order->value};
        session_send(board, ATP_DONE, body, atp_put_done(body, &done));
    } else {
        const struct atp_failed failed = {.id = order->id,
                                          .queried = queried,
                                          .operation = order->operation,
                                          .fault = order->detail,
                                          .side = order->side};
        session_send(board, ATP_FAILED, body, atp_put_failed(body, &failed));
    }
}

static void send_stage(struct board *board, const struct order *order, uint8_t queried)
{
    uint8_t body[ATP_LARGEST_OF_BOARD];
    if (order->stage == STAGE_ACCEPTED) {
        const struct atp_accepted accepted = {
            .id = order->id, .queried = queried, .operation = order->operation};
        session_send(board, ATP_ACCEPTED, body, atp_put_accepted(body, &accepted));
    } else if (order->stage == STAGE_PROGRESS) {
        const struct atp_progress progress = {
            .id = order->id, .queried = queried, .operation = order->operation, .percent = order->detail};
        session_send(board, ATP_PROGRESS, body, atp_put_progress(body, &progress));
    } else {
        send_final(board, order, queried);
    }
}

static void tell(struct board *board, struct order *order, uint8_t stage, uint8_t detail)
{
    order->stage = stage;
    order->detail = detail;
    if (!order->orphan && session_may_speak(&board->session)) {
        send_stage(board, order, 0u);
    }
}

/* The next order, from `place` on, that waits for this holder. NULL when there is none. */
static struct order *waiter(struct session *session, uint8_t holder, uint8_t *place)
{
    while (*place < session->ledger.count) {
        struct order *order = &session->ledger.orders[*place];
        (*place)++;
        if ((order->holder == holder) && !order_is_final(order)) {
            return order;
        }
    }
    return NULL;
}

bool session_waits(const struct board *board, uint8_t holder)
{
    const struct ledger *ledger = &board->session.ledger;
    for (uint8_t i = 0u; i < ledger->count; i++) {
        if ((ledger->orders[i].holder == holder) && !order_is_final(&ledger->orders[i])) {
            return true;
        }
    }
    return false;
}

void session_pass_on(struct board *board, uint8_t from, uint8_t to)
{
    uint8_t place = 0u;
    struct order *order = waiter(&board->session, from, &place);
    while (order != NULL) {
        order->holder = to;
        order = waiter(&board->session, from, &place);
    }
}

void session_progress(struct board *board, uint8_t holder, uint8_t percent)
{
    uint8_t place = 0u;
    struct order *order = waiter(&board->session, holder, &place);
    while (order != NULL) {
        tell(board, order, STAGE_PROGRESS, percent);
        order = waiter(&board->session, holder, &place);
    }
}

void session_done(struct board *board, uint8_t holder, uint32_t value)
{
    uint8_t place = 0u;
    struct order *order = waiter(&board->session, holder, &place);
    while (order != NULL) {
        order->value = value;
        tell(board, order, STAGE_DONE, 0u);
        order = waiter(&board->session, holder, &place);
    }
    ledger_bury(&board->session.ledger);
}

void session_failed(struct board *board, uint8_t holder, uint8_t fault, uint8_t side)
{
    uint8_t place = 0u;
    struct order *order = waiter(&board->session, holder, &place);
    while (order != NULL) {
        order->side = side;
        tell(board, order, STAGE_FAILED, fault);
        order = waiter(&board->session, holder, &place);
    }
    ledger_bury(&board->session.ledger);
}

void session_stopped(struct board *board)
{
    if (board->session.stop_asked) {
        board->session.stop_asked = false;
        session_send(board, ATP_STOPPED, NULL, 0u);
    }
}

void session_operate(struct board *board, const struct atp_operate *message)
{
    struct ledger *ledger = &board->session.ledger;
    struct order *order = ledger_find(ledger, message->id);
    if (order != NULL) {
        send_stage(board, order, 0u);
    } else if (ledger_is_old(ledger, message->id)) {
        send_unknown(board, message->id);
    } else {
        uint8_t refusal = REFUSAL_BUSY;
        if (!ledger_is_orphan(ledger, message->id) && (ledger_under_way(ledger) < UNDER_WAY_AT_MOST)) {
            refusal = table_refuses(board, message);
        }
        order = ledger_add(ledger, message->id, message->operation); /* kept before anything moves */
        if (refusal != REFUSAL_NONE) {
            tell(board, order, STAGE_REFUSED, refusal);
        } else {
            send_stage(board, order, 0u);
            uint32_t value = 0u;
            const uint8_t holder = table_begin(board, message, true, &value);
            order->holder = holder;
            if (holder == HOLDER_NOBODY) {
                order->value = value;
                tell(board, order, STAGE_DONE, 0u);
            }
        }
    }
}

void session_query(struct board *board, uint64_t id)
{
    const struct order *order = ledger_find(&board->session.ledger, id);
    if (order != NULL) {
        send_stage(board, order, 1u);
    } else {
        send_unknown(board, id);
    }
}
