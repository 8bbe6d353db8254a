// A graphic display of 84 x 48 pixels: PCD8544 controller ("Nokia 5110"), on SPI.

const WIDTH = 84;
const HEIGHT = 48;
const BANKS = HEIGHT / 8;

export class Pcd8544 {
  constructor() {
    this.width = WIDTH;
    this.height = HEIGHT;
    this.memory = Buffer.alloc(WIDTH * BANKS);
    /** The controller's state is undefined until its reset wire was pulled low once. */
    this.wasReset = false;
    this.reset();
    this.wasReset = false;
  }

  reset() {
    this.wasReset = true;
    this.x = 0;
    this.y = 0;
    this.extended = false;
    this.vertical = false;
    this.poweredDown = true;
    this.displayMode = 0;
    this.voltage = 0;
    this.bias = 0;
  }

  write(byte, isData) {
    if (isData) this.store(byte);
    else this.instruct(byte);
  }

  instruct(byte) {
    if ((byte & 0xf8) === 0x20) {
      this.poweredDown = !!(byte & 4);
      this.vertical = !!(byte & 2);
      this.extended = !!(byte & 1);
    } else if (this.extended) {
      if (byte & 0x80) this.voltage = byte & 0x7f;
      else if ((byte & 0xf8) === 0x10) this.bias = byte & 7;
    } else if (byte & 0x80) {
      this.x = Math.min(byte & 0x7f, WIDTH - 1);
    } else if (byte & 0x40) {
      this.y = Math.min(byte & 7, BANKS - 1);
    } else if ((byte & 0xfa) === 0x08) {
      this.displayMode = ((byte & 4) >> 1) | (byte & 1);
    }
  }

  store(byte) {
    this.memory[this.y * WIDTH + this.x] = byte;
    if (this.vertical) {
      this.y = (this.y + 1) % BANKS;
      if (this.y === 0) this.x = (this.x + 1) % WIDTH;
    } else {
      this.x = (this.x + 1) % WIDTH;
      if (this.x === 0) this.y = (this.y + 1) % BANKS;
    }
  }

  /** The picture memory: a byte is eight pixels downwards, lowest bit on top. */
  snapshot() {
    const NORMAL = 2;
    const INVERSE = 3;
    return {
      kind: 'pcd8544',
      width: WIDTH,
      height: HEIGHT,
      lit:
        this.wasReset && !this.poweredDown && this.voltage > 0 && [NORMAL, INVERSE].includes(this.displayMode),
      inverted: this.displayMode === INVERSE,
      upright: true,
      memory: this.memory.toString('hex'),
    };
  }
}
