#include "events.h"

static const struct event *held(const struct events *events, uint32_t number)
{
    return &events->ring[(number - 1u) % ATP_RING];
}

void events_add(struct events *events, const struct event *event)
{
    events->ring[events->newest % ATP_RING] = *event;
    events->newest++;
}

uint32_t events_oldest(const struct events *events)
{
    return (events->newest > ATP_RING) ? (events->newest - ATP_RING + 1u) : 1u;
}

void events_acknowledge(struct events *events, uint32_t upto, uint64_t now_us)
{
    const uint32_t number = (upto > events->newest) ? events->newest : upto;
    if (number > events->acknowledged) {
        events->acknowledged = number;
        events->due_us = now_us + ATP_RTO_INITIAL_US;
        if (events->next <= number) {
            events->next = number + 1u;
        }
    }
}

void events_resume(struct events *events)
{
    events->next = events->acknowledged + 1u;
}

bool events_overdue(const struct events *events, uint64_t now_us)
{
    return (events->acknowledged < events->newest) && (events->acknowledged + 1u < events->next) &&
           (now_us >= events->due_us);
}

void events_message(const struct events *events, uint32_t number, struct atp_event *message)
{
    const struct event *event = held(events, number);
    message->number = number;
    message->board_us = event->at_us;
    message->kind = event->kind;
    message->side = event->side;
    message->source = event->source;
    message->value = event->value;
    for (uint8_t i = 0u; i < sizeof message->tiles; i++) {
        message->tiles[i] = 0u; /* this table reads no tiles */
    }
}
