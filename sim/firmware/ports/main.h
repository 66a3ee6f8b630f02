/* What a bare port brings; main.c does the rest. */
#ifndef MAIN_H
#define MAIN_H

#include <stdbool.h>
#include <stdint.h>

#include "port.h"

void port_start(void);

/* µs since the start. */
uint64_t port_now_us(void);

/* A byte of the host's line. False when there is none. */
bool port_receive(uint8_t *byte);

/* True when the line takes a byte now. */
bool port_can_send(void);
void port_send(uint8_t byte);

/* Set the outputs, read the inputs. */
void port_exchange(uint64_t now_us, uint32_t outputs, struct inputs *inputs);

/* This piece of hardware among all, and what outlives a power cut. */
uint32_t port_device(void);
void port_load(struct settings *settings);
void port_save(const struct settings *settings);

/* Sleep until an interrupt; at most a millisecond. */
void port_idle(void);

#endif /* MAIN_H */
