// As much of an Arduino as docs/lines.md needs, on a Unix: the serial port is standard input and output, a key
// is pressed by two digits (seat, key) on the descriptor $KEYS and stays down for 60 ms.
#pragma once
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <poll.h>
#include <unistd.h>

enum { LOW, HIGH, INPUT_PULLUP, OUTPUT };

inline uint64_t shim_us() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}
inline uint64_t shim_start = shim_us();
inline uint32_t micros() { return (uint32_t)(shim_us() - shim_start); }
inline uint32_t millis() { return (uint32_t)((shim_us() - shim_start) / 1000); }

inline uint32_t shim_until[64];
inline void pinMode(int, int) {}
inline void digitalWrite(int, int) {}
inline int digitalRead(int pin) { return millis() < shim_until[pin] ? LOW : HIGH; }

inline bool shim_ready(int descriptor) {
  pollfd one = {descriptor, POLLIN, 0};
  return poll(&one, 1, 0) > 0 && (one.revents & POLLIN);
}

struct SerialPort {
  void begin(long) {}
  bool available() { return shim_ready(0); }
  int read() { char byte = 0; return ::read(0, &byte, 1) == 1 ? byte : (exit(0), 0); }
  void write(char byte) { if (::write(1, &byte, 1) != 1) exit(0); }
  void println(const char *text) { while (*text) write(*text++); write('\r'); write('\n'); }
};
inline SerialPort Serial;

void setup();
void loop();
int main() {
  int keys = atoi(getenv("KEYS"));
  setup();
  for (;;) {
    loop();
    if (shim_ready(keys)) {
      char key[2];
      if (::read(keys, key, 2) != 2) return 0;
      shim_until[22 + (key[0] - '0') * 7 + (key[1] - '0')] = millis() + 60;
    }
    usleep(500);
  }
}
