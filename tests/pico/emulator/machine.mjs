// A whole board: the RP2040 running an unmodified MicroPython image, its flash, its USB console, and what is soldered to
// its pins. Time is simulated and moves only in run(); everything is deterministic.
import fs from 'node:fs';
import { ConsoleLogger, LogLevel, RP2040 } from './parts.mjs';
import { shareMemory } from './blocks.mjs';
import { makeBurst, makeSlowBurst } from './burst.mjs';
import { FlashChip, FLASH_SIZE, attachFlash, loadUf2 } from './flash.mjs';
import { makePl011 } from './uart.mjs';
import { UsbConsole } from './usb_console.mjs';

const FLASH_BASE = 0x10000000;
const UART_PERIPHERALS = [0x40034, 0x40038];
const WATCHDOG_PERIPHERAL = 0x40058;

/** Registers of the FIFO between the two cores, of which the emulator has only one. */
const FIFO_STATUS = 0x50;
const FIFO_READ = 0x58;
const FIFO_READABLE = 1;
const FIFO_WRITABLE = 2;

/** When MicroPython restarts it resets the second core and waits until that reports with a zero. Here it always has. */
function answerForSecondCore(sio) {
  const read = sio.readUint32.bind(sio);
  sio.readUint32 = (offset) => {
    if (offset === FIFO_STATUS) return FIFO_READABLE | FIFO_WRITABLE;
    if (offset === FIFO_READ) return 0;
    return read(offset);
  };
}

/** Where the file system of the Pico W port begins in flash; it ends with the flash. */
export const FILESYSTEM_START = 0x12c000;

export class Machine {
  /**
   * @param {object} options
   * @param {string} options.bootrom     file with the boot ROM (16 KB)
   * @param {string} options.firmware    file with the MicroPython image (UF2)
   * @param {string} [options.filesystem] file with a littlefs image; without one the board formats its flash itself
   * @param {string} [options.flash]     file with the whole flash of another run, instead of firmware and file system
   * @param {number} [options.rate]      speed of this board's crystal against true time, 1 = exact
   * @param {boolean} [options.slow]     let the emulator execute every instruction itself
   */
  constructor({ bootrom, firmware, filesystem, flash, rate = 1, slow = false }) {
    this.rate = rate;
    this.slow = slow;
    this.console = new UsbConsole();
    this.console.now = () => this.time;
    this.flash = new FlashChip();
    this.attached = [];
    /** Instructions executed, and how often the chip was reset. */
    this.instructions = 0;
    this.resets = 0;
    const rom = fs.readFileSync(bootrom);
    this.rom = new Uint32Array(rom.buffer.slice(rom.byteOffset, rom.byteOffset + rom.length));
    this.stored = new Uint8Array(FLASH_SIZE).fill(0xff);
    if (flash) {
      this.stored.set(fs.readFileSync(flash));
    } else {
      loadUf2(fs.readFileSync(firmware), this.stored);
      if (filesystem) this.stored.set(fs.readFileSync(filesystem), FILESYSTEM_START);
    }
    this.powerOn();
  }

  /** Simulated seconds since the first power-on, by this board's own clock. */
  get time() {
    return this.clock.nanos / 1e9;
  }

  /** Something soldered to the pins: anything with attach(chip), called again after each reset. */
  attach(part) {
    this.attached.push(part);
    part.attach(this.chip);
    return part;
  }

  powerOn() {
    const chip = this.clock ? new RP2040(this.clock) : new RP2040();
    this.chip = chip;
    this.clock = chip.clock;
    chip.logger = new ConsoleLogger(LogLevel.Error);
    const memory = shareMemory(chip);
    chip.loadBootrom(this.rom);
    for (const [i, address] of UART_PERIPHERALS.entries()) {
      const emulated = chip.uart[i];
      const Pl011 = makePl011(emulated.constructor);
      chip.uart[i] = new Pl011(chip, emulated.name, emulated.irq, emulated.dreq);
      chip.peripherals[address] = chip.uart[i];
    }
    answerForSecondCore(chip.sio);
    chip.flash.set(this.stored);
    attachFlash(chip, this.flash);
    this.console.attach(chip);
    for (const part of this.attached) part.attach(chip);
    this.resetWanted = false;
    chip.peripherals[WATCHDOG_PERIPHERAL].onWatchdogTrigger = () => {
      this.resetWanted = true;
    };
    this.burst = this.slow ? makeSlowBurst(chip) : makeBurst(chip, memory);
    this.flash.onChange = (address) => {
      if (address < FILESYSTEM_START) this.burst.forget?.();
    };
    chip.core.PC = FLASH_BASE; // the boot ROM itself is skipped: it would only load the second stage from here
  }

  /** What machine.reset() and a pulled cable do: only the flash survives (and the displays, which are not reset). */
  reset() {
    this.stored = this.flashImage();
    this.clock.nextAlarm = null; // alarms of the previous chip
    this.resets++;
    this.powerOn();
  }

  flashImage() {
    return this.chip.flash.slice(0, FLASH_SIZE);
  }

  /** Lets `seconds` of this board's time pass; returns early when `stop()` is true after an event. */
  run(seconds, stop = () => false) {
    const { clock } = this;
    const end = clock.nanos + seconds * 1e9;
    while (clock.nanosCounter < end) {
      if (this.chip.core.waiting) {
        // Asleep until something happens: jump there.
        const alarm = clock.nextAlarm;
        clock.tick((alarm === null ? end : Math.min(alarm.nanos, end)) - clock.nanosCounter);
        if (stop()) return;
      } else {
        this.instructions += this.burst(end);
        const alarm = clock.nextAlarm;
        if (alarm !== null && alarm.nanos <= clock.nanosCounter) {
          clock.tick(0);
          if (stop()) return;
        }
        if (this.resetWanted) this.reset();
      }
    }
  }
}
