// A character display: HD44780 controller, four data wires, behind a PCF8574 port expander on I2C.
//
// Wiring of the usual backpack: P0 RS, P1 R/W, P2 E, P3 backlight, P4..P7 data.

const RS = 0x01;
const READ = 0x02;
const ENABLE = 0x04;
const BACKLIGHT = 0x08;

// Execution times of the controller (datasheet, table 6), in nanoseconds.
const ORDINARY = 37e3;
const CLEAR_OR_HOME = 1.52e6;

const SECOND_LINE = 0x40;
const LINE_END = 0x27; // last address of the first line in two-line mode

export class Hd44780 {
  constructor(columns, rows, clock) {
    this.columns = columns;
    this.rows = rows;
    this.clock = clock;
    this.port = 0xff; // the expander's outputs at power-on
    this.ddram = Buffer.alloc(128, 0x20);
    this.cgram = Buffer.alloc(64);
    this.address = 0;
    this.inCharacterMemory = false;
    this.increment = 1;
    this.fourWires = false;
    this.highNibble = null;
    this.twoLines = false;
    this.on = false;
    this.busyUntil = 0;
    /** Instructions and characters that arrived while the controller was still busy; a real one drops them. */
    this.tooEarly = 0;
  }

  get backlight() {
    return !!(this.port & BACKLIGHT);
  }

  // -- the expander

  start() {}

  stop() {}

  read() {
    return this.port;
  }

  write(value) {
    const enableFalls = this.port & ENABLE && !(value & ENABLE);
    // RS and data are taken at the falling edge of E, as they were while E was high.
    if (enableFalls && !(this.port & READ)) this.latch(this.port >> 4, !!(this.port & RS));
    this.port = value;
  }

  // -- the controller

  latch(nibble, isData) {
    if (!this.fourWires) {
      this.execute(nibble << 4, isData);
    } else if (this.highNibble === null) {
      this.highNibble = nibble;
    } else {
      const byte = (this.highNibble << 4) | nibble;
      this.highNibble = null;
      this.execute(byte, isData);
    }
  }

  execute(byte, isData) {
    const now = this.clock.nanos;
    if (now < this.busyUntil) {
      this.tooEarly++;
      return;
    }
    this.busyUntil = now + (!isData && byte <= 0x03 ? CLEAR_OR_HOME : ORDINARY);
    if (isData) this.store(byte);
    else this.instruct(byte);
  }

  store(byte) {
    if (this.inCharacterMemory) {
      this.cgram[this.address & 63] = byte;
      this.address = (this.address + this.increment) & 63;
      return;
    }
    this.ddram[this.address & 127] = byte;
    this.address = (this.address + this.increment) & 127;
    if (this.twoLines && this.address === LINE_END + 1) this.address = SECOND_LINE;
    if (this.twoLines && this.address === SECOND_LINE + LINE_END + 1) this.address = 0;
  }

  instruct(byte) {
    if (byte & 0x80) {
      this.address = byte & 0x7f;
      this.inCharacterMemory = false;
    } else if (byte & 0x40) {
      this.address = byte & 0x3f;
      this.inCharacterMemory = true;
    } else if (byte & 0x20) {
      this.fourWires = !(byte & 0x10);
      this.twoLines = !!(byte & 0x08);
      this.highNibble = null;
    } else if (byte & 0x10) {
      // cursor or display shift: not used by anything here
    } else if (byte & 0x08) {
      this.on = !!(byte & 0x04);
    } else if (byte & 0x04) {
      this.increment = byte & 0x02 ? 1 : -1;
    } else if (byte & 0x02) {
      this.address = 0;
      this.inCharacterMemory = false;
    } else if (byte & 0x01) {
      this.ddram.fill(0x20);
      this.address = 0;
      this.increment = 1;
      this.inCharacterMemory = false;
    }
  }

  /** What the controls show: character codes of each row, and the eight custom characters. */
  snapshot() {
    const starts = [0, SECOND_LINE, this.columns, SECOND_LINE + this.columns].slice(0, this.rows);
    return {
      kind: 'hd44780',
      columns: this.columns,
      rows: this.rows,
      on: this.on,
      backlight: this.backlight,
      tooEarly: this.tooEarly,
      codes: starts.map((start) => this.ddram.toString('hex', start, start + this.columns)),
      custom: this.cgram.toString('hex'),
    };
  }
}
