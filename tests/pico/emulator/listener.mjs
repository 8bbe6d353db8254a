// A display on SPI that records its bytes for the tests to decode (tests/glass.py).

export class Listener {
  constructor() {
    this.heard = [];
    this.resets = 0;
  }

  reset() {
    this.resets++;
  }

  write(byte, isData) {
    this.heard.push(byte, isData ? 1 : 0);
  }

  /** Pairs of a byte and the level of D/C, since the last snapshot. */
  snapshot() {
    const heard = Buffer.from(this.heard).toString('hex');
    this.heard = [];
    return { kind: 'listener', resets: this.resets, heard };
  }
}
