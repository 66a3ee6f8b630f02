#include "session.h"

#include "board.h"
#include "session_parts.h"
#include "words.h"

#define NEVER UINT64_MAX

void session_send(struct board *board, uint8_t type, const uint8_t *body, uint8_t length)
{
    atp_send(&board->session.sender, type, body, length);
    board->session.sent_us = board->now_us;
}

bool session_may_speak(const struct session *session)
{
    return session->greeted && !session->quiet;
}

/* ---- what the host says ---- */

static void send_error(struct board *board, uint8_t code, uint8_t about)
{
    const struct atp_error error = {.code = code, .about_type = about};
    uint8_t body[ATP_LARGEST_OF_BOARD];
    session_send(board, ATP_ERROR, body, atp_put_error(body, &error));
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

static void stop(struct board *board)
{
    board->session.stop_asked = true;
    if (table_stop(board, FAULT_NONE)) {
        session_stopped(board);
    }
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
        session_greet(board, &ask);
    } else if (frame->type == ATP_STOP) {
        stop(board);
    } else if (session->greeted) {
        session_serve(board, frame);
    } else if (frame->type != ATP_ERROR) {
        send_error(board, ERROR_NO_HELLO, frame->type);
    } else {
        /* two ends must not complain in a circle */
    }
    if (session_may_speak(session)) {
        session_pump_events(board);
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
    if (!session_may_speak(session)) {
        return;
    }
    if (now >= session->heard_us + ATP_SILENCE_US) {
        session->quiet = true;
        table_host_silent(board);
        return;
    }
    session_pump_events(board);
    session_repeat_events(board);
    const uint32_t beat = beat_us(board);
    const uint64_t overdue = session->heard_us + beat + ATP_ASK_MARGIN_US;
    if ((now >= overdue) && (now >= session->asked_us + ATP_ASK_REPEAT_US)) {
        session->asked_us = now;
        session_send_beat(board, 1u);
    } else if (now >= session->sent_us + beat) {
        session_send_beat(board, 0u);
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
    if (!session_may_speak(session)) {
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
