#include "atp_fields.h"

static uint8_t *put(uint8_t *at, uint64_t value, uint8_t size)
{
    for (uint8_t i = 0u; i < size; i++) {
        at[i] = (uint8_t)(value & 0xFFu);
        value >>= 8;
    }
    return &at[size];
}

static uint64_t get(struct atp_cursor *cursor, uint8_t size)
{
    uint64_t value = 0u;
    for (uint8_t i = 0u; i < size; i++) {
        value |= (uint64_t)atp_get_u8(cursor) << (8u * i);
    }
    return value;
}

uint8_t *atp_put_u8(uint8_t *at, uint8_t value)
{
    return put(at, value, 1u);
}

uint8_t *atp_put_u16(uint8_t *at, uint16_t value)
{
    return put(at, value, 2u);
}

uint8_t *atp_put_u32(uint8_t *at, uint32_t value)
{
    return put(at, value, 4u);
}

uint8_t *atp_put_u64(uint8_t *at, uint64_t value)
{
    return put(at, value, 8u);
}

uint8_t *atp_put_bytes(uint8_t *at, const uint8_t *bytes, uint8_t size)
{
    for (uint8_t i = 0u; i < size; i++) {
        at[i] = bytes[i];
    }
    return &at[size];
}

uint8_t atp_get_u8(struct atp_cursor *cursor)
{
    uint8_t value = 0u;
    if (cursor->left != 0u) {
        value = *cursor->at;
        cursor->at++;
        cursor->left--;
    }
    return value;
}

uint16_t atp_get_u16(struct atp_cursor *cursor)
{
    return (uint16_t)get(cursor, 2u);
}

uint32_t atp_get_u32(struct atp_cursor *cursor)
{
    return (uint32_t)get(cursor, 4u);
}

uint64_t atp_get_u64(struct atp_cursor *cursor)
{
    return get(cursor, 8u);
}

void atp_get_bytes(struct atp_cursor *cursor, uint8_t *bytes, uint8_t size)
{
    for (uint8_t i = 0u; i < size; i++) {
        bytes[i] = atp_get_u8(cursor);
    }
}
