// Forgets everything, as a chip fresh from the shop does.
#pragma once
struct Eeprom {
  template <class T> void get(int, T &value) { value = 6; }
  template <class T> void put(int, const T &) {}
};
inline Eeprom EEPROM;
