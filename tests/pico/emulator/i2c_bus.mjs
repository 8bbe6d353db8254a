// One I2C bus of the board with the devices on it.
//
// MicroPython's machine.I2C uses the I2C block of the chip for transfers with data, and toggles the pins itself for
// those without (scan() does); machine.SoftI2C always toggles. So a device is reached two ways: through the block's
// callbacks, and by watching the levels of both pins.
//
// A device has start(reading), write(byte), read() -> byte and stop().
import { GPIOPinState, I2CMode } from './parts.mjs';

const PIN_FUNCTION_I2C = 3;
const BITS_WITH_ACKNOWLEDGE = 9;

export class I2cBus {
  /** Bus number of the chip (0 or 1) and the GPIO numbers the wires are soldered to. */
  constructor(bus, sda, scl) {
    this.bus = bus;
    this.sda = sda;
    this.scl = scl;
    this.devices = new Map(); // by 7-bit address
    /** Bytes written to all devices, and the time the bus spent on them. */
    this.bytes = 0;
  }

  add(address, device) {
    this.devices.set(address, device);
    return device;
  }

  attach(chip) {
    this.chip = chip;
    this.attachBlock(chip.i2c[this.bus]);
    new PinLevelSlave(this, chip);
  }

  /** The wires lead to the block only while both pins are switched to it. */
  get pinsBelongToBlock() {
    return [this.sda, this.scl].every((gpio) => this.chip.gpio[gpio].functionSelect === PIN_FUNCTION_I2C);
  }

  attachBlock(block) {
    const { clock } = this.chip;
    const byteNanos = () =>
      (BITS_WITH_ACKNOWLEDGE * 1e9 * (block.sclLowPeriod + block.sclHighPeriod)) / this.chip.clkSys;
    let current = null;
    const addressSent = clock.createAlarm(() => block.completeConnect(!!current));
    const byteSent = clock.createAlarm(() => block.completeWrite(true));
    block.onStart = () => block.completeStart();
    block.onConnect = (address, mode) => {
      current = this.pinsBelongToBlock ? this.devices.get(address) : null;
      current?.start(mode === I2CMode.Read);
      addressSent.schedule(byteNanos());
    };
    block.onWriteByte = (value) => {
      this.bytes++;
      current.write(value);
      byteSent.schedule(byteNanos());
    };
    block.onReadByte = () => block.completeRead(current ? current.read() : 0xff);
    block.onStop = () => {
      current?.stop();
      current = null;
      block.completeStop();
    };
  }
}

/** A slave made of nothing but the levels of SDA and SCL: answers for every device of the bus. */
class PinLevelSlave {
  constructor(bus, chip) {
    this.bus = bus;
    this.sdaPin = chip.gpio[bus.sda];
    this.sclPin = chip.gpio[bus.scl];
    this.masterSda = true;
    this.masterScl = true;
    this.idle();
    this.sdaPin.addListener((state) => this.sdaChanged(released(state)));
    this.sclPin.addListener((state) => this.sclChanged(released(state)));
    this.drive(true);
    this.sclPin.setInputValue(true);
  }

  idle() {
    this.device = null;
    this.phase = 'idle'; // idle, address, write, read
    this.bits = [];
    this.acknowledging = false;
  }

  /** The level of the wire: low if either side pulls it down. */
  drive(level) {
    this.slaveSda = level;
    this.sdaPin.setInputValue(this.masterSda && level);
  }

  sdaChanged(level) {
    const changed = level !== this.masterSda;
    this.masterSda = level;
    if (changed && this.masterScl) {
      this.device?.stop();
      this.idle();
      if (!level) this.phase = 'address'; // falling with the clock high: start; rising: stop
      this.drive(true);
    } else {
      this.drive(this.slaveSda);
    }
  }

  sclChanged(level) {
    if (level === this.masterScl) return;
    this.masterScl = level;
    this.sclPin.setInputValue(level);
    if (this.phase === 'idle') return;
    if (level) this.clockRises();
    else this.clockFalls();
  }

  clockRises() {
    if (!this.acknowledging) this.bits.push(this.masterSda ? 1 : 0);
    else if (this.phase === 'read' && this.masterSda) this.lastByteRead = true;
  }

  clockFalls() {
    if (this.acknowledging) {
      this.acknowledging = false;
      this.bits = [];
      if (this.phase === 'read' && !this.lastByteRead) this.loadByte();
      this.drive(this.phase === 'read' && !this.lastByteRead ? this.nextReadBit() : true);
    } else if (this.bits.length === 8) {
      this.acknowledging = true;
      this.drive(this.phase === 'read' ? true : !this.takeByte());
    } else if (this.phase === 'read' && this.bits.length && !this.lastByteRead) {
      this.drive(this.nextReadBit());
    }
  }

  /** A whole byte came from the master: true if it is acknowledged. */
  takeByte() {
    const value = this.bits.reduce((sum, bit) => sum * 2 + bit, 0);
    if (this.phase === 'address') {
      this.device = this.bus.devices.get(value >> 1) ?? null;
      if (!this.device) {
        this.phase = 'idle';
        return false;
      }
      const reading = !!(value & 1);
      this.device.start(reading);
      this.phase = reading ? 'read' : 'write';
      this.lastByteRead = false;
      return true;
    }
    this.bus.bytes++;
    this.device.write(value);
    return true;
  }

  loadByte() {
    this.byteOut = this.device.read();
    this.bitOut = 7;
  }

  nextReadBit() {
    return !!((this.byteOut >> this.bitOut--) & 1);
  }
}

/** An open-drain wire is low when driven low, high when released. */
function released(state) {
  return state !== GPIOPinState.Low;
}
