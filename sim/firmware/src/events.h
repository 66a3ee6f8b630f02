/* Numbered events: the newest 64, sent again until the host has acknowledged them. */
#ifndef EVENTS_H
#define EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "atp_messages.h"

struct event {
    uint64_t at_us;
    uint32_t value;
    uint8_t kind;
    uint8_t side;
    uint8_t source;
};

/* All zero at boot. */
struct events {
    uint64_t due_us; /* when to repeat; only while something is unacknowledged */
    uint32_t newest; /* number of the newest, 0 = none yet */
    uint32_t acknowledged;
    uint32_t next; /* first that was not sent since it happened, or since the host came back */
    uint32_t replay_first; /* asked for again; above replay_last = nothing */
    uint32_t replay_last;
    struct event ring[ATP_RING];
};

void events_add(struct events *events, const struct event *event);

/* The number of the oldest event still held; newest + 1 when there is none. */
uint32_t events_oldest(const struct events *events);
void events_acknowledge(struct events *events, uint32_t upto, uint64_t now_us);

/* The host is back: everything unacknowledged goes out once more. */
void events_resume(struct events *events);

/* It is time to repeat the oldest unacknowledged ones. */
bool events_overdue(const struct events *events, uint64_t now_us);

/* The message of an event that is held. */
void events_message(const struct events *events, uint32_t number, struct atp_event *message);

#endif /* EVENTS_H */
