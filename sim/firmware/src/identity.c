#include "identity.h"

#define PART_VENDOR 1u
#define PART_MODEL 2u
#define PART_SERIAL 3u
#define PART_FIRMWARE 4u
#define SERIAL_DIGITS 8u

static void copy(uint8_t *data, const char *text)
{
    uint8_t length = 0u;
    for (const char *at = text; (*at != '\0') && (length < IDENTITY_PART_SIZE); at++) {
        data[length] = (uint8_t)*at;
        length++;
    }
}

static void hexadecimal(uint8_t *data, uint32_t number)
{
    static const char digits[] = "0123456789ABCDEF";
    for (uint8_t i = 0u; i < SERIAL_DIGITS; i++) {
        data[SERIAL_DIGITS - 1u - i] = (uint8_t)digits[(number >> (4u * i)) & 0xFu];
    }
}

void identity_part(uint32_t device, uint8_t part, uint8_t *data)
{
    for (uint8_t i = 0u; i < IDENTITY_PART_SIZE; i++) {
        data[i] = 0u;
    }
    if (part == PART_VENDOR) {
        copy(data, "tablectl");
    } else if (part == PART_MODEL) {
        copy(data, "REFERENCE-4");
    } else if (part == PART_SERIAL) {
        hexadecimal(data, device);
    } else if (part == PART_FIRMWARE) {
        copy(data, "1.0.0");
    } else {
        /* the hash of the image is not known to the image */
    }
}
