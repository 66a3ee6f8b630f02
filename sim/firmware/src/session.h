/* The board's side of an ATP connection: who spoke last, what is owed, what is answered. */
#ifndef SESSION_H
#define SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "atp.h"
#include "events.h"
#include "ledger.h"

struct board;

struct session {
    uint64_t heard_us;
    uint64_t sent_us;
    uint64_t asked_us;
    uint64_t boot; /* differs at each boot */
    bool greeted;  /* before a hello nothing is done and nothing said unasked */
    bool quiet;    /* the host fell silent: nothing is sent into the void */
    bool stop_asked;
    struct ledger ledger;
    struct events events;
    struct atp_sender sender;
    struct atp_receiver receiver;
};

void session_boot(struct board *board, uint64_t boot);

/* A byte of the host's. */
void session_receive(struct board *board, uint8_t byte);

/* Do what time asks for. */
void session_step(struct board *board);

/* When `session_step` has something to do if nothing else happens. */
uint64_t session_due(const struct board *board);

/* What the table reports. */
void session_event(struct board *board, uint8_t kind, uint8_t side, uint32_t value, uint8_t source);
void session_progress(struct board *board, uint8_t holder, uint8_t percent);
void session_done(struct board *board, uint8_t holder, uint32_t value);
void session_failed(struct board *board, uint8_t holder, uint8_t fault, uint8_t side);
void session_stopped(struct board *board);

/* Orders wait for another holder from now on. */
void session_pass_on(struct board *board, uint8_t from, uint8_t to);

/* True while an order waits for this holder. */
bool session_waits(const struct board *board, uint8_t holder);

#endif /* SESSION_H */
