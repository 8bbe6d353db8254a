// The far side of the board's serial line: the connector, a scripted peer, or a cable to a second board.

const PIN_FUNCTION_UART = 2;

/** The two wires of a UART. They carry something only while the firmware has switched both pins to the UART. */
export class SerialPort {
  constructor(uart, tx, rx) {
    Object.assign(this, { index: uart, tx, rx });
    /** Called with each frame the board sends: at its start bit, and after its last stop bit. */
    this.onFrameStart = null;
    this.onFrameEnd = null;
  }

  attach(chip) {
    this.chip = chip;
    this.uart = chip.uart[this.index];
    this.uart.onFrameStart = (frame) => this.connected(this.tx) && this.onFrameStart?.(frame);
    this.uart.onFrameEnd = (frame) => this.connected(this.tx) && this.onFrameEnd?.(frame);
  }

  connected(gpio) {
    return this.chip.gpio[gpio].functionSelect === PIN_FUNCTION_UART;
  }

  receive(levels, senderBaud) {
    if (this.connected(this.rx)) this.uart.receive(levels, senderBaud);
  }

  /** Registers as the firmware left them, and what they mean. */
  snapshot() {
    const { baud, bits, parity, stop } = this.uart.format;
    return {
      baud,
      bits,
      parity,
      stop,
      lineControl: this.uart.lineCtrlRegister,
      integerDivisor: this.uart.intDivisor,
      fractionalDivisor: this.uart.fracDivisor,
      overruns: this.uart.overruns,
      pins: [this.tx, this.rx].map((gpio) => this.chip.gpio[gpio].functionSelect),
    };
  }
}

/** A computer at the other end of the line, with an exact clock: sends queued bytes, records received ones. */
export class Peer {
  constructor(port, format, clock) {
    this.port = port;
    this.format = format;
    this.clock = clock;
    this.queue = [];
    this.sending = null;
    /** Frames received and not yet fetched, and frames sent: {value, start, end} in seconds. */
    this.heard = [];
    this.sent = [];
    port.onFrameEnd = (frame) => {
      const { value, parityError, framingError } = format.sample(frame.levels, frame.format.baud);
      this.heard.push({ value, start: frame.start / 1e9, end: frame.end / 1e9, parityError, framingError });
      this.onByte?.(value);
    };
    this.alarm = null;
  }

  send(bytes) {
    this.queue.push(...bytes);
    if (!this.sending) this.startNext();
  }

  startNext() {
    this.sending = null;
    if (!this.queue.length) return;
    const value = this.queue.shift();
    const start = this.clock.nanos;
    this.sending = { value, start: start / 1e9, end: (start + this.format.frameNanos) / 1e9 };
    this.alarm = this.clock.createAlarm(() => {
      this.sent.push(this.sending);
      this.port.receive(this.format.levelsOf(value), this.format.baud);
      this.startNext();
    });
    this.alarm.schedule(this.format.frameNanos);
  }

  /** The board was reset and its clock forgot all alarms: what was on the wire is lost. */
  restart() {
    this.sending = null;
    this.queue = [];
  }
}

/** Disturbs frames on a wire. Probabilities are 0..1; the same seed gives the same disturbances. */
export class Noise {
  constructor({ flip = 0, lose = 0, extra = 0, seed = 1 } = {}) {
    Object.assign(this, { flip, lose, extra, state: seed >>> 0 || 1 });
    /** Counts of bits flipped, frames lost and frames inserted. */
    this.flipped = 0;
    this.lost = 0;
    this.added = 0;
  }

  /** xorshift32: a number in [0, 1). */
  random() {
    this.state ^= this.state << 13;
    this.state ^= this.state >>> 17;
    this.state ^= this.state << 5;
    return (this.state >>> 0) / 2 ** 32;
  }

  /** The levels that arrive, or null if the frame is lost. The start bit stays, or there would be no frame. */
  disturb(levels) {
    if (this.random() < this.lose) {
      this.lost++;
      return null;
    }
    return levels.map((level, position) => {
      if (position === 0 || this.random() >= this.flip) return level;
      this.flipped++;
      return 1 - level;
    });
  }

  /** True when a spurious frame follows. */
  makesUpFrame() {
    const made = this.random() < this.extra;
    if (made) this.added++;
    return made;
  }
}

/** A cable between two boards, crossed, whose clocks may differ; see World for how their times are kept together. */
export class Cable {
  constructor(first, second, noise) {
    this.noise = noise;
    /** Frames that crossed: {from, value, start, end} with true times in seconds. */
    this.log = [];
    this.join(first, second);
    this.join(second, first);
  }

  /** `from` and `to` are {name, machine, port}. */
  join(from, to) {
    const trueTime = (nanos) => nanos / from.machine.rate;
    from.port.onFrameStart = (frame) => {
      const start = trueTime(frame.start);
      const end = trueTime(frame.end);
      this.log.push({ from: from.name, value: frame.value, start: start / 1e9, end: end / 1e9 });
      // A bit lasts 1/baud by the sender's clock; the receiver measures it with its own.
      const baud = (frame.format.baud * from.machine.rate) / to.machine.rate;
      const arrivesAt = end * to.machine.rate;
      const levels = this.noise.disturb(frame.levels);
      if (levels) this.deliver(to, levels, baud, arrivesAt);
      if (this.noise.makesUpFrame()) {
        const value = Math.floor(this.noise.random() * 256);
        this.deliver(to, frame.format.levelsOf(value), baud, arrivesAt + frame.format.frameNanos * to.machine.rate);
      }
    };
  }

  deliver(to, levels, baud, at) {
    const { clock } = to.machine;
    clock.createAlarm(() => to.port.receive(levels, baud)).schedule(at - clock.nanos);
  }
}
