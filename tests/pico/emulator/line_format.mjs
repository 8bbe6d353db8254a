// The form of a serial line: how a byte becomes levels on a wire, and what a receiver with its own clock reads from them.

export const LOW = 0;
export const HIGH = 1;

export class LineFormat {
  /**
   * @param {number} baud   bits a second
   * @param {number} bits   data bits, 5..8
   * @param {string} parity 'N', 'E' or 'O'
   * @param {number} stop   stop bits, 1 or 2
   */
  constructor(baud, bits = 8, parity = 'N', stop = 1) {
    this.baud = baud;
    this.bits = bits;
    this.parity = parity;
    this.stop = stop;
  }

  get hasParity() {
    return this.parity !== 'N';
  }

  /** Bit times of one byte: start bit, data, parity, stop bits. */
  get frameBits() {
    return 1 + this.bits + (this.hasParity ? 1 : 0) + this.stop;
  }

  /** Duration of one byte in nanoseconds. */
  get frameNanos() {
    return (this.frameBits * 1e9) / this.baud;
  }

  parityBit(value) {
    let ones = 0;
    for (let bit = 0; bit < this.bits; bit++) ones ^= (value >> bit) & 1;
    return this.parity === 'E' ? ones : ones ^ 1;
  }

  /** The levels of one byte, one entry for each bit time. */
  levelsOf(value) {
    const levels = [LOW];
    for (let bit = 0; bit < this.bits; bit++) levels.push((value >> bit) & 1);
    if (this.hasParity) levels.push(this.parityBit(value));
    for (let stop = 0; stop < this.stop; stop++) levels.push(HIGH);
    return levels;
  }

  /**
   * What a receiver of this format makes of `levels` sent at `senderBaud`: it samples the middle of each of *its* bit
   * times, counted from the falling edge of the start bit. Only the first stop bit is looked at, as real UARTs do, so
   * a missing second stop bit cannot be seen in a byte.
   */
  sample(levels, senderBaud) {
    const levelAt = (position) => levels[Math.floor(((position + 0.5) / this.baud) * senderBaud)] ?? HIGH;
    let position = 1; // after the start bit
    let value = 0;
    for (let bit = 0; bit < this.bits; bit++) value |= levelAt(position++) << bit;
    const parityError = this.hasParity && levelAt(position++) !== this.parityBit(value);
    const framingError = levelAt(position) !== HIGH;
    return { value, parityError, framingError };
  }
}
