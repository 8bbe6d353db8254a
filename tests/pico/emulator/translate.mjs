// Translates the processor's instructions to WebAssembly.
//
// A block of the translation is a path through the program: it begins where the program has jumped to, goes along
// branches that are always taken and past those that are taken sometimes, and ends where only the running program knows
// how it goes on. A branch back to the beginning is a loop within the block. Registers are locals while the block runs;
// flags are not worked out before something looks at them. What a block cannot do (peripherals, exceptions, rare
// instructions) it leaves to the interpreter: it returns with the address of that instruction in PC.
import * as w from './wasm.mjs';
import { op } from './wasm.mjs';

export const FLASH_BASE = 0x10000000;
export const RAM_BASE = 0x20000000;
export const RAM_SIZE = 264 * 1024;
export const ROM_SIZE = 16 * 1024;
/** The SIO block. Its inner part has to do with nothing outside it: divider, interpolators, spin locks. */
export const SIO_BASE = 0xd0000000;
const INNER_SIO = SIO_BASE + 0x60;
const SIO_END = 0x180; // as an offset
export const FLASH_SIZE = 16 * 1024 * 1024;
export const CODE_SIZE = 2 * 1024 * 1024; // the part of the flash that exists

/** Layout of the memory that blocks and emulator share; marks and maps belong to the blocks. */
export const AT = {
  registers: 0,
  flags: 64, // N: a negative number; Z: zero; C, V: 0 or 1
  instructions: 80,
  cycles: 84,
  divider: 88, // of the SIO block: dividend, divisor, quotient, remainder, status
  primask: 108,
  ram: 0x1000,
  rom: 0x43000,
  marks: 0x48000, // one byte a word of RAM: whether it is part of a block
  mapRam: 0x60000, // two bytes a halfword: the number of the block that begins there, or 0
  mapRom: 0xa4000,
  mapFlash: 0x100000,
  flash: 0x300000,
};
export const PAGES = (AT.flash + FLASH_SIZE) / 65536;

const LONGEST = 48; // instructions in a block
const SP = 13;
const LR = 14;
const PC = 15;

// How a block ended: the top bits of its result, above the time it took.
const LEFT_ALONE = 1n << 63n; // the interpreter has to go on at PC
const NO_TIME = 1n << 62n; // what remains until the next event is shorter than the block
export const [UNKNOWN, INTERPRET, SHORT] = [0, 1, 2]; // what the dispatcher returns

const T = 0; // locals: instructions << 32 | cycles so far
const LIMIT = 1; // cycles until the next event
const REGISTER = 2; // fifteen of them
const [N, Z, C, V] = [17, 18, 19, 20];
const ADDRESS = 21;
const OFFSET = 22;
const FREE = 23;

const CORE = 0; // offset in the SIO block: which core asks
const DIVIDEND = 0x60; // and those of the divider's registers: without a sign
const DIVISOR = 0x64;
const QUOTIENT = 0x70;
const REMAINDER = 0x74;
const STATUS = 0x78;
const [READ_DIVIDEND, READ_DIVISOR, READ_QUOTIENT, READ_REMAINDER, READ_STATUS] = [0, 4, 8, 12, 16].map((i) => AT.divider + i);
const RESULT_IS_NEW = 2;
const STATUS_OF_A_RESULT = 3;

/** Reads from the SIO: here the number of the core, which locks ask, and the divider, which every division of the
 * program asks; the rest by the emulator. */
function makeReader() {
  const [address] = [0];
  const is = (offset) => [...w.get(address), ...w.constant(SIO_BASE + offset), ...op.eq, ...op.if];
  const give = (place) => [...w.constant(0), ...w.load32(place), ...op.return, ...op.end];
  const body = [
    ...is(CORE),
    ...w.constant(0),
    ...op.return,
    ...op.end,
    ...is(QUOTIENT),
    ...w.constant(0),
    ...w.constant(0),
    ...w.load32(READ_STATUS),
    ...w.constant(~RESULT_IS_NEW),
    ...op.and,
    ...w.store32(READ_STATUS),
    ...give(READ_QUOTIENT),
    ...is(REMAINDER),
    ...give(READ_REMAINDER),
    ...is(STATUS),
    ...give(READ_STATUS),
    ...w.get(address),
    ...w.callRead,
  ];
  return { type: w.DISPATCHER, i32: 0, i64: 0, body: Uint8Array.from(body) };
}

/** Writes to the inner SIO, in the same way. */
function makeWriter() {
  const [address, value, dividend, divisor] = [0, 1, 2, 3];
  const keep = (local, offset, place) => [
    ...w.get(address),
    ...w.constant(SIO_BASE + offset),
    ...op.eq,
    ...op.ifI32,
    ...w.get(value),
    ...op.else,
    ...w.constant(0),
    ...w.load32(place),
    ...op.end,
    ...w.set(local),
  ];
  const store = (place, ...what) => [...w.constant(0), ...what.flat(), ...w.store32(place)];
  const body = [
    ...w.get(address),
    ...w.constant(~(DIVIDEND ^ DIVISOR)),
    ...op.and,
    ...w.constant(SIO_BASE + DIVIDEND),
    ...op.eq,
    ...op.if,
    ...keep(dividend, DIVIDEND, READ_DIVIDEND),
    ...keep(divisor, DIVISOR, READ_DIVISOR),
    ...store(READ_DIVIDEND, w.get(dividend)),
    ...store(READ_DIVISOR, w.get(divisor)),
    ...store(READ_STATUS, w.constant(STATUS_OF_A_RESULT)),
    ...w.get(divisor),
    ...op.if,
    ...store(READ_QUOTIENT, w.get(dividend), w.get(divisor), op.divU),
    ...store(READ_REMAINDER, w.get(dividend), w.get(divisor), op.remU),
    ...op.else,
    ...store(READ_QUOTIENT, w.constant(-1), w.constant(1), w.get(dividend), op.select),
    ...store(READ_REMAINDER, w.get(dividend)),
    ...op.end,
    ...op.else,
    ...w.get(address),
    ...w.get(value),
    ...w.callWrite,
    ...op.end,
  ];
  return { type: w.WRITER, i32: 2, i64: 0, body: Uint8Array.from(body) };
}

/**
 * The module that all blocks of a memory share. Its function 0 runs block after block until one has to be left to the
 * interpreter, none is known, or time is short; 1 and 2 read from and write to the inner SIO.
 */
export function makeDispatcher() {
  const [limit, pc, offset, number, time] = [0, 1, 2, 3, 4];
  const look = (base, size, map, otherwise) => [
    ...w.get(pc),
    ...w.constant(base),
    ...op.sub,
    ...w.tee(offset),
    ...w.constant(size),
    ...op.ltU,
    ...op.ifI32,
    ...w.get(offset),
    ...w.load16(map),
    ...op.else,
    ...otherwise,
    ...op.end,
  ];
  const finish = (status) => [
    ...w.constant(0),
    ...w.get(time),
    ...w.constant64(32n),
    ...op.shrU64,
    ...op.wrap,
    ...w.constant(0x3fffffff),
    ...op.and,
    ...w.store32(AT.instructions),
    ...w.constant(0),
    ...w.get(time),
    ...op.wrap,
    ...w.store32(AT.cycles),
    ...status,
    ...op.return,
  ];
  const body = [
    ...op.loop,
    ...w.constant(0),
    ...w.load32(AT.registers + 4 * PC),
    ...w.constant(~1),
    ...op.and,
    ...w.set(pc),
    ...look(
      FLASH_BASE,
      CODE_SIZE,
      AT.mapFlash,
      look(RAM_BASE, RAM_SIZE, AT.mapRam, look(0, ROM_SIZE, AT.mapRom, w.constant(0))),
    ),
    ...w.tee(number),
    ...op.eqz,
    ...op.if,
    ...finish(w.constant(UNKNOWN)),
    ...op.end,
    ...w.get(time),
    ...w.get(limit),
    ...w.get(number),
    ...w.callIndirect(w.BLOCK),
    ...w.tee(time),
    ...w.constant64(0n),
    ...op.ltS64,
    ...op.eqz,
    ...w.brIf(0),
    ...op.end,
    ...finish([
      ...w.get(time),
      ...w.constant64(62n),
      ...op.shrU64,
      ...op.wrap,
      ...w.constant(1),
      ...op.and,
      ...w.constant(1),
      ...op.add,
    ]),
    ...w.constant(0),
  ];
  const dispatcher = { type: w.DISPATCHER, i32: 3, i64: 1, body: Uint8Array.from(body) };
  return w.makeModule([dispatcher, makeReader(), makeWriter()], PAGES, true);
}

/** The program's code, and which of it can never change. */
export class Program {
  constructor(buffer) {
    this.halves = new Uint16Array(buffer);
    this.words = new Uint32Array(buffer);
  }

  /** The offset of an address in the memory; -1: neither ROM, flash nor RAM. */
  static place(address) {
    if (address >= FLASH_BASE && address < FLASH_BASE + CODE_SIZE) return address - FLASH_BASE + AT.flash;
    if (address >= RAM_BASE && address < RAM_BASE + RAM_SIZE) return address - RAM_BASE + AT.ram;
    return address < ROM_SIZE ? address + AT.rom : -1;
  }

  opcode(address) {
    const place = Program.place(address);
    return place < 0 ? -1 : this.halves[place >>> 1];
  }
}

/** Makes one block. */
export class Block {
  constructor(program, start) {
    this.program = program;
    this.start = start;
    /** Address -> halfword of all the code that this block was made from. */
    this.source = new Map();
    this.path = this.decode();
  }

  /** The instructions of the path: `{pc, opcode, second, cycles, next}`; `next` undefined: only the block's run says. */
  decode() {
    const path = [];
    const been = new Set();
    let pc = this.start;
    while (path.length < LONGEST && !been.has(pc)) {
      const opcode = this.program.opcode(pc);
      if (opcode < 0) break;
      const step = decode(opcode, pc, this.program.opcode(pc + 2));
      if (!step) break;
      been.add(pc);
      this.source.set(pc, opcode);
      if (step.second !== undefined) this.source.set(pc + 2, step.second);
      path.push(step);
      pc = step.next;
      if (pc === undefined) break;
    }
    this.end = pc; // where the block goes on; undefined: it has already
    return path;
  }

  /** The function, as makeModule() takes it. */
  make() {
    const { path } = this;
    this.locals = FREE;
    this.code = new Uint8Array(32768);
    this.size = 0;
    this.written = new Set();
    const touched = new Set(path.flatMap((step) => step.touches));
    this.loops = this.end === this.start || path.some((step) => step.taken === this.start);
    if (this.loops) for (const step of path) for (const register of step.writes) this.written.add(register);
    this.flagsChanged = this.loops;
    this.nz = this.c = this.v = null; // null: in the local of that name
    this.count = this.cycles = 0;
    for (const register of touched) this.put(w.constant(0), w.load32(4 * register), w.set(REGISTER + register));
    for (const [i, flag] of [N, Z, C, V].entries()) this.put(w.constant(0), w.load32(AT.flags + 4 * i), w.set(flag));
    if (this.loops) this.put(op.loop);
    const most = path.reduce((sum, step) => sum + step.cycles, 0);
    this.put(w.get(T), op.wrap, w.constant(most), op.add, w.get(LIMIT), op.geU, op.if);
    this.leave(w.constant(this.start), LEFT_ALONE | NO_TIME);
    this.put(op.end);
    for (const step of path) {
      this.step = step;
      step.emit(this, step);
      this.count++;
      this.cycles += step.cycles;
    }
    if (this.end !== undefined) this.go(this.end, 0);
    if (this.loops) this.put(op.end);
    this.put(w.constant64(0n));
    return { type: w.BLOCK, i32: this.locals - 2, i64: 0, body: this.code.subarray(0, this.size) };
  }

  put(...bytes) {
    for (const each of bytes) for (let i = 0; i < each.length; i++) this.code[this.size++] = each[i];
  }

  /** A new local; with the value on the stack in it. */
  keep() {
    this.put(w.set(this.locals));
    return this.locals++;
  }

  // -- registers

  read(register) {
    if (register === PC) this.put(w.constant(this.step.pc + 4));
    else this.put(w.get(REGISTER + register));
  }

  write(register) {
    this.written.add(register);
    this.put(w.set(REGISTER + register));
  }

  // -- flags

  /** N and Z of a local's value. */
  setNZ(local) {
    this.flagsChanged = true;
    this.nz = local;
  }

  setC(local) {
    this.flagsChanged = true;
    this.c = { local };
  }

  /** All four, of a - b. */
  compared(a, b, result) {
    this.setNZ(result);
    this.c = this.v = { kind: 'sub', a, b, result };
  }

  added(a, b, result) {
    this.setNZ(result);
    this.c = this.v = { kind: 'add', a, b, result };
  }

  pushN() {
    this.put(w.get(this.nz ?? N));
  }

  pushZ() {
    this.put(w.get(this.nz ?? Z));
  }

  pushC() {
    const { c } = this;
    if (!c) this.put(w.get(C));
    else if (c.local !== undefined) this.put(w.get(c.local));
    else if (c.kind === 'sub') this.put(w.get(c.a), w.get(c.b), op.geU);
    else this.put(w.get(c.result), w.get(c.a), op.ltU);
  }

  pushV() {
    const { v } = this;
    if (!v) this.put(w.get(V));
    else if (v.local !== undefined) this.put(w.get(v.local));
    else {
      const [left, right] = v.kind === 'sub' ? [v.b, v.result] : [v.result, v.result];
      this.put(w.get(v.a), w.get(left), op.xor);
      this.put(w.get(v.kind === 'sub' ? v.a : v.b), w.get(right), op.xor);
      this.put(op.and, w.constant(31), op.shrU);
    }
  }

  /** Whether the condition of a branch holds, as 0 or 1. */
  pushCondition(condition) {
    const { c, v, nz } = this;
    const same = c && c === v && c.kind === 'sub' && nz === c.result;
    const direct = same && [op.eq, op.ne, op.geU, op.ltU, , , , , op.gtU, op.leU, op.geS, op.ltS, op.gtS, op.leS][condition];
    if (direct) {
      this.put(w.get(c.a), w.get(c.b), direct);
      return;
    }
    const negative = () => (this.pushN(), this.put(w.constant(0), op.ltS));
    [
      () => (this.pushZ(), this.put(op.eqz)),
      () => this.pushC(),
      negative,
      () => this.pushV(),
      () => (this.pushC(), this.pushZ(), this.put(w.constant(0), op.ne, op.and)),
      () => (negative(), this.pushV(), this.put(op.eq)),
      () => (negative(), this.pushV(), this.put(op.eq), this.pushZ(), this.put(w.constant(0), op.ne, op.and)),
    ][condition >> 1]();
    if (condition & 1) this.put(op.eqz);
  }

  // -- ways out

  /** Back to the dispatcher: what `count` instructions have changed is stored, and PC. */
  leave(pc, how = 0n, count = this.count, cycles = this.cycles) {
    for (const register of this.written) {
      this.put(w.constant(0), w.get(REGISTER + register), w.store32(4 * register));
    }
    if (this.flagsChanged) {
      for (const [i, push] of [this.pushN, this.pushZ, this.pushC, this.pushV].entries()) {
        if ([this.nz, this.nz, this.c, this.v][i] === null && !this.loops) continue;
        this.put(w.constant(0));
        push.call(this);
        this.put(w.store32(AT.flags + 4 * i));
      }
    }
    this.put(w.constant(0), pc, w.store32(4 * PC));
    this.put(w.get(T), w.constant64((BigInt(count) << 32n) | BigInt(cycles)), op.add64);
    if (how) this.put(w.constant64(how), op.or64);
    this.put(op.return);
  }

  /** The interpreter has to do this instruction. */
  refuse() {
    this.leave(w.constant(this.step.pc), LEFT_ALONE);
  }

  /** On to an address, after `count` and `cycles`; `depth`: how many ends lie between here and the loop. */
  go(target, depth, count = this.count, cycles = this.cycles) {
    if (target !== this.start) {
      this.leave(w.constant(target), 0n, count, cycles);
      return;
    }
    const locals = [];
    for (const push of [this.pushN, this.pushZ, this.pushC, this.pushV]) {
      push.call(this);
      locals.push(this.keep());
    }
    for (const [i, flag] of [N, Z, C, V].entries()) this.put(w.get(locals[i]), w.set(flag));
    this.put(w.get(T), w.constant64((BigInt(count) << 32n) | BigInt(cycles)), op.add64, w.set(T), w.br(depth));
  }

  // -- memory

  /** Whether what is in OFFSET is one of `size` bytes at an offset that can be divided by them. */
  fits(size, length) {
    const shift = { 1: 0, 2: 1, 4: 2 }[size];
    if (shift) this.put(w.constant(shift), op.rotr);
    this.put(w.constant(length >>> shift), op.ltU);
  }

  /** Loads from the address on the stack onto the stack. */
  load(size, instruction) {
    this.put(w.tee(ADDRESS), w.constant(RAM_BASE), op.sub, w.tee(OFFSET));
    this.fits(size, RAM_SIZE);
    this.put(op.ifI32, w.get(OFFSET), instruction(AT.ram), op.else);
    this.put(w.get(ADDRESS), w.constant(FLASH_BASE), op.sub, w.tee(OFFSET));
    this.fits(size, FLASH_SIZE);
    this.put(op.ifI32, w.get(OFFSET), instruction(AT.flash), op.else);
    this.put(w.get(ADDRESS));
    this.fits(size, ROM_SIZE);
    this.put(op.ifI32, w.get(ADDRESS), instruction(AT.rom), op.else);
    if (size === 4) {
      this.sio(SIO_BASE, op.ifI32);
      this.put(w.get(ADDRESS), w.callRead, op.else);
    }
    this.refuse();
    this.put(op.end, op.end, op.end, ...(size === 4 ? [op.end] : []));
  }

  /** Stores a register at the address on the stack. */
  store(size, instruction, register) {
    this.put(w.tee(ADDRESS), w.constant(RAM_BASE), op.sub, w.tee(OFFSET));
    this.fits(size, RAM_SIZE);
    this.put(op.ifI32, w.get(OFFSET), w.constant(2), op.shrU, w.load8(AT.marks), op.else, w.constant(1), op.end, op.if);
    if (size === 4) {
      this.sio(INNER_SIO, op.if);
      this.put(w.get(ADDRESS));
      this.read(register);
      this.put(w.callWrite, op.else);
    }
    this.refuse();
    this.put(...(size === 4 ? [op.end] : []), op.else, w.get(OFFSET));
    this.read(register);
    this.put(instruction(AT.ram), op.end);
  }

  /** `then`: if what is in ADDRESS is of the SIO from `start` on, which takes a cycle less than memory. */
  sio(start, then) {
    this.put(w.get(ADDRESS), w.constant(start), op.sub, w.tee(OFFSET));
    this.fits(4, SIO_BASE + SIO_END - start);
    this.put(then, w.get(T), w.constant64(-1n), op.add64, w.set(T));
  }

  /**
   * Leaves the offset of the address on the stack in OFFSET, if `count` words there are RAM, and no code to be written.
   * What is in flash has an offset from RAM as well, where it is only read.
   */
  words(count, toWrite) {
    this.put(w.tee(ADDRESS), w.constant(RAM_BASE), op.sub, w.tee(OFFSET));
    this.fits(4, RAM_SIZE - 40);
    if (!toWrite) {
      this.put(op.ifI32, w.constant(1), op.else);
      this.put(w.get(ADDRESS), w.constant(FLASH_BASE), op.sub, w.tee(OFFSET));
      this.put(w.get(OFFSET), w.constant(AT.flash - AT.ram), op.add, w.set(OFFSET));
      this.fits(4, FLASH_SIZE - 40);
      this.put(op.end);
    }
    if (toWrite) {
      this.put(op.ifI32, w.get(OFFSET), w.constant(2), op.shrU, w.load64(AT.marks), op.eqz64);
      if (count > 8) this.put(w.get(OFFSET), w.constant(2), op.shrU, w.load8(AT.marks + 8), op.eqz, op.and);
      this.put(op.else, w.constant(0), op.end);
    }
    this.put(op.eqz, op.if);
    this.refuse();
    this.put(op.end);
  }
}

// -- one instruction

const bits = (value) => [0, 1, 2, 3, 4, 5, 6, 7].filter((i) => value & (1 << i));

/** An instruction as a step of a path, or null where it is none for blocks. */
function decode(opcode, pc, second) {
  const low = opcode & 7;
  const middle = (opcode >> 3) & 7;
  const high = (opcode >> 8) & 7;
  const imm5 = (opcode >> 6) & 31;
  const imm8 = opcode & 0xff;
  const step = (reads, writes, emit, more = {}) => ({
    pc,
    cycles: 1,
    next: pc + 2,
    touches: [...reads, ...writes].filter((register) => register !== PC),
    writes,
    emit,
    ...more,
  });
  switch (opcode >> 11) {
    case 0b00000:
    case 0b00001:
    case 0b00010:
      return step([middle], [low], (b) => shift(b, opcode >> 11, low, middle, imm5));
    case 0b00011: {
      const other = imm5 & 7;
      const push = (b) => (opcode & 0x400 ? b.put(w.constant(other)) : b.read(other));
      const emit = (b) => (opcode & 0x200 ? subtract : add)(b, () => b.read(middle), () => push(b), low);
      return step(opcode & 0x400 ? [middle] : [middle, other], [low], emit);
    }
    case 0b00100:
      return step([], [high], (b) => {
        b.put(w.constant(imm8));
        const result = b.keep();
        b.put(w.get(result));
        b.write(high);
        b.setNZ(result);
      });
    case 0b00101:
      return step([high], [], (b) => subtract(b, () => b.read(high), () => b.put(w.constant(imm8)), null));
    case 0b00110:
      return step([high], [high], (b) => add(b, () => b.read(high), () => b.put(w.constant(imm8)), high));
    case 0b00111:
      return step([high], [high], (b) => subtract(b, () => b.read(high), () => b.put(w.constant(imm8)), high));
    case 0b01000:
      return opcode & 0x400 ? decodeHigh(opcode, pc, step) : step([low, middle], [low], data(opcode, low, middle));
    case 0b01001:
      return step([], [high], (b) => literal(b, ((pc + 4) & ~3) + imm8 * 4, high), { cycles: 2 });
    case 0b01010:
    case 0b01011: {
      const kind = (opcode >> 9) & 7;
      const other = imm5 & 7;
      return transfer(step, kind, low, [middle, other], (b) => (b.read(middle), b.read(other), b.put(op.add)));
    }
    case 0b01100:
    case 0b01101:
    case 0b01110:
    case 0b01111:
    case 0b10000:
    case 0b10001: {
      const [kind, scale] = { 12: [STR, 4], 13: [LDR, 4], 14: [STRB, 1], 15: [LDRB, 1], 16: [STRH, 2], 17: [LDRH, 2] }[opcode >> 11];
      return transfer(step, kind, low, [middle], (b) => (b.read(middle), b.put(w.constant(imm5 * scale), op.add)));
    }
    case 0b10010:
    case 0b10011:
      return transfer(step, opcode & 0x800 ? LDR : STR, high, [SP], (b) => (b.read(SP), b.put(w.constant(imm8 * 4), op.add)));
    case 0b10100:
      return step([], [high], (b) => (b.put(w.constant((pc & ~3) + 4 + imm8 * 4)), b.write(high)));
    case 0b10101:
      return step([SP], [high], (b) => (b.read(SP), b.put(w.constant(imm8 * 4), op.add), b.write(high)));
    case 0b10110:
      return decodeMisc(opcode, low, middle, step);
    case 0b10111:
      if (opcode === 0xbf00 || opcode === 0xbf40) return step([], [], () => {}); // NOP; SEV, which tells the other core
      if ((opcode & 0xff00) === 0xba00) return reverse((opcode >> 6) & 3, low, middle, step);
      return (opcode & 0xfe00) === 0xbc00 ? pop(opcode, step) : null;
    case 0b11000:
    case 0b11001:
      return transferMany(opcode, high, step);
    case 0b11010:
    case 0b11011: {
      const condition = (opcode >> 8) & 15;
      if (condition >= 14) return null;
      const taken = pc + 4 + ((opcode << 24) >> 23);
      const emit = (b) => {
        b.pushCondition(condition);
        b.put(op.if);
        b.go(taken, 1, b.count + 1, b.cycles + 2);
        b.put(op.end);
      };
      return step([], [], emit, { taken });
    }
    case 0b11100:
      return step([], [], () => {}, { cycles: 2, next: pc + 4 + ((opcode << 21) >> 20) });
    case 0b11110: {
      if (second < 0) return null;
      const special = { cycles: 3, next: pc + 4, second };
      if (opcode === 0xf3bf && ((second & 0xfff0) === 0x8f50 || (second & 0xfff0) === 0x8f40)) return step([], [], () => {}, special); // barriers
      if (opcode === 0xf3ef && (second & 0xf0ff) === 0x8010 && ((second >> 8) & 15) < SP) {
        // MRS of PRIMASK
        const target = (second >> 8) & 15;
        return step([], [target], (b) => (b.put(w.constant(0), w.load8(AT.primask)), b.write(target)), special);
      }
      if ((second & 0xd000) !== 0xd000) return null;
      const sign = (opcode >> 10) & 1;
      const i1 = 1 - (sign ^ ((second >> 13) & 1));
      const i2 = 1 - (sign ^ ((second >> 11) & 1));
      const offset =
        ((sign ? 0xff : 0) << 24) | (i1 << 23) | (i2 << 22) | ((opcode & 0x3ff) << 12) | ((second & 0x7ff) << 1);
      const emit = (b) => (b.put(w.constant((pc + 4) | 1)), b.write(LR));
      return step([], [LR], emit, { cycles: 3, next: pc + 4 + offset, second });
    }
    default:
      return null;
  }
}

function add(b, left, right, target) {
  left();
  const x = b.keep();
  right();
  const y = b.keep();
  b.put(w.get(x), w.get(y), op.add);
  const result = b.keep();
  b.added(x, y, result);
  if (target !== null) {
    b.put(w.get(result));
    b.write(target);
  }
}

function subtract(b, left, right, target) {
  left();
  const x = b.keep();
  right();
  const y = b.keep();
  b.put(w.get(x), w.get(y), op.sub);
  const result = b.keep();
  b.compared(x, y, result);
  if (target !== null) {
    b.put(w.get(result));
    b.write(target);
  }
}

/** LSLS, LSRS, ASRS by a number; 0 stands for 32 in the last two. */
function shift(b, kind, target, source, by) {
  b.read(source);
  const input = b.keep();
  if (kind === 0) b.put(w.get(input), w.constant(by), op.shl);
  else if (kind === 1) b.put(...(by ? [w.get(input), w.constant(by), op.shrU] : [w.constant(0)]));
  else b.put(w.get(input), w.constant(by || 31), op.shrS);
  const result = b.keep();
  b.put(w.get(result));
  b.write(target);
  b.setNZ(result);
  if (kind === 0 && !by) return;
  b.put(w.get(input), w.constant(kind === 0 ? 32 - by : by ? by - 1 : 31), op.shrU, w.constant(1), op.and);
  b.setC(b.keep());
}

/** Two low registers. */
function data(opcode, low, middle) {
  const logic = (emit, stored = true) => (b) => {
    emit(b);
    const result = b.keep();
    if (stored) {
      b.put(w.get(result));
      b.write(low);
    }
    b.setNZ(result);
  };
  const both = (...operation) =>
    (b) => (b.read(low), b.read(middle), b.put(...operation));
  switch ((opcode >> 6) & 15) {
    case 0b0000:
      return logic(both(op.and));
    case 0b0001:
      return logic(both(op.xor));
    case 0b0010:
    case 0b0011:
    case 0b0100:
    case 0b0111:
      return (b) => shiftBy(b, (opcode >> 6) & 15, low, middle);
    case 0b0101:
      return (b) => addCarry(b, low, middle);
    case 0b0110:
      return (b) => subtractCarry(b, low, middle);
    case 0b1000:
      return logic(both(op.and), false);
    case 0b1001:
      return (b) => subtract(b, () => b.put(w.constant(0)), () => b.read(middle), low);
    case 0b1010:
      return (b) => subtract(b, () => b.read(low), () => b.read(middle), null);
    case 0b1011:
      return (b) => add(b, () => b.read(low), () => b.read(middle), null);
    case 0b1100:
      return logic(both(op.or));
    case 0b1101:
      return logic(both(op.mul));
    case 0b1110:
      return logic(both(w.constant(-1), op.xor, op.and));
    default:
      return logic((b) => (b.read(middle), b.put(w.constant(-1), op.xor)));
  }
}

/** LSLS, LSRS, ASRS and RORS by a register, with the emulator's own way of a carry. */
function shiftBy(b, kind, target, source) {
  b.read(target);
  const input = b.keep();
  b.read(source);
  b.put(w.constant(0xff), op.and);
  const by = b.keep();
  const small = () => b.put(w.get(by), w.constant(32), op.ltU);
  if (kind === 0b0111) {
    b.put(w.get(input), w.get(by), op.rotr);
  } else if (kind === 0b0100) {
    b.put(w.get(input), w.get(by), w.constant(31));
    small();
    b.put(op.select, op.shrS);
  } else {
    b.put(w.get(input), w.get(by), kind === 0b0010 ? op.shl : op.shrU, w.constant(0));
    small();
    b.put(op.select);
  }
  const result = b.keep();
  const bit = () => b.put(op.shrU, w.constant(1), op.and);
  if (kind === 0b0111) {
    b.put(w.get(result), w.constant(31), op.shrU);
  } else if (kind === 0b0010) {
    b.put(w.get(input), w.constant(32), w.get(by), op.sub);
    bit();
    b.pushC();
    b.put(w.get(by), op.select);
  } else if (kind === 0b0011) {
    b.put(w.get(input), w.get(by), w.constant(1), op.sub);
    bit();
    b.put(w.constant(0), w.get(by), w.constant(32), op.leU, op.select);
  } else {
    b.put(w.get(input), w.get(by), w.constant(32));
    small();
    b.put(op.select, w.constant(1), op.sub);
    bit();
  }
  b.setC(b.keep());
  b.put(w.get(result));
  b.write(target);
  b.setNZ(result);
}

/** ADCS; V as the emulator has it, of the second operand with the carry already in it. */
function addCarry(b, low, middle) {
  b.pushC();
  const carry = b.keep();
  b.read(middle);
  const x = b.keep();
  b.read(low);
  b.put(w.get(carry), op.add);
  const y = b.keep();
  b.put(w.get(x), w.get(y), op.add);
  const result = b.keep();
  b.added(x, y, result);
  b.put(w.get(result), w.get(y), op.ltU, w.get(y), w.get(carry), op.ltU, op.or);
  b.setC(b.keep());
  b.put(w.get(result));
  b.write(low);
}

function subtractCarry(b, low, middle) {
  b.pushC();
  b.put(op.eqz);
  const borrow = b.keep();
  b.read(low);
  const x = b.keep();
  b.read(middle);
  b.put(w.get(borrow), op.add);
  const y = b.keep();
  b.put(w.get(x), w.get(y), op.sub);
  const result = b.keep();
  b.compared(x, y, result);
  b.put(w.get(x), w.get(y), op.geU, w.get(y), w.get(borrow), op.geU, op.and);
  b.setC(b.keep());
  b.put(w.get(result));
  b.write(low);
}

/** Instructions that reach all sixteen registers. */
function decodeHigh(opcode, pc, step) {
  const source = (opcode >> 3) & 15;
  const target = ((opcode >> 4) & 8) | (opcode & 7);
  const align = target === SP ? [w.constant(~3), op.and] : [];
  switch ((opcode >> 8) & 3) {
    case 0:
      if (target === PC) return null;
      return step([source, target], [target], (b) => (b.read(target), b.read(source), b.put(op.add, ...align), b.write(target)));
    case 1:
      if (source === PC || target === PC) return null;
      return step([source, target], [], (b) => subtract(b, () => b.read(target), () => b.read(source), null));
    case 2:
      if (target === PC) return jump(step, [source], (b) => b.read(source), () => {}, 2);
      return step([source], [target], (b) => (b.read(source), b.put(...align), b.write(target)));
    default: {
      if (opcode & 7 || source === PC) return null;
      const link = (b) => (b.put(w.constant((pc + 2) | 1)), b.write(LR));
      return jump(step, [source], (b) => b.read(source), opcode & 0x80 ? link : () => {}, 2, opcode & 0x80 ? [LR] : []);
    }
  }
}

/** On to an address that is known only now; the interpreter has to see what may be the return from an exception. */
function jump(step, reads, push, before, cycles, writes = []) {
  const emit = (b) => {
    push(b);
    const target = b.keep();
    b.put(w.get(target), w.constant(28), op.shrU, w.constant(15), op.eq, op.if);
    b.refuse();
    b.put(op.end);
    before(b);
    b.leave([...w.get(target), ...w.constant(~1), ...op.and], 0n, b.count + 1, b.cycles + cycles);
  };
  return step(reads, writes, emit, { cycles, next: undefined });
}

function decodeMisc(opcode, low, middle, step) {
  const convert = (...code) => step([middle], [low], (b) => (b.read(middle), b.put(...code), b.write(low)));
  switch ((opcode >> 7) & 15) {
    case 0b0000:
    case 0b0001: {
      const by = (opcode & 0x7f) * (opcode & 0x80 ? -4 : 4);
      return step([SP], [SP], (b) => (b.read(SP), b.put(w.constant(by), op.add, w.constant(~3), op.and), b.write(SP)));
    }
    case 0b0100:
      return convert(opcode & 0x40 ? op.extend8 : op.extend16);
    case 0b0101:
      return convert(w.constant(opcode & 0x40 ? 0xff : 0xffff), op.and);
    case 0b1100: // CPSID; what lets interrupts through again is for the interpreter
      return opcode === 0xb672 ? step([], [], (b) => b.put(w.constant(0), w.constant(1), w.store8(AT.primask))) : null;
    default:
      return (opcode & 0xfe00) === 0xb400 ? push(opcode, step) : null;
  }
}

/** REV, REV16 and REVSH: bytes the other way round. */
function reverse(kind, low, middle, step) {
  const [odd, even] = [0xff00ff00, 0x00ff00ff].map((mask) => [...w.constant(mask), ...op.and]);
  const eight = w.constant(8);
  const halves = [
    [...eight, ...op.rotr, ...odd], [...w.constant(24), ...op.rotr, ...even],
    [...eight, ...op.shrU, ...even], [...eight, ...op.shl, ...odd],
  ];
  if (kind === 2) return null;
  return step([middle], [low], (b) => {
    for (const half of halves.slice(kind ? 2 : 0, kind ? 4 : 2)) {
      b.read(middle);
      b.put(half);
    }
    b.put(op.or, ...(kind === 3 ? [op.extend16] : []));
    b.write(low);
  });
}

/** A constant stored after the code; flash contents never change. */
function literal(b, address, target) {
  const place = Program.place(address);
  if (address < RAM_BASE && place >= 0) {
    b.source.set(address, b.program.halves[place >>> 1]);
    b.source.set(address + 2, b.program.halves[(place >>> 1) + 1]);
    b.put(w.constant(b.program.words[place >>> 2]));
  } else {
    b.put(w.constant(address));
    b.load(4, w.load32);
  }
  b.write(target);
}

const [STR, STRH, STRB, LDRSB, LDR, LDRH, LDRB] = [0, 1, 2, 3, 4, 5, 6];
const STORES = { [STR]: [4, w.store32], [STRH]: [2, w.store16], [STRB]: [1, w.store8] };
const LOADS = [, , , [1, w.load8s], [4, w.load32], [2, w.load16], [1, w.load8], [2, w.load16s]];

function transfer(step, kind, register, addressed, push) {
  if (kind in STORES) {
    const emit = (b) => (push(b), b.store(...STORES[kind], register));
    return step([...addressed, register], [], emit, { cycles: 2 });
  }
  const emit = (b) => (push(b), b.load(...LOADS[kind]), b.write(register));
  return step(addressed, [register], emit, { cycles: 2 });
}

function push(opcode, step) {
  const registers = [...bits(opcode & 0xff), ...(opcode & 0x100 ? [LR] : [])];
  const emit = (b) => {
    b.read(SP);
    b.put(w.constant(4 * registers.length), op.sub);
    b.words(registers.length, true);
    for (const [i, register] of registers.entries()) {
      b.put(w.get(OFFSET));
      b.read(register);
      b.put(w.store32(AT.ram + 4 * i));
    }
    b.put(w.get(OFFSET), w.constant(RAM_BASE), op.add);
    b.write(SP);
  };
  return step([SP, ...registers], [SP], emit, { cycles: 1 + bits(opcode & 0xff).length });
}

function pop(opcode, step) {
  const registers = bits(opcode & 0xff);
  const loads = (b) => {
    for (const [i, register] of registers.entries()) {
      b.put(w.get(OFFSET), w.load32(AT.ram + 4 * i));
      b.write(register);
    }
    const all = registers.length + (opcode & 0x100 ? 1 : 0);
    b.put(w.get(ADDRESS), w.constant(4 * all), op.add);
    b.write(SP);
  };
  const start = (b) => (b.read(SP), b.words(9, false));
  if (opcode & 0x100) {
    const target = (b) => (start(b), b.put(w.get(OFFSET), w.load32(AT.ram + 4 * registers.length)));
    return jump(step, [SP], target, loads, registers.length + 3, [SP, ...registers]);
  }
  return step([SP], [SP, ...registers], (b) => (start(b), loads(b)), { cycles: 1 + registers.length });
}

/** STMIA and LDMIA. */
function transferMany(opcode, base, step) {
  const registers = bits(opcode & 0xff);
  const loads = opcode & 0x800;
  const emit = (b) => {
    b.read(base);
    b.words(8, !loads);
    for (const [i, register] of registers.entries()) {
      b.put(w.get(OFFSET));
      if (loads) {
        b.put(w.load32(AT.ram + 4 * i));
        b.write(register);
      } else {
        b.read(register);
        b.put(w.store32(AT.ram + 4 * i));
      }
    }
    if (registers.includes(base)) return;
    b.put(w.get(ADDRESS), w.constant(4 * registers.length), op.add);
    b.write(base);
  };
  const writes = [...(loads ? registers : []), base];
  return step([base, ...registers], writes, emit, { cycles: 1 + registers.length });
}
