// A graphic display of 128 x 64 pixels: SSD1306 or SH1106 controller, on I2C (with control bytes) or on SPI (with a D/C
// wire).

// Commands that are followed by parameter bytes, and how many.
const PARAMETERS = new Map([
  [0x20, 1], // addressing mode
  [0x21, 2], // column range
  [0x22, 2], // page range
  [0x81, 1], // contrast
  [0x8d, 1], // charge pump
  [0xa3, 2], // vertical scroll area
  [0xa8, 1], // multiplex ratio
  [0xd3, 1], // display offset
  [0xd5, 1], // clock divider
  [0xd9, 1], // pre-charge
  [0xda, 1], // COM pins
  [0xdb, 1], // VCOMH level
]);
const HORIZONTAL = 0;
const VERTICAL = 1;
const PAGE = 2;

// Control byte of the I2C form.
const CONTROL_DATA = 0x40;
const CONTROL_SINGLE = 0x80;

export class Ssd1306 {
  constructor(width = 128, height = 64) {
    this.width = width;
    this.height = height;
    this.pages = height / 8;
    this.memory = Buffer.alloc(width * this.pages);
    this.reset();
  }

  reset() {
    this.pending = [];
    this.control = null;
    this.mode = PAGE;
    this.columnRange = [0, this.width - 1];
    this.pageRange = [0, this.pages - 1];
    this.column = 0;
    this.page = 0;
    this.on = false;
    this.chargePump = false;
    this.inverted = false;
    this.allLit = false;
    this.mirrored = false;
    this.upsideDown = false;
    this.startLine = 0;
    this.contrast = 0x7f;
  }

  // -- I2C

  start() {
    this.control = null;
  }

  stop() {}

  read() {
    return this.on ? 0x03 : 0x43;
  }

  /** A byte on I2C; on SPI the D/C wire says at once what it is. */
  write(byte, isData) {
    if (isData !== undefined) {
      if (isData) this.store(byte);
      else this.instruct(byte);
      return;
    }
    if (this.control === null) {
      this.control = byte;
      return;
    }
    if (this.control & CONTROL_DATA) this.store(byte);
    else this.instruct(byte);
    if (this.control & CONTROL_SINGLE) this.control = null;
  }

  // -- the controller

  instruct(byte) {
    this.pending.push(byte);
    const opcode = this.pending[0];
    if (this.pending.length <= (PARAMETERS.get(opcode) ?? 0)) return;
    const [, first, second] = this.pending;
    this.pending = [];
    switch (opcode) {
      case 0x20:
        this.mode = first & 3;
        return;
      case 0x21:
        this.columnRange = [first & 127, second & 127];
        this.column = first & 127;
        return;
      case 0x22:
        this.pageRange = [first & 7, second & 7];
        this.page = first & 7;
        return;
      case 0x81:
        this.contrast = first;
        return;
      case 0x8d:
        this.chargePump = !!(first & 4);
        return;
      case 0xa0:
      case 0xa1:
        this.mirrored = !(opcode & 1); // the usual module is built so that 0xA1 shows the picture upright
        return;
      case 0xa4:
      case 0xa5:
        this.allLit = !!(opcode & 1);
        return;
      case 0xa6:
      case 0xa7:
        this.inverted = !!(opcode & 1);
        return;
      case 0xae:
      case 0xaf:
        this.on = !!(opcode & 1);
        return;
      case 0xc0:
      case 0xc8:
        this.upsideDown = !(opcode & 8);
        return;
    }
    if (opcode <= 0x0f) this.column = (this.column & 0xf0) | opcode;
    else if (opcode <= 0x1f) this.column = (this.column & 0x0f) | ((opcode & 0x0f) << 4);
    else if (opcode >= 0x40 && opcode <= 0x7f) this.startLine = opcode & 0x3f;
    else if (opcode >= 0xb0 && opcode <= 0xb7) this.page = opcode & 7;
  }

  store(byte) {
    this.memory[this.page * this.width + this.column] = byte;
    if (this.mode === PAGE) {
      this.column = (this.column + 1) % this.width;
    } else if (this.mode === HORIZONTAL) {
      this.column = next(this.column, this.columnRange);
      if (this.column === this.columnRange[0]) this.page = next(this.page, this.pageRange);
    } else if (this.mode === VERTICAL) {
      this.page = next(this.page, this.pageRange);
      if (this.page === this.pageRange[0]) this.column = next(this.column, this.columnRange);
    }
  }

  /** The picture memory: a byte is eight pixels downwards, lowest bit on top. */
  snapshot() {
    return {
      kind: 'ssd1306',
      width: this.width,
      height: this.height,
      lit: this.on && this.chargePump && !this.allLit,
      inverted: this.inverted,
      upright: !this.mirrored && !this.upsideDown && this.startLine === 0,
      memory: this.memory.toString('hex'),
    };
  }
}

/** 132 columns of memory, of which the display shows the middle 128; page addressing alone, and a DC-DC converter. */
export class Sh1106 extends Ssd1306 {
  constructor() {
    super(132, 64);
  }

  instruct(byte) {
    if (this.converterNext) {
      this.converterNext = false;
      this.chargePump = byte === 0x8b;
    } else if (!this.pending.length && byte === 0xad) {
      this.converterNext = true;
    } else if (!this.pending.length && ((byte >= 0x20 && byte <= 0x2f) || byte === 0x8d)) {
      throw new Error(`the SH1106 has no command ${byte.toString(16)}`);
    } else {
      super.instruct(byte);
    }
  }

  /** At the end of a row the column stays where it is. */
  store(byte) {
    this.memory[this.page * this.width + this.column] = byte;
    this.column = Math.min(this.column + 1, this.width - 1);
  }

  snapshot() {
    const rows = [];
    for (let page = 0; page < this.pages; page++) {
      rows.push(this.memory.subarray(page * this.width + 2, page * this.width + 130));
    }
    return { ...super.snapshot(), kind: 'sh1106', width: 128, memory: Buffer.concat(rows).toString('hex') };
  }
}

function next(value, [first, last]) {
  return value >= last ? first : value + 1;
}
