/* What a host asks and what it is answered, but for orders and events. */
#include "board.h"
#include "identity.h"
#include "session_parts.h"
#include "words.h"

void session_send_beat(struct board *board, uint8_t ask)
{
    const struct atp_beat beat = {
        .ask = ask,
        .moving = table_is_moving(board) ? 1u : 0u,
        .last_event = board->session.events.newest,
    };
    uint8_t body[ATP_LARGEST_OF_BOARD];
    session_send(board, ATP_BEAT, body, atp_put_beat(body, &beat));
}

void session_greet(struct board *board, const struct atp_hello_ask *ask)
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
    session_send(board, ATP_HELLO, body, atp_put_hello(body, &hello));
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
    session_send(board, ATP_STATUS, body, atp_put_status(body, &status));
}

static void send_identity(struct board *board, uint8_t part)
{
    struct atp_identity identity;
    uint8_t body[ATP_LARGEST_OF_BOARD];
    identity.part = part;
    identity_part(board->device, part, identity.data);
    session_send(board, ATP_IDENTITY, body, atp_put_identity(body, &identity));
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
    session_send(board, ATP_ABILITIES, body, atp_put_abilities(body, &abilities));
}

static void send_clock(struct board *board, uint16_t token)
{
    const struct atp_clock clock = {
        .token = token, .board_us = board->now_us, .last_event = board->session.events.newest};
    uint8_t body[ATP_LARGEST_OF_BOARD];
    session_send(board, ATP_CLOCK, body, atp_put_clock(body, &clock));
}

static void acknowledge(struct board *board, const struct atp_ack_events *ack)
{
    if (ack->boot == board->session.boot) {
        events_acknowledge(&board->session.events, ack->upto, board->now_us);
    }
}

void session_serve(struct board *board, const struct atp_frame *frame)
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
        session_operate(board, &message.operate);
        break;
    case ATP_QUERY:
        atp_get_query(&message.query, frame->body, frame->length);
        session_query(board, message.query.id);
        break;
    case ATP_ACK_EVENTS:
        atp_get_ack_events(&message.ack, frame->body, frame->length);
        acknowledge(board, &message.ack);
        break;
    case ATP_REPLAY_ASK:
        atp_get_replay_ask(&message.replay, frame->body, frame->length);
        session_replay(board, &message.replay);
        break;
    case ATP_BEAT:
        atp_get_beat(&message.beat, frame->body, frame->length);
        if (message.beat.ask != 0u) {
            session_send_beat(board, 0u);
        }
        break;
    default:
        break; /* ERROR is never answered */
    }
}
