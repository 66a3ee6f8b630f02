// An ATmega1284P in lockstep with whoever writes to standard input. Needs the package avr8js (MIT).
//
//   node runner.mjs IMAGE.bin EEPROM.bin AVR8JS
//
// A question:  u64 µs until when to run, 11 bytes that the input registers shall read, u16 n, n bytes of the line.
// An answer:   u32 outputs, u16 n, n bytes of the line. All little-endian. End of input ends the run.
import fs from "node:fs";
import { createRequire } from "node:module";

const [imagePath, eepromPath, library] = process.argv.slice(2);
const { avrInstruction, AVREEPROM, AVRIOPort, AVRSPI, AVRTimer, AVRUSART, CPU, eepromConfig, portBConfig,
  spiConfig, timer0Config, usart0Config } = createRequire(import.meta.url)(library);

const CYCLES_A_US = 16n;
const SRAM = 16 * 1024;
const FLASH_WORDS = 64 * 1024;
const SLEEP = 0x9588;
const SEI = 0x9478;
const LATCH = 1 << 3;
const INPUTS = 11;
// where an ATmega1284P has its interrupt vectors, in words; the registers are where an ATmega328P has them
const USART = { ...usart0Config, rxCompleteInterrupt: 0x28, dataRegisterEmptyInterrupt: 0x2a, txCompleteInterrupt: 0x2c };
const TIMER = { ...timer0Config, compAInterrupt: 0x20, compBInterrupt: 0x22, ovfInterrupt: 0x24 };
const SPI = { ...spiConfig, spiInterrupt: 0x26 };
const EEPROM = { ...eepromConfig, eepromReadyInterrupt: 0x32 };

class Kept {
  constructor(path) {
    this.path = path;
    this.memory = new Uint8Array(4096).fill(0xff);
    if (fs.existsSync(path)) this.memory.set(fs.readFileSync(path));
  }
  readMemory(address) { return this.memory[address]; }
  writeMemory(address, value) { this.memory[address] = value; fs.writeFileSync(this.path, this.memory); }
  eraseMemory(address) { this.memory[address] = 0xff; }
}

const program = new Uint16Array(FLASH_WORDS);
new Uint8Array(program.buffer).set(fs.readFileSync(imagePath));
const cpu = new CPU(program, SRAM);
const usart = new AVRUSART(cpu, USART, 16e6);
const spi = new AVRSPI(cpu, SPI, 16e6);
const portB = new AVRIOPort(cpu, portBConfig);
new AVRTimer(cpu, TIMER);
new AVREEPROM(cpu, new Kept(eepromPath), EEPROM);

const toBoard = [];
let fromBoard = [];
let inputs = new Uint8Array(INPUTS);
let chain = [];
let shifted = [];
let outputs = 0;

usart.onByteTransmit = (value) => fromBoard.push(value);
spi.onTransfer = (value) => { shifted.push(value); return chain.shift() ?? 0; };
portB.addListener((now, before) => {
  if (before & LATCH && !(now & LATCH)) { chain = [...inputs]; shifted = []; }
  if (!(before & LATCH) && now & LATCH && shifted.length >= 4) {
    outputs = (shifted[0] | shifted[1] << 8 | shifted[2] << 16 | shifted[3] << 24) >>> 0;
  }
});

let asleep = false;

// A chip that sleeps runs nothing until an interrupt, while its peripherals go on: events of the timer are not one.
function run(until) {
  while (cpu.cycles < until) {
    if (asleep) {
      const next = cpu.nextClockEvent ? cpu.nextClockEvent.cycles : until;
      if (next > cpu.cycles) cpu.cycles = Math.min(next, until);
    } else {
      if (program[cpu.pc] === SEI) avrInstruction(cpu); // the one behind it runs before any interrupt
      asleep = program[cpu.pc] === SLEEP;
      avrInstruction(cpu);
    }
    const at = cpu.pc;
    cpu.tick();
    if (cpu.pc !== at) asleep = false;
    if (toBoard.length && usart.writeByte(toBoard[0])) toBoard.shift();
  }
}

function read(size) {
  const data = Buffer.alloc(size);
  for (let at = 0; at < size;) {
    let got = 0;
    try { got = fs.readSync(0, data, at, size - at); } catch (error) { if (error.code !== "EAGAIN") throw error; continue; }
    if (!got) process.exit(0);
    at += got;
  }
  return data;
}

for (;;) {
  const head = read(8 + INPUTS + 2);
  inputs = head.subarray(8, 8 + INPUTS);
  const bytes = read(head.readUInt16LE(8 + INPUTS));
  toBoard.push(...bytes);
  run(Number(head.readBigUInt64LE(0) * CYCLES_A_US));
  const answer = Buffer.alloc(6 + fromBoard.length);
  answer.writeUInt32LE(outputs, 0);
  answer.writeUInt16LE(fromBoard.length, 4);
  answer.set(fromBoard, 6);
  fromBoard = [];
  fs.writeSync(1, answer);
}
