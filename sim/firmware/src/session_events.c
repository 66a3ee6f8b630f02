/* Events on the wire: sent as they happen, repeated until acknowledged, sent again when asked for. */
#include "board.h"
#include "session_parts.h"

#define ROOM_FOR_EVENT 48u /* bytes of the ring: header, body, checksum, stuffing */

static void send_number(struct board *board, uint32_t number)
{
    struct atp_event event;
    uint8_t body[ATP_LARGEST_OF_BOARD];
    events_message(&board->session.events, number, &event);
    session_send(board, ATP_EVENT, body, atp_put_event(body, &event));
}

static bool has_room(const struct session *session)
{
    return atp_room(&session->sender) >= ROOM_FOR_EVENT;
}

void session_pump_events(struct board *board)
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

void session_repeat_events(struct board *board)
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

void session_replay(struct board *board, const struct atp_replay_ask *ask)
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
        session_send(board, ATP_EVENTS_LOST, body, atp_put_events_lost(body, &lost));
        first = oldest;
    }
    events->replay_first = (first == 0u) ? 1u : first;
    events->replay_last = last;
}

void session_event(struct board *board, uint8_t kind, uint8_t side, uint32_t value, uint8_t source)
{
    const struct event event = {.at_us = board->now_us, .value = value, .kind = kind, .side = side, .source = source};
    events_add(&board->session.events, &event);
    if (session_may_speak(&board->session)) {
        session_pump_events(board);
    }
}
