#include "atp.h"

#include "atp_fields.h"

#define VERSION_MASK 0x0Fu
#define LARGEST_SENT (ATP_LARGEST_OF_BOARD + ATP_OVERHEAD)

uint32_t atp_crc32(const uint8_t *bytes, uint16_t length)
{
    /* The reflected polynomial by half bytes: sixteen words of flash, twice the speed of bit by bit. */
    static const uint32_t table[16] = {
        0x00000000u, 0x1DB71064u, 0x3B6E20C8u, 0x26D930ACu, 0x76DC4190u, 0x6B6B51F4u,
        0x4DB26158u, 0x5005713Cu, 0xEDB88320u, 0xF00F9344u, 0xD6D6A3E8u, 0xCB61B38Cu,
        0x9B64C2B0u, 0x86D3D2D4u, 0xA00AE278u, 0xBDBDF21Cu,
    };
    uint32_t crc = 0xFFFFFFFFu;
    for (uint16_t i = 0u; i < length; i++) {
        crc ^= bytes[i];
        crc = (crc >> 4) ^ table[crc & 0x0Fu];
        crc = (crc >> 4) ^ table[crc & 0x0Fu];
    }
    return crc ^ 0xFFFFFFFFu;
}

/* Undo COBS where it lies. Returns the length, 0 for damage. */
static uint8_t unstuff(uint8_t *piece, uint16_t length)
{
    uint16_t at = 0u;
    while (at < length) {
        const uint8_t code = piece[at];
        piece[at] = 0u; /* each code is the zero before its run; the first is none */
        at = (uint16_t)(at + code); /* never 0: a zero ends the piece */
    }
    return (at == length) ? (uint8_t)(length - 1u) : 0u;
}

static bool decode(struct atp_receiver *receiver, struct atp_frame *frame)
{
    const uint8_t length = unstuff(receiver->piece, receiver->length);
    const uint8_t *inside = &receiver->piece[1];
    if (length < ATP_OVERHEAD) {
        return false;
    }
    const uint8_t summed = (uint8_t)(length - ATP_CRC_BYTES);
    struct atp_cursor crc = {&inside[summed], ATP_CRC_BYTES};
    if (atp_get_u32(&crc) != atp_crc32(inside, summed)) {
        return false;
    }
    frame->version = inside[0] & VERSION_MASK;
    frame->type = inside[2];
    frame->body = &inside[ATP_HEADER_BYTES];
    frame->length = (uint8_t)(length - ATP_OVERHEAD);
    return true;
}

bool atp_receive(struct atp_receiver *receiver, uint8_t byte, struct atp_frame *frame)
{
    bool complete = false;
    if (byte != 0u) {
        if (receiver->length < ATP_MAX_STUFFED) {
            receiver->piece[receiver->length] = byte;
            receiver->length++;
        } else {
            receiver->length = ATP_MAX_STUFFED + 1u;
        }
    } else if (receiver->length != 0u) {
        complete = (receiver->length <= ATP_MAX_STUFFED) && decode(receiver, frame);
        receiver->length = 0u;
    } else {
        /* two zeros in a row: nothing between them */
    }
    return complete;
}

uint16_t atp_room(const struct atp_sender *sender)
{
    const uint16_t used = (uint16_t)(sender->head - sender->tail) & (ATP_OUT_SIZE - 1u);
    return (uint16_t)(ATP_OUT_SIZE - 1u - used);
}

static void queue(struct atp_sender *sender, uint8_t byte)
{
    sender->ring[sender->head] = byte;
    sender->head = (uint16_t)(sender->head + 1u) & (ATP_OUT_SIZE - 1u);
}

static void stuff(struct atp_sender *sender, const uint8_t *bytes, uint8_t length)
{
    uint8_t start = 0u;
    for (uint8_t i = 0u; i <= length; i++) {
        if ((i == length) || (bytes[i] == 0u)) {
            queue(sender, (uint8_t)((uint8_t)(i - start) + 1u));
            while (start < i) {
                queue(sender, bytes[start]);
                start++;
            }
            start = (uint8_t)(i + 1u);
        }
    }
}

void atp_send(struct atp_sender *sender, uint8_t type, const uint8_t *body, uint8_t length)
{
    uint8_t frame[LARGEST_SENT];
    uint8_t *end = atp_put_u8(frame, ATP_VERSION);
    end = atp_put_u8(end, sender->counter);
    end = atp_put_u8(end, type);
    end = atp_put_bytes(end, body, length);
    end = atp_put_u32(end, atp_crc32(frame, (uint16_t)(length + ATP_HEADER_BYTES)));
    const uint8_t size = (uint8_t)(end - frame);
    if (atp_room(sender) >= (uint16_t)(size + 3u)) { /* COBS and two zeros */
        sender->counter++; /* of frames that leave */
        queue(sender, 0u);
        stuff(sender, frame, size);
        queue(sender, 0u);
    }
}

bool atp_transmit(struct atp_sender *sender, uint8_t *byte)
{
    if (sender->head == sender->tail) {
        return false;
    }
    *byte = sender->ring[sender->tail];
    sender->tail = (uint16_t)(sender->tail + 1u) & (ATP_OUT_SIZE - 1u);
    return true;
}
