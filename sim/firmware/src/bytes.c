#include "bytes.h"

void bytes_clear(void *to, size_t size)
{
    uint8_t *at = to;
    for (size_t i = 0u; i < size; i++) {
        at[i] = 0u;
    }
}

void bytes_copy(uint8_t *to, const uint8_t *from, size_t size)
{
    for (size_t i = 0u; i < size; i++) {
        to[i] = from[i];
    }
}

bool bytes_equal(const uint8_t *one, const uint8_t *other, size_t size)
{
    for (size_t i = 0u; i < size; i++) {
        if (one[i] != other[i]) {
            return false;
        }
    }
    return true;
}
