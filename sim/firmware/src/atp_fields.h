/* Fields of a body, one at a time, little-endian. A body that ends early reads as zeros. */
#ifndef ATP_FIELDS_H
#define ATP_FIELDS_H

#include <stdint.h>

struct atp_cursor {
    const uint8_t *at;
    uint8_t left; /* bytes */
};

uint8_t *atp_put_u8(uint8_t *at, uint8_t value);
uint8_t *atp_put_u16(uint8_t *at, uint16_t value);
uint8_t *atp_put_u32(uint8_t *at, uint32_t value);
uint8_t *atp_put_u64(uint8_t *at, uint64_t value);
uint8_t *atp_put_bytes(uint8_t *at, const uint8_t *bytes, uint8_t size);

uint8_t atp_get_u8(struct atp_cursor *cursor);
uint16_t atp_get_u16(struct atp_cursor *cursor);
uint32_t atp_get_u32(struct atp_cursor *cursor);
uint64_t atp_get_u64(struct atp_cursor *cursor);
void atp_get_bytes(struct atp_cursor *cursor, uint8_t *bytes, uint8_t size);

#endif /* ATP_FIELDS_H */
