/* What the parts of the session share: session.c, session_answers.c, session_events.c, session_orders.c. */
#ifndef SESSION_PARTS_H
#define SESSION_PARTS_H

#include "session.h"

void session_send(struct board *board, uint8_t type, const uint8_t *body, uint8_t length);

/* The host has said hello and is still heard. */
bool session_may_speak(const struct session *session);

/* session_answers.c */
void session_send_beat(struct board *board, uint8_t ask);
void session_greet(struct board *board, const struct atp_hello_ask *ask);

/* Answer what a host that has said hello asks; STOP is the session's own business. */
void session_serve(struct board *board, const struct atp_frame *frame);

/* session_events.c */

/* Send what the line has room for: what was asked for again, then what is new. */
void session_pump_events(struct board *board);
void session_repeat_events(struct board *board);
void session_replay(struct board *board, const struct atp_replay_ask *ask);

/* session_orders.c */
void session_operate(struct board *board, const struct atp_operate *message);
void session_query(struct board *board, uint64_t id);

#endif /* SESSION_PARTS_H */
