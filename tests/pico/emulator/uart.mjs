// A PL011 UART with FIFOs, frame times and error flags.
//
// The emulator's own UART transmits in no time, has no transmit FIFO and keeps its transmit interrupt raised, which hangs
// MicroPython's UART(0). This one subclasses it for the register names and replaces what matters on a wire.
import { LineFormat } from './line_format.mjs';

// Register offsets (RP2040 datasheet, 4.2.8).
const DR = 0x00;
const RSR = 0x04;
const FR = 0x18;
const CR = 0x30;
const IFLS = 0x34;
const IMSC = 0x38;
const RIS = 0x3c;
const MIS = 0x40;
const ICR = 0x44;
const DMACR = 0x48;

// Interrupt bits.
const RX_INTERRUPT = 1 << 4;
const TX_INTERRUPT = 1 << 5;
const RX_TIMEOUT = 1 << 6;
const FRAMING_INTERRUPT = 1 << 7;
const PARITY_INTERRUPT = 1 << 8;
const OVERRUN_INTERRUPT = 1 << 10;

// Flags of FR.
const FLAG_CTS = 1 << 0;
const FLAG_BUSY = 1 << 3;
const FLAG_RX_EMPTY = 1 << 4;
const FLAG_TX_FULL = 1 << 5;
const FLAG_RX_FULL = 1 << 6;
const FLAG_TX_EMPTY = 1 << 7;

// Error bits beside a received byte, as DR shows them.
const BYTE_FRAMING = 1 << 8;
const BYTE_PARITY = 1 << 9;

// LCR_H.
const PARITY_ENABLE = 1 << 1;
const EVEN_PARITY = 1 << 2;
const TWO_STOP_BITS = 1 << 3;

const FIFO_DEPTH = 32;
const TRIGGER_LEVELS = [4, 8, 16, 24, 28, 28, 28, 28]; // by the three bits of IFLS; the last three are reserved
const RX_TIMEOUT_BITS = 32; // silence after which a receive FIFO below its trigger level raises an interrupt

/** The PL011 class, derived from the UART class of the emulator in use. */
export function makePl011(EmulatorUart) {
  return class Pl011 extends EmulatorUart {
    constructor(chip, name, irq, dreq) {
      super(chip, name, irq, dreq);
      this.chip = chip;
      this.clock = chip.clock;
      this.txQueue = [];
      this.rxQueue = [];
      this.triggerLevels = 0x12; // reset value of IFLS: both FIFOs at half
      this.raised = 0;
      this.dmaControl = 0;
      this.lastErrors = 0;
      this.sending = null;
      /** Bytes lost because the receive FIFO was full. */
      this.overruns = 0;
      /** Called with a frame {value, start, end, format, levels} when its start bit begins, and when it has ended. */
      this.onFrameStart = null;
      this.onFrameEnd = null;
      this.frameAlarm = this.clock.createAlarm(() => this.frameSent());
      this.rxTimeoutAlarm = this.clock.createAlarm(() => {
        if (this.rxQueue.length) this.raise(RX_TIMEOUT);
      });
    }

    /** The line format currently set in the registers. */
    get format() {
      const control = this.lineCtrlRegister;
      const baud = this.chip.clkPeri / (16 * this.baudDivider);
      const parity = !(control & PARITY_ENABLE) ? 'N' : control & EVEN_PARITY ? 'E' : 'O';
      return new LineFormat(baud, 5 + ((control >> 5) & 3), parity, control & TWO_STOP_BITS ? 2 : 1);
    }

    get depth() {
      return this.fifosEnabled ? FIFO_DEPTH : 1;
    }

    get txTrigger() {
      return this.fifosEnabled ? TRIGGER_LEVELS[this.triggerLevels & 7] : 0;
    }

    get rxTrigger() {
      return this.fifosEnabled ? TRIGGER_LEVELS[(this.triggerLevels >> 3) & 7] : 1;
    }

    raise(interrupts) {
      this.raised |= interrupts;
      this.updateInterrupt();
    }

    updateInterrupt() {
      this.chip.setInterrupt(this.irq, !!(this.raised & this.interruptMask));
    }

    // -- transmitting

    startNextFrame() {
      if (this.sending || !this.txQueue.length || !this.enabled || !this.txEnabled) return;
      const before = this.txQueue.length;
      const value = this.txQueue.shift();
      const format = this.format;
      const start = this.clock.nanos;
      this.sending = { value, start, end: start + format.frameNanos, format, levels: format.levelsOf(value) };
      this.frameAlarm.schedule(format.frameNanos);
      // The transmit interrupt is raised by passing the trigger level on the way down, not by being below it.
      if (before > this.txTrigger && this.txQueue.length <= this.txTrigger) this.raised |= TX_INTERRUPT;
      this.onFrameStart?.(this.sending);
    }

    frameSent() {
      const frame = this.sending;
      this.sending = null;
      this.startNextFrame();
      this.updateInterrupt();
      this.onFrameEnd?.(frame);
    }

    // -- receiving

    /** A frame has ended on the wire: `levels` sent at `senderBaud`. */
    receive(levels, senderBaud) {
      if (!this.enabled || !this.rxEnabled) return;
      const { value, parityError, framingError } = this.format.sample(levels, senderBaud);
      if (framingError) this.raised |= FRAMING_INTERRUPT;
      if (parityError) this.raised |= PARITY_INTERRUPT;
      if (this.rxQueue.length >= this.depth) {
        this.raised |= OVERRUN_INTERRUPT;
        this.overruns++;
      } else {
        this.rxQueue.push(value | (framingError ? BYTE_FRAMING : 0) | (parityError ? BYTE_PARITY : 0));
      }
      if (this.rxQueue.length >= this.rxTrigger) this.raised |= RX_INTERRUPT;
      this.rxTimeoutAlarm.schedule((RX_TIMEOUT_BITS * 1e9) / this.format.baud);
      this.updateInterrupt();
    }

    takeReceived() {
      const entry = this.rxQueue.shift() ?? 0;
      if (this.rxQueue.length < this.rxTrigger) this.raised &= ~RX_INTERRUPT;
      if (!this.rxQueue.length) this.raised &= ~RX_TIMEOUT;
      this.lastErrors = (entry >> 8) & 0xf;
      this.updateInterrupt();
      return entry;
    }

    get lineFlags() {
      return (
        FLAG_CTS |
        (this.sending || this.txQueue.length ? FLAG_BUSY : 0) |
        (this.rxQueue.length ? 0 : FLAG_RX_EMPTY) |
        (this.txQueue.length >= this.depth ? FLAG_TX_FULL : 0) |
        (this.rxQueue.length >= this.depth ? FLAG_RX_FULL : 0) |
        (this.txQueue.length ? 0 : FLAG_TX_EMPTY)
      );
    }

    // -- registers

    readUint32(offset) {
      switch (offset) {
        case DR:
          return this.takeReceived();
        case RSR:
          return this.lastErrors;
        case FR:
          return this.lineFlags;
        case IFLS:
          return this.triggerLevels;
        case RIS:
          return this.raised;
        case MIS:
          return this.raised & this.interruptMask;
        case DMACR:
          return this.dmaControl;
        default:
          return super.readUint32(offset);
      }
    }

    writeUint32(offset, value) {
      switch (offset) {
        case DR:
          if (this.txQueue.length < this.depth) {
            this.txQueue.push(value & 0xff);
            this.startNextFrame();
            if (this.txQueue.length > this.txTrigger) this.raised &= ~TX_INTERRUPT;
            this.updateInterrupt();
          }
          break;
        case RSR:
          this.lastErrors = 0;
          break;
        case CR:
          super.writeUint32(offset, value);
          this.startNextFrame();
          this.updateInterrupt();
          break;
        case IFLS:
          this.triggerLevels = value & 0x3f;
          break;
        case IMSC:
          this.interruptMask = value & 0x7ff;
          this.updateInterrupt();
          break;
        case ICR:
          this.raised &= ~this.rawWriteValue;
          this.updateInterrupt();
          break;
        case DMACR:
          this.dmaControl = value & 7;
          break;
        default:
          super.writeUint32(offset, value);
      }
    }
  };
}
