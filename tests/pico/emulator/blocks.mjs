// The translated blocks of one chip: a table of them, visit counts of untranslated code, and invalidation by writes.
// Translations are kept for all chips of this process: they mostly run the same program.
import * as t from './translate.mjs';
import { makeModule } from './wasm.mjs';

const { AT } = t;
const OFTEN = 40; // visits of an address by the interpreter before a block is made of it
const BATCH = 32; // blocks in a module

const dispatcher = t.makeDispatcher();
/** Address -> translations that begin there: `{module, number, start, source}`. */
const translations = new Map();

/** Gives a chip one memory for registers, RAM, flash and ROM, which the translation can reach as well. */
export function shareMemory(chip) {
  const memory = new WebAssembly.Memory({ initial: t.PAGES, maximum: t.PAGES });
  const { buffer } = memory;
  const registers = new Uint32Array(buffer, AT.registers, 16);
  registers.set(chip.core.registers);
  chip.core.registers = registers;
  chip.sram = new Uint8Array(buffer, AT.ram, t.RAM_SIZE);
  chip.sramView = new DataView(buffer, AT.ram, t.RAM_SIZE);
  chip.flash = new Uint8Array(buffer, AT.flash, t.FLASH_SIZE);
  chip.flash16 = new Uint16Array(buffer, AT.flash, t.FLASH_SIZE / 2);
  chip.flashView = new DataView(buffer, AT.flash, t.FLASH_SIZE);
  chip.bootrom = new Uint32Array(buffer, AT.rom, t.ROM_SIZE / 4);
  const divider = new Uint32Array(buffer, AT.divider, 5);
  const names = ['divDividend', 'divDivisor', 'divQuotient', 'divRemainder', 'divCSR'];
  for (const [i, name] of names.entries()) share(chip.sio, name, divider, i);
  share(chip.core, 'PM', new Uint8Array(buffer, AT.primask, 1), 0);
  return memory;
}

/** Stores a number of the emulator's in an array. */
function share(object, name, array, i) {
  array[i] = object[name];
  Object.defineProperty(object, name, {
    get: () => array[i],
    set: (value) => {
      array[i] = value;
    },
  });
}

export class Blocks {
  constructor(memory, sio) {
    const { buffer } = memory;
    this.program = new t.Program(buffer);
    this.flags = new Int32Array(buffer, AT.flags, 4);
    this.counts = new Uint32Array(buffer, AT.instructions, 2);
    this.marks = new Uint8Array(buffer, AT.marks, t.RAM_SIZE / 4);
    this.maps = { ram: new Uint16Array(buffer, AT.mapRam, t.RAM_SIZE / 2), rom: new Uint16Array(buffer, AT.mapRom, t.ROM_SIZE / 2) };
    this.maps.flash = new Uint16Array(buffer, AT.mapFlash, t.CODE_SIZE / 2);
    this.table = new WebAssembly.Table({ element: 'anyfunc', initial: 1024 });
    const read = (address) => sio.readUint32((address >>> 0) - t.SIO_BASE);
    const write = (address, value) => sio.writeUint32((address >>> 0) - t.SIO_BASE, value >>> 0);
    const { 0: run, 1: readSio, 2: writeSio } = new WebAssembly.Instance(dispatcher, {
      m: { memory, table: this.table, read, write },
    }).exports;
    this.run = run;
    this.imports = { m: { memory, read: readSio, write: writeSio } };
    this.instances = new Map(); // module -> its functions for this memory
    this.used = 1; // of the table; 0 stands for no block
    this.visits = new Map(); // address -> visits by the interpreter
    this.waiting = new Set();
    this.inRam = []; // {start, words}
  }

  /** The interpreter has reached an address without a block. */
  visit(pc) {
    const times = (this.visits.get(pc) ?? 0) + 1;
    this.visits.set(pc, times);
    if (times === 1 && this.known(pc)) return;
    if (times !== OFTEN) return;
    this.waiting.add(pc);
    if (this.waiting.size >= BATCH) this.translate();
  }

  /** Uses an earlier translation if one fits, and returns whether it does. */
  known(pc) {
    for (const translation of translations.get(pc) ?? []) {
      const { source } = translation;
      if (source.every(([address, half]) => this.program.opcode(address) === half)) {
        this.install(translation);
        return true;
      }
    }
    return false;
  }

  translate() {
    const blocks = [...this.waiting].map((pc) => new t.Block(this.program, pc)).filter((block) => block.path.length);
    this.waiting.clear();
    if (!blocks.length) return;
    const module = makeModule(blocks.map((block) => block.make()), t.PAGES);
    for (const [number, { start, source }] of blocks.entries()) {
      const translation = { module, number, start, source: [...source] };
      translations.set(start, [...(translations.get(start) ?? []), translation]);
      this.install(translation);
    }
  }

  install({ module, number, start, source }) {
    if (!this.instances.has(module)) {
      this.instances.set(module, new WebAssembly.Instance(module, this.imports).exports);
    }
    if (this.used >= 0xffff) return;
    if (this.used === this.table.length) this.table.grow(1024);
    this.table.set(this.used, this.instances.get(module)[number]);
    this.map(start, this.used++);
    const words = source.map(([address]) => (address - t.RAM_BASE) >> 2).filter((word) => word >= 0);
    if (!words.length) return;
    for (const word of words) this.marks[word] = 1;
    this.inRam.push({ start, words: new Set(words) });
  }

  map(pc, number) {
    if (pc >= t.RAM_BASE) this.maps.ram[(pc - t.RAM_BASE) >>> 1] = number;
    else if (pc >= t.FLASH_BASE) this.maps.flash[(pc - t.FLASH_BASE) >>> 1] = number;
    else this.maps.rom[pc >>> 1] = number;
  }

  /** A word of RAM is about to change: blocks made of it are invalidated. */
  changed(address) {
    const word = (address - t.RAM_BASE) >> 2;
    if (!this.marks[word]) return;
    this.marks[word] = 0;
    this.inRam = this.inRam.filter(({ start, words }) => {
      if (!words.has(word)) return true;
      this.map(start, 0);
      this.visits.delete(start);
      return false;
    });
  }

  /** The program area of the flash has changed. */
  forget() {
    this.maps.flash.fill(0);
    this.visits.clear();
  }
}
