/* ATP frames: bytes of a serial line in, messages out, and back.
 *
 * A frame is 0x00 | COBS(version u8, counter u8, type u8, body, CRC-32 u32) | 0x00. Whatever is damaged is
 * dropped; the next zero byte is a new start. No heap, no wait, nothing global. */
#ifndef ATP_H
#define ATP_H

#include <stdbool.h>
#include <stdint.h>

#include "atp_messages.h"

#define ATP_OVERHEAD (ATP_HEADER_BYTES + ATP_CRC_BYTES)
#define ATP_MAX_STUFFED (ATP_MAX_BYTES + 1u) /* COBS adds one byte to anything that short */

/* A frame whose checksum was right. `body` lies in the receiver until the next byte is given to it. */
struct atp_frame {
    const uint8_t *body;
    uint8_t length; /* of the body */
    uint8_t version;
    uint8_t type;
};

struct atp_receiver {
    uint16_t length; /* bytes of the piece so far; above ATP_MAX_STUFFED = no frame is that long */
    uint8_t piece[ATP_MAX_STUFFED];
};

/* Take one byte. True when it completes a frame. */
bool atp_receive(struct atp_receiver *receiver, uint8_t byte, struct atp_frame *frame);

/* Where bytes wait for the line: a ring whose size is a power of two. */
#define ATP_OUT_SIZE 512u

struct atp_sender {
    uint16_t head; /* next to write */
    uint16_t tail; /* next to leave */
    uint8_t counter;
    uint8_t ring[ATP_OUT_SIZE];
};

/* Queue a frame. A full ring drops it whole: nobody reads, and what matters is repeated. */
void atp_send(struct atp_sender *sender, uint8_t type, const uint8_t *body, uint8_t length);

/* Bytes for which there is room. */
uint16_t atp_room(const struct atp_sender *sender);

/* The next byte for the line. False when there is none. */
bool atp_transmit(struct atp_sender *sender, uint8_t *byte);

uint32_t atp_crc32(const uint8_t *bytes, uint16_t length);

#endif /* ATP_H */
