#include "session.h"

#include <stddef.h>

#include "board.h"
#include "identity.h"
#include "words.h"

#define NEVER UINT64_MAX
#define ROOM_FOR_EVENT 48u /* bytes of the ring: header, body, checksum, stuffing */

static void send(struct board *board, uint8_t type, const uint8_t *body, uint8_t length)
{
    atp_send(&board->session.sender, type, body, length);
    board->session.sent_us = board->now_us;
}

static bool may_speak(const struct session *session)
{
    return session->greeted && !session->quiet;
}

static void send_beat(struct board *board, uint8_t ask)
{
    const struct atp_beat beat = {
        .ask = ask,
        .moving = table_is_moving(board) ? 1u : 0u,
        .last_event = board->session.events.newest,
    };
    uint8_t body[ATP_LARGEST_OF_BOARD];
    send(board, ATP_BEAT, body, atp_put_beat(body, &beat));
}

static void send_error(struct board *board, uint8_t code, uint8_t about)
{
    const struct atp_error error = {.code = code, .about_type = about};
    uint8_t body[ATP_LARGEST_OF_BOARD];
    send(board, ATP_ERROR, body, atp_put_error(body, &error));
}

/* ---- events ---- */

static void send_number(struct board *board, uint32_t number)
{
    struct atp_event event;
    uint8_t body[ATP_LARGEST_OF_BOARD];
    events_message(&board->session.events, number, &event);
    send(board, ATP_EVENT, body, atp_put_event(body, &event));
}

static bool has_room(const struct session *session)
{
    return atp_room(&session->sender) >= ROOM_FOR_EVENT;
}

/* Send what the line has room for: what was asked for again, then what is new. */
static void pump_events(struct board *board)
{
    struct session *session = &board->session;
    struct events *events = &session->events;
    while ((events->replay_first <= events->replay_last) && has_room(session)) {
        if (events->replay_first >= events_oldest(events)) {
            send_number(board, events->replay_first);
        }
        events->replay_first++;
    }
    if (events->next < events_oldest(events)) {
        events->next = events_oldest(events);
    }
    while ((events->next <= events->newest) && has_room(session)) {
        send_number(board, events->next);
        events->next++;
        if (events->acknowledged + 2u == events->next) { /* the oldest one starts the clock */
            events->due_us = board->now_us + ATP_RTO_INITIAL_US;
        }
    }
}

static void repeat_events(struct board *board)
{
    struct events *events = &board->session.events;
    if (events_overdue(events, board->now_us)) {
        uint32_t number = events->acknowledged + 1u;
        if (number < events_oldest(events)) {
            number = events_oldest(events);
        }
        for (uint8_t i = 0u; (i < ATP_EVENT_BURST) && (number < events->next); i++) {
            send_number(board, number);
            number++;
        }
        events->due_us = board->now_us + ATP_RTO_INITIAL_US;
    }
}

static void replay(struct board *board, const struct atp_replay_ask *ask)
{
    struct events *events = &board->session.events;
    const uint32_t oldest = events_oldest(events);
    uint32_t first = ask->first;
    uint32_t last = ask->last;
    if ((last == 0u) || (last > events->newest)) {
        last = events->newest;
    }
    if ((first < oldest) && (first <= last)) {
        const struct atp_events_lost lost = {.first = first, .last = (last < oldest) ? last : (oldest - 1u)};
        uint8_t body[ATP_LARGEST_OF_BOARD];
        send(board, ATP_EVENTS_LOST, body, atp_put_events_lost(body, &lost));
        first = oldest;
    }
    events->replay_first = (first == 0u) ? 1u : first;
    events->replay_last = last;
}

void session_event(struct board *board, uint8_t kind, uint8_t side, uint32_t value, uint8_t source)
{
    const struct event event = {.at_us = board->now_us, .value = value, .kind = kind, .side = side, .source = source};
    events_add(&board->session.events, &event);
    if (may_speak(&board->session)) {
        pump_events(board);
    }
}

/* ---- orders ---- */

static void send_unknown(struct board *board, uint64_t id)
{
    const struct atp_unknown unknown = {.id = id};
    uint8_t body[ATP_LARGEST_OF_BOARD];
    send(board, ATP_UNKNOWN, body, atp_put_unknown(body, &unknown));
}

static void send_final(struct board *board, const struct order *order, uint8_t queried)
{
    uint8_t body[ATP_LARGEST_OF_BOARD];
    if (order->stage == STAGE_REFUSED) {
        const struct atp_refused refused = {
            .id = order->id, .queried = queried, .operation = order->operation, .refusal = order->detail};
        send(board, ATP_REFUSED, body, atp_put_refused(body, &refused));
    } else if (order->stage == STAGE_DONE) {
        const struct atp_done done = {
            .id = order->id, .queried = queried, .operation = order->operation, .value = order->value};
        send(board, ATP_DONE, body, atp_put_done(body, &done));
    } else {
        const struct atp_failed failed = {.id = order->id,
                                          .queried = queried,
                                          .operation = order->operation,
                                          .fault = order->detail,
                                          .side = order->side};
        send(board, ATP_FAILED, body, atp_put_failed(body, &failed));
    }
}

static void send_stage(struct board *board, const struct order *order, uint8_t queried)
{
    uint8_t body[ATP_LARGEST_OF_BOARD];
    if (order->stage == STAGE_ACCEPTED) {
        const struct atp_accepted accepted = {
            .id = order->id, .queried = queried, .operation = order->operation};
        send(board, ATP_ACCEPTED, body, atp_put_accepted(body, &accepted));
    } else if (order->stage == STAGE_PROGRESS) {
        const struct atp_progress progress = {
            .id = order->id, .queried = queried, .operation = order->operation, .percent = order->detail};
        send(board, ATP_PROGRESS, body, atp_put_progress(body, &progress));
    } else {
        send_final(board, order, queried);
    }
}

static void tell(struct board *board, struct order *order, uint8_t stage, uint8_t detail)
{
    order->stage = stage;
    order->detail = detail;
    if (!order->orphan && may_speak(&board->session)) {
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
        send(board, ATP_STOPPED, NULL, 0u);
    }
}

static void operate(struct board *board, const struct atp_operate *message)
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

static void query(struct board *board, uint64_t id)
{
    const struct order *order = ledger_find(&board->session.ledger, id);
    if (order != NULL) {
        send_stage(board, order, 1u);
    } else {
        send_unknown(board, id);
    }
}

/* ---- what the host says ---- */

static void greet(struct board *board, const struct atp_hello_ask *ask)
{
    struct session *session = &board->session;
    const struct atp_hello hello = {
        .token = ask->token,
        .version_min = ATP_VERSION,
        .version_max = ATP_VERSION,
        .dictionary = ATP_DICTIONARY,
        .boot = session->boot,
        .acknowledged = session->events.acknowledged,
    };
    uint8_t body[ATP_LARGEST_OF_BOARD];
    send(board, ATP_HELLO, body, atp_put_hello(body, &hello));
    if ((ask->version_min <= ATP_VERSION) && (ask->version_max >= ATP_VERSION)) {
        session->greeted = true;
        ledger_greet(&session->ledger, ask->journal);
        events_resume(&session->events);
    }
}

static void send_status(struct board *board, uint16_t token)
{
    struct atp_status status;
    uint8_t body[ATP_LARGEST_OF_BOARD];
    const struct ledger *ledger = &board->session.ledger;
    status.token = token;
    status.boot = board->session.boot;
    status.board_us = board->now_us;
    status.last_event = board->session.events.newest;
    status.running_id = 0u;
    status.running = 0u;
    status.percent = 0u;
    for (uint8_t i = 0u; (i < ledger->count) && (status.running_id == 0u); i++) {
        const struct order *order = &ledger->orders[i];
        if (!order_is_final(order) && (order->holder < JOBS)) {
            status.running_id = order->id;
            status.running = board->table.jobs[order->holder].operation;
            status.percent = board->table.jobs[order->holder].percent;
        }
    }
    table_status(board, &status);
    send(board, ATP_STATUS, body, atp_put_status(body, &status));
}

static void send_identity(struct board *board, uint8_t part)
{
    struct atp_identity identity;
    uint8_t body[ATP_LARGEST_OF_BOARD];
    identity.part = part;
    identity_part(board->device, part, identity.data);
    send(board, ATP_IDENTITY, body, atp_put_identity(body, &identity));
}

static void send_abilities(struct board *board)
{
    static const uint8_t sizes[PROFILE_COUNT] = PROFILES;
    struct atp_abilities abilities = {
        .capabilities = IDENTITY_CAPABILITIES,
        .time_scale = 1u,
        .boot_count = board->boot_count,
        .uptime = board->now_us,
    };
    uint8_t body[ATP_LARGEST_OF_BOARD];
    for (uint8_t i = 0u; i < PROFILE_COUNT; i++) {
        abilities.profiles[i] = sizes[i];
    }
    send(board, ATP_ABILITIES, body, atp_put_abilities(body, &abilities));
}

static void send_clock(struct board *board, uint16_t token)
{
    const struct atp_clock clock = {
        .token = token, .board_us = board->now_us, .last_event = board->session.events.newest};
    uint8_t body[ATP_LARGEST_OF_BOARD];
    send(board, ATP_CLOCK, body, atp_put_clock(body, &clock));
}

static void stop(struct board *board)
{
    board->session.stop_asked = true;
    if (table_stop(board, FAULT_NONE)) {
        session_stopped(board);
    }
}

static void acknowledge(struct board *board, const struct atp_ack_events *ack)
{
    if (ack->boot == board->session.boot) {
        events_acknowledge(&board->session.events, ack->upto, board->now_us);
    }
}

static void serve(struct board *board, const struct atp_frame *frame)
{
    union { /* one at a time */
        struct atp_identity_ask identity;
        struct atp_status_ask status;
        struct atp_clock_ask clock;
        struct atp_operate operate;
        struct atp_query query;
        struct atp_ack_events ack;
        struct atp_replay_ask replay;
        struct atp_beat beat;
    } message;
    switch (frame->type) {
    case ATP_IDENTITY_ASK:
        atp_get_identity_ask(&message.identity, frame->body, frame->length);
        send_identity(board, message.identity.part);
        break;
    case ATP_ABILITIES_ASK:
        send_abilities(board);
        break;
    case ATP_STATUS_ASK:
        atp_get_status_ask(&message.status, frame->body, frame->length);
        send_status(board, message.status.token);
        break;
    case ATP_CLOCK_ASK:
        atp_get_clock_ask(&message.clock, frame->body, frame->length);
        send_clock(board, message.clock.token);
        break;
    case ATP_OPERATE:
        atp_get_operate(&message.operate, frame->body, frame->length);
        operate(board, &message.operate);
        break;
    case ATP_QUERY:
        atp_get_query(&message.query, frame->body, frame->length);
        query(board, message.query.id);
        break;
    case ATP_ACK_EVENTS:
        atp_get_ack_events(&message.ack, frame->body, frame->length);
        acknowledge(board, &message.ack);
        break;
    case ATP_REPLAY_ASK:
        atp_get_replay_ask(&message.replay, frame->body, frame->length);
        replay(board, &message.replay);
        break;
    case ATP_BEAT:
        atp_get_beat(&message.beat, frame->body, frame->length);
        if (message.beat.ask != 0u) {
            send_beat(board, 0u);
        }
        break;
    default:
        break; /* ERROR is never answered */
    }
}

/* A type a host sends; an echo of our own frames is none. */
static bool is_known(uint8_t type)
{
    static const uint8_t known[] = {
        ATP_HELLO_ASK, ATP_IDENTITY_ASK, ATP_ABILITIES_ASK, ATP_STATUS_ASK, ATP_CLOCK_ASK,  ATP_OPERATE,
        ATP_QUERY,     ATP_STOP,         ATP_ACK_EVENTS,    ATP_REPLAY_ASK, ATP_BEAT,       ATP_ERROR,
    };
    for (uint8_t i = 0u; i < sizeof known; i++) {
        if (known[i] == type) {
            return true;
        }
    }
    return false;
}

static bool is_of_any_version(uint8_t type)
{
    return (type == ATP_HELLO_ASK) || (type == ATP_ERROR);
}

static void handle(struct board *board, const struct atp_frame *frame)
{
    struct session *session = &board->session;
    if (!is_known(frame->type) || ((frame->version != ATP_VERSION) && !is_of_any_version(frame->type))) {
        return; /* no sign of life either */
    }
    session->heard_us = board->now_us;
    table_host_back(board, frame->type == ATP_HELLO_ASK);
    if (session->quiet) {
        session->quiet = false;
        events_resume(&session->events);
    }
    if (frame->type == ATP_HELLO_ASK) {
        struct atp_hello_ask ask;
        atp_get_hello_ask(&ask, frame->body, frame->length);
        greet(board, &ask);
    } else if (frame->type == ATP_STOP) {
        stop(board);
    } else if (session->greeted) {
        serve(board, frame);
    } else if (frame->type != ATP_ERROR) {
        send_error(board, ERROR_NO_HELLO, frame->type);
    } else {
        /* two ends must not complain in a circle */
    }
    if (may_speak(session)) {
        pump_events(board);
    }
}

void session_receive(struct board *board, uint8_t byte)
{
    struct atp_frame frame;
    if (atp_receive(&board->session.receiver, byte, &frame)) {
        handle(board, &frame);
    }
}

/* ---- time ---- */

static uint32_t beat_us(const struct board *board)
{
    return table_is_moving(board) ? ATP_BEAT_MOVING_US : ATP_BEAT_IDLE_US;
}

void session_boot(struct board *board, uint64_t boot)
{
    board->session.boot = boot; /* all else is 0 in a board that boots */
}

void session_step(struct board *board)
{
    struct session *session = &board->session;
    const uint64_t now = board->now_us;
    if (!may_speak(session)) {
        return;
    }
    if (now >= session->heard_us + ATP_SILENCE_US) {
        session->quiet = true;
        table_host_silent(board);
        return;
    }
    pump_events(board);
    repeat_events(board);
    const uint32_t beat = beat_us(board);
    const uint64_t overdue = session->heard_us + beat + ATP_ASK_MARGIN_US;
    if ((now >= overdue) && (now >= session->asked_us + ATP_ASK_REPEAT_US)) {
        session->asked_us = now;
        send_beat(board, 1u);
    } else if (now >= session->sent_us + beat) {
        send_beat(board, 0u);
    } else {
        /* nothing is owed */
    }
}

static uint64_t earlier(uint64_t one, uint64_t other)
{
    return (one < other) ? one : other;
}

uint64_t session_due(const struct board *board)
{
    const struct session *session = &board->session;
    const struct events *events = &session->events;
    if (!may_speak(session)) {
        return NEVER;
    }
    const uint32_t beat = beat_us(board);
    const uint64_t overdue = session->heard_us + beat + ATP_ASK_MARGIN_US;
    const uint64_t again = session->asked_us + ATP_ASK_REPEAT_US;
    uint64_t due = (overdue > again) ? overdue : again;
    due = earlier(due, session->sent_us + beat);
    due = earlier(due, session->heard_us + ATP_SILENCE_US);
    if (events->acknowledged < events->newest) {
        due = earlier(due, events->due_us);
    }
    if ((events->next <= events->newest) || (events->replay_first <= events->replay_last)) {
        due = board->now_us;
    }
    return due;
}
