// The flash memory of a board: a 2 MB SPI NOR chip behind the RP2040's SSI block.
//
// The emulator answers reads through its memory map only; erasing and programming go through the SSI registers as SPI
// commands, framed by the chip select that the boot ROM forces through IO_QSPI. Supply can be cut at any byte, to try
// what a pulled cable leaves behind.

// SSI registers (RP2040 datasheet, 4.10.13).
const SSI_ENABLE = 0x08;
const TX_LEVEL = 0x20;
const RX_LEVEL = 0x24;
const STATUS = 0x28;
const DATA = 0x60;
const STATUS_TX_READY = 0x06; // transmit FIFO empty and not full
const STATUS_RX_READY = 0x08;

// SPI NOR commands.
const WRITE_ENABLE = 0x06;
const WRITE_DISABLE = 0x04;
const PROGRAM_PAGE = 0x02;
const READ = 0x03;
const READ_STATUS = 0x05;
const READ_STATUS_2 = 0x35;
const ERASE_SECTOR = 0x20;
const ERASE_BLOCK = 0xd8;
const READ_JEDEC_ID = 0x9f;
const JEDEC_ID = [0xef, 0x40, 0x15]; // Winbond W25Q16: 2 MB
const QUAD_ENABLED = 0x02;

const SECTOR = 4096;
const BLOCK = 65536;
const PAGE = 256;
export const FLASH_SIZE = 2 * 1024 * 1024;

// IO_QSPI: the override of the chip select in GPIO_QSPI_SS_CTRL.
const SELECT_CONTROL = 0x0c;
const OVERRIDE_HIGH = 3;

/** One SPI NOR chip working on `memory`. Counts what is erased and programmed; can lose its supply half-way. */
export class FlashChip {
  constructor() {
    /** Bytes erased or programmed until the supply is cut; null: never. */
    this.bytesUntilCut = null;
    this.cut = false;
    this.erased = 0; // sectors
    this.programmed = 0; // bytes
    this.memory = null;
    /** Called with the first address that has been erased or programmed. */
    this.onChange = () => {};
    this.powerOn(null);
  }

  powerOn(memory) {
    this.memory = memory;
    this.writeEnabled = false;
    this.command = [];
    this.cut = false;
    this.bytesUntilCut = null;
  }

  /** One byte in, one byte out, while the chip is selected. */
  transfer(byte) {
    this.command.push(byte);
    const position = this.command.length - 1;
    const opcode = this.command[0];
    if (position === 0) {
      if (opcode === WRITE_ENABLE) this.writeEnabled = true;
      if (opcode === WRITE_DISABLE) this.writeEnabled = false;
      return 0xff;
    }
    switch (opcode) {
      case READ_STATUS:
        return this.writeEnabled ? 0x02 : 0;
      case READ_STATUS_2:
        return QUAD_ENABLED;
      case READ_JEDEC_ID:
        return JEDEC_ID[position - 1] ?? 0;
      case READ:
        return position >= 4 ? (this.memory[this.address + position - 4] ?? 0xff) : 0xff;
      default:
        return 0xff;
    }
  }

  get address() {
    return (this.command[1] << 16) | (this.command[2] << 8) | this.command[3];
  }

  /** Chip select goes high: erasing and programming take place now. */
  deselected() {
    const opcode = this.command[0];
    if (this.writeEnabled && this.command.length >= 4) {
      if (opcode === ERASE_SECTOR) this.erase(this.address, SECTOR);
      if (opcode === ERASE_BLOCK) this.erase(this.address, BLOCK);
      if (opcode === PROGRAM_PAGE) this.program(this.address, this.command.slice(4, 4 + PAGE));
    }
    this.command = [];
  }

  erase(address, size) {
    const start = address & ~(size - 1);
    const done = this.spend(size);
    this.memory.fill(0xff, start, start + done);
    this.onChange(start);
    this.writeEnabled = false;
    this.erased += size / SECTOR;
  }

  program(address, bytes) {
    const done = this.spend(bytes.length);
    for (let i = 0; i < done; i++) this.memory[address + i] &= bytes[i];
    this.onChange(address);
    this.writeEnabled = false;
    this.programmed += bytes.length;
  }

  /** How many of `size` bytes still get done before the supply is cut. */
  spend(size) {
    if (this.cut) return 0;
    if (this.bytesUntilCut === null) return size;
    const done = Math.min(size, this.bytesUntilCut);
    this.bytesUntilCut -= done;
    if (done < size) this.cut = true;
    return done;
  }
}

/** Connects `flash` to the SSI and IO_QSPI blocks of a chip just made. */
export function attachFlash(chip, flash) {
  const EmulatorSsi = chip.peripherals[0x18000].constructor;
  const Unimplemented = chip.peripherals[0x40018].constructor;
  let selected = true; // at reset the SSI itself drives chip select; the second boot stage relies on that
  let received = [];

  flash.powerOn(chip.flash);

  class Ssi extends EmulatorSsi {
    readUint32(offset) {
      switch (offset) {
        case TX_LEVEL:
          return 0;
        case RX_LEVEL:
          return received.length;
        case STATUS:
          return STATUS_TX_READY | (received.length ? STATUS_RX_READY : 0);
        case DATA:
          return received.shift() ?? 0;
        default:
          return super.readUint32(offset);
      }
    }

    writeUint32(offset, value) {
      switch (offset) {
        case DATA:
          if (this.ssienr) received.push(selected ? flash.transfer(value & 0xff) : 0xff);
          break;
        case TX_LEVEL:
        case RX_LEVEL:
          break; // read-only
        default:
          if (offset === SSI_ENABLE && value) {
            flash.command = [];
            received = [];
          }
          super.writeUint32(offset, value);
      }
    }
  }

  class IoQspi extends Unimplemented {
    constructor(...args) {
      super(...args);
      this.registers = new Map();
    }

    readUint32(offset) {
      return this.registers.get(offset) ?? 0;
    }

    writeUint32(offset, value) {
      this.registers.set(offset, value);
      if (offset !== SELECT_CONTROL) return;
      const nowSelected = ((value >> 8) & 3) !== OVERRIDE_HIGH;
      if (nowSelected && !selected) {
        flash.command = [];
        received = [];
      }
      if (!nowSelected && selected) flash.deselected();
      selected = nowSelected;
    }
  }

  chip.peripherals[0x18000] = new Ssi(chip, 'SSI');
  chip.peripherals[0x40018] = new IoQspi(chip, 'IO_QSPI');
}

const UF2_BLOCK = 512;
const UF2_MAGIC = 0x0a324655;
const FLASH_BASE = 0x10000000;

/** Writes a firmware image in UF2 form into `memory` (the flash, from its first byte). */
export function loadUf2(image, memory) {
  for (let offset = 0; offset + UF2_BLOCK <= image.length; offset += UF2_BLOCK) {
    if (image.readUInt32LE(offset) !== UF2_MAGIC) throw new Error('the firmware image is not a UF2 file');
    const address = image.readUInt32LE(offset + 12) - FLASH_BASE;
    const size = image.readUInt32LE(offset + 16);
    memory.set(image.subarray(offset + 32, offset + 32 + size), address);
  }
}
