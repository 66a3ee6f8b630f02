/* Who this board is. A maker changes this file and its source first. */
#ifndef IDENTITY_H
#define IDENTITY_H

#include <stdint.h>

#include "words.h"

#define IDENTITY_CAPABILITIES                                                                               \
    (CAN_GEAR_REMOTE | CAN_DICE | CAN_DICE_READBACK | CAN_PER_SIDE_COUNTS | CAN_PAUSE_INSERT |              \
     CAN_HOST_STOP | CAN_LIFT_FEEDBACK | CAN_FAULT_CODE | CAN_EVENT_LOG | CAN_SEAT_KEYS | CAN_LAMPS |       \
     CAN_RESULT_MEMORY | IDENTITY_MORE)

#ifndef IDENTITY_MORE
#define IDENTITY_MORE 0u /* a port that drives no real table says CAN_SIMULATED */
#endif

#define IDENTITY_PART_SIZE 16u

/* A part of the identity, zero padded; a part nobody knows is empty. */
void identity_part(uint32_t device, uint8_t part, uint8_t *data);

#endif /* IDENTITY_H */
