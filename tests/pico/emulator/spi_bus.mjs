// One display on an SPI bus of the board: clock and data from the SPI block, three wires from GPIO.
//
// A device has write(byte, isData) and reset().
import { GPIOPinState } from './parts.mjs';

const PIN_FUNCTION_SPI = 1;

/** A bus without a device still takes the time of every byte. */
export class EmptySpi {
  constructor(bus) {
    this.bus = bus;
  }

  attach(chip) {
    const block = chip.spi[this.bus];
    const byteSent = chip.clock.createAlarm(() => block.completeTransmit(0));
    block.onTransmit = () => byteSent.schedule((block.dataBits * 1e9) / block.clockFrequency);
  }
}

export class SpiDisplay {
  /** Bus number of the chip and GPIO numbers: clock, data out, chip select, data/command, reset. */
  constructor(bus, { sck, mosi, cs, dc, rst }, device) {
    Object.assign(this, { bus, sck, mosi, cs, dc, rst, device });
    /** Bytes that reached the display. */
    this.bytes = 0;
  }

  attach(chip) {
    const block = chip.spi[this.bus];
    const level = (gpio) => chip.gpio[gpio].value === GPIOPinState.High;
    const wired = () => [this.sck, this.mosi].every((gpio) => chip.gpio[gpio].functionSelect === PIN_FUNCTION_SPI);
    const byteSent = chip.clock.createAlarm(() => block.completeTransmit(0));
    block.onTransmit = (value) => {
      if (wired() && !level(this.cs)) {
        this.bytes++;
        this.device.write(value & 0xff, level(this.dc));
      }
      byteSent.schedule((block.dataBits * 1e9) / block.clockFrequency);
    };
    chip.gpio[this.rst].addListener((state) => {
      if (state === GPIOPinState.Low) this.device.reset();
    });
  }
}
