/* Interrupt handlers of the port. */
#ifndef HANDLERS_H
#define HANDLERS_H

void on_tick(void);
void on_timer(void);
void on_uart0(void);
void on_uart1(void);

#endif /* HANDLERS_H */
