/* The three things wanted of a C library, so that a bare port needs none. */
#ifndef BYTES_H
#define BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void bytes_clear(void *to, size_t size);
void bytes_copy(uint8_t *to, const uint8_t *from, size_t size);
bool bytes_equal(const uint8_t *one, const uint8_t *other, size_t size);

#endif /* BYTES_H */
