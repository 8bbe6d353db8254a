// Runs the processor's usual instructions many times as fast as the emulator does.
//
// What is run often is translated (translate.mjs). The rest is interpreted here: the emulator finds out what an instruction
// is by comparing it with some seventy patterns, one after the other; here it is one jump, for the instructions that work
// on registers, RAM and flash, and for words of peripherals. Everything else (exceptions, rare instructions) is left to the
// emulator's own executeInstruction(). Results, flags and cycle counts are the same, which test_pico_rig.py proves by running a program
// both ways.
import { Blocks } from './blocks.mjs';
import { SHORT, UNKNOWN } from './translate.mjs';

const FLASH_BASE = 0x10000000;
const RAM_BASE = 0x20000000;
const RAM_SIZE = 264 * 1024;

const PERIPHERALS = 0x40000000;

const CYCLES_MEMORY = 2; // one for the instruction and one for RAM or flash
const HANDLER_MODE = 1;
const SP = 13;
const LR = 14;
const PC = 15;

const MOST_CYCLES = 1 << 28;

const UNREACHABLE = -1; // no opcode: code that is neither in RAM nor in flash

/**
 * Makes the function for one chip: burst(limit) executes instructions until the clock reaches `limit` nanoseconds,
 * an alarm is due, or the processor waits. It returns how many instructions it has executed.
 */
export function makeBurst(chip, memory) {
  const { core, clock, flash16, sram } = chip;
  const { registers } = core;
  const flash8 = chip.flash;
  const flash32 = new Uint32Array(flash8.buffer, flash8.byteOffset, flash8.length / 4);
  const flashSize = flash8.length;
  const rom16 = new Uint16Array(chip.bootrom.buffer, chip.bootrom.byteOffset, chip.bootrom.length * 2);
  const romSize = 2 * rom16.length;
  const ram8 = sram;
  const ram16 = new Uint16Array(sram.buffer, sram.byteOffset, sram.length / 2);
  const ram32 = new Uint32Array(sram.buffer, sram.byteOffset, sram.length / 4);
  const blocks = new Blocks(memory, chip.sio);
  const { flags, counts, marks } = blocks;
  for (const name of ['writeUint8', 'writeUint16', 'writeUint32']) {
    const write = chip[name].bind(chip);
    chip[name] = (address, value) => {
      if (inRam(address)) blocks.changed(address);
      write(address, value);
    };
  }

  /** Writing a register wraps to 32 bits: they are a Uint32Array. */
  function setNZ(result) {
    core.N = (result & 0x80000000) !== 0;
    core.Z = (result | 0) === 0;
  }

  function inRam(address) {
    return address >= RAM_BASE && address < RAM_BASE + RAM_SIZE;
  }

  function inFlash(address) {
    return address >= FLASH_BASE && address < FLASH_BASE + flashSize;
  }

  /** Whether this address can be read without the emulator's help. */
  function readable(address, size) {
    return (address & (size - 1)) === 0 && (inRam(address) || inFlash(address));
  }

  /** The same for writing; possible code is written by the emulator, which notifies the blocks. */
  function writable(address, size) {
    return (address & (size - 1)) === 0 && inRam(address) && !marks[(address - RAM_BASE) >>> 2];
  }

  function writableWords(address, count) {
    if (address & 3 || !inRam(address) || !inRam(address + 4 * count)) return false;
    for (let i = 0; i < count; i++) if (marks[((address - RAM_BASE) >>> 2) + i]) return false;
    return true;
  }

  function read32(address) {
    return address >= RAM_BASE ? ram32[(address - RAM_BASE) >>> 2] : flash32[(address - FLASH_BASE) >>> 2];
  }

  function read16(address) {
    return address >= RAM_BASE ? ram16[(address - RAM_BASE) >>> 1] : flash16[(address - FLASH_BASE) >>> 1];
  }

  function read8(address) {
    return address >= RAM_BASE ? ram8[address - RAM_BASE] : flash8[address - FLASH_BASE];
  }

  function holds(condition) {
    switch (condition) {
      case 0:
        return core.Z;
      case 1:
        return !core.Z;
      case 2:
        return core.C;
      case 3:
        return !core.C;
      case 4:
        return core.N;
      case 5:
        return !core.N;
      case 6:
        return core.V;
      case 7:
        return !core.V;
      case 8:
        return core.C && !core.Z;
      case 9:
        return !(core.C && !core.Z);
      case 10:
        return core.N === core.V;
      case 11:
        return core.N !== core.V;
      case 12:
        return core.N === core.V && !core.Z;
      default:
        return !(core.N === core.V && !core.Z);
    }
  }

  /** Executes the instruction `opcode` at `pc` and returns its cycles; 0 and nothing done if it is for the emulator. */
  function execute(opcode, pc) {
    const low = opcode & 7; // the register in bits 0..2
    const middle = (opcode >> 3) & 7; // and in bits 3..5
    const high = (opcode >> 8) & 7; // and in bits 8..10
    const imm5 = (opcode >> 6) & 31;
    const imm8 = opcode & 0xff;
    switch (opcode >> 11) {
      case 0b00000: {
        // LSLS immediate
        const input = registers[middle];
        const result = input << imm5;
        registers[low] = result;
        setNZ(result);
        if (imm5) core.C = (input & (1 << (32 - imm5))) !== 0;
        break;
      }
      case 0b00001: {
        // LSRS immediate; 0 stands for 32
        const input = registers[middle];
        const result = imm5 ? input >>> imm5 : 0;
        registers[low] = result;
        setNZ(result);
        core.C = ((input >>> (imm5 ? imm5 - 1 : 31)) & 1) !== 0;
        break;
      }
      case 0b00010: {
        // ASRS immediate; 0 stands for 32
        const input = registers[middle];
        const result = imm5 ? input >> imm5 : (input | 0) < 0 ? -1 : 0;
        registers[low] = result;
        setNZ(result);
        core.C = (input & (1 << (imm5 ? imm5 - 1 : 31))) !== 0;
        break;
      }
      case 0b00011: {
        // ADDS, SUBS of three registers, or of two and a number
        const operand = opcode & 0x400 ? imm5 & 7 : registers[imm5 & 7];
        registers[low] =
          opcode & 0x200
            ? core.substractUpdateFlags(registers[middle], operand)
            : core.addUpdateFlags(registers[middle], operand);
        break;
      }
      case 0b00100: // MOVS
        registers[high] = imm8;
        core.N = false;
        core.Z = imm8 === 0;
        break;
      case 0b00101: // CMP
        core.substractUpdateFlags(registers[high], imm8);
        break;
      case 0b00110: // ADDS
        registers[high] = core.addUpdateFlags(registers[high], imm8);
        break;
      case 0b00111: // SUBS
        registers[high] = core.substractUpdateFlags(registers[high], imm8);
        break;
      case 0b01000:
        return opcode & 0x400 ? executeHigh(opcode, pc) : executeData(opcode, low, middle);
      case 0b01001: {
        // LDR from behind the code
        const address = ((pc + 4) & 0xfffffffc) + imm8 * 4;
        if (!readable(address, 4)) return 0;
        registers[high] = read32(address);
        registers[PC] = pc + 2;
        return CYCLES_MEMORY;
      }
      case 0b01010:
      case 0b01011:
        return transfer((opcode >> 9) & 7, low, registers[middle] + registers[imm5 & 7], pc);
      case 0b01100:
        return transfer(STR, low, registers[middle] + imm5 * 4, pc);
      case 0b01101:
        return transfer(LDR, low, registers[middle] + imm5 * 4, pc);
      case 0b01110:
        return transfer(STRB, low, registers[middle] + imm5, pc);
      case 0b01111:
        return transfer(LDRB, low, registers[middle] + imm5, pc);
      case 0b10000:
        return transfer(STRH, low, registers[middle] + imm5 * 2, pc);
      case 0b10001:
        return transfer(LDRH, low, registers[middle] + imm5 * 2, pc);
      case 0b10010:
        return transfer(STR, high, registers[SP] + imm8 * 4, pc);
      case 0b10011:
        return transfer(LDR, high, registers[SP] + imm8 * 4, pc);
      case 0b10100: // ADR
        registers[high] = ((pc & 0xfffffffc) >>> 0) + 4 + imm8 * 4;
        break;
      case 0b10101: // ADD of the stack pointer
        registers[high] = registers[SP] + imm8 * 4;
        break;
      case 0b10110:
        return executeMisc(opcode, low, middle, pc);
      case 0b10111:
        return (opcode & 0xfe00) === 0xbc00 ? pop(opcode, pc) : 0;
      case 0b11000:
      case 0b11001:
        return transferMany(opcode, high, pc);
      case 0b11010:
      case 0b11011: {
        // B with a condition; the last two of sixteen are UDF and SVC
        const condition = (opcode >> 8) & 15;
        if (condition >= 14) return 0;
        if (!holds(condition)) break;
        registers[PC] = pc + 4 + ((opcode << 24) >> 23);
        return 2;
      }
      case 0b11100: // B
        registers[PC] = pc + 4 + ((opcode << 21) >> 20);
        return 2;
      case 0b11110:
        return branchLink(opcode, pc);
      default:
        return 0;
    }
    registers[PC] = pc + 2;
    return 1;
  }

  // Kinds of transfers, in the order of the instructions with a register offset.
  const STR = 0;
  const STRH = 1;
  const STRB = 2;
  const LDRSB = 3;
  const LDR = 4;
  const LDRH = 5;
  const LDRB = 6;

  function transfer(kind, register, sum, pc) {
    const address = sum >>> 0;
    switch (kind) {
      case STR:
        if (!writable(address, 4)) return 0;
        ram32[(address - RAM_BASE) >>> 2] = registers[register];
        break;
      case STRH:
        if (!writable(address, 2)) return 0;
        ram16[(address - RAM_BASE) >>> 1] = registers[register];
        break;
      case STRB:
        if (!writable(address, 1)) return 0;
        ram8[address - RAM_BASE] = registers[register];
        break;
      case LDRSB:
        if (!readable(address, 1)) return 0;
        registers[register] = (read8(address) << 24) >> 24;
        break;
      case LDR:
        if (!readable(address, 4)) return 0;
        registers[register] = read32(address);
        break;
      case LDRH:
        if (!readable(address, 2)) return 0;
        registers[register] = read16(address);
        break;
      case LDRB:
        if (!readable(address, 1)) return 0;
        registers[register] = read8(address);
        break;
      default: // LDRSH
        if (!readable(address, 2)) return 0;
        registers[register] = (read16(address) << 16) >> 16;
    }
    registers[PC] = pc + 2;
    return CYCLES_MEMORY;
  }

  /** Two low registers; those with a count of shifts, a carry or a product are left to the emulator. */
  function executeData(opcode, low, middle) {
    const left = registers[low];
    const right = registers[middle];
    let result;
    switch ((opcode >> 6) & 15) {
      case 0b0000: // ANDS
        registers[low] = result = left & right;
        break;
      case 0b0001: // EORS
        registers[low] = result = left ^ right;
        break;
      case 0b1000: // TST
        result = left & right;
        break;
      case 0b1010: // CMP
        core.substractUpdateFlags(left, right);
        registers[PC] += 2;
        return 1;
      case 0b1100: // ORRS
        registers[low] = result = left | right;
        break;
      case 0b1101: // MULS
        registers[low] = result = Math.imul(left, right);
        break;
      case 0b1110: // BICS
        registers[low] = result = left & ~right;
        break;
      case 0b1111: // MVNS
        registers[low] = result = ~right;
        break;
      default:
        return 0;
    }
    setNZ(result);
    registers[PC] += 2;
    return 1;
  }

  /** Instructions that reach all sixteen registers. */
  function executeHigh(opcode, pc) {
    const source = (opcode >> 3) & 15;
    const target = ((opcode >> 4) & 8) | (opcode & 7);
    const value = source === PC ? pc + 4 : registers[source];
    switch ((opcode >> 8) & 3) {
      case 0: // ADD
        if (target === PC || target === SP) return 0;
        registers[target] += value;
        break;
      case 1: // CMP
        if (source === PC || target === PC) return 0;
        core.substractUpdateFlags(registers[target], value);
        break;
      case 2: // MOV
        if (target === PC || target === SP) return 0;
        registers[target] = value;
        break;
      default:
        // BX, BLX; in a handler BX may be the return from the exception
        if (opcode & 7 || source === PC || core.currentMode === HANDLER_MODE) return 0;
        if (opcode & 0x80) registers[LR] = (pc + 2) | 1;
        registers[PC] = value & ~1;
        return 2;
    }
    registers[PC] = pc + 2;
    return 1;
  }

  function executeMisc(opcode, low, middle, pc) {
    switch ((opcode >> 7) & 15) {
      case 0b0000: // ADD to the stack pointer
        registers[SP] = (registers[SP] + (opcode & 0x7f) * 4) & ~3;
        break;
      case 0b0001: // SUB from it
        registers[SP] = (registers[SP] - (opcode & 0x7f) * 4) & ~3;
        break;
      case 0b0100: // SXTH, SXTB
        registers[low] = opcode & 0x40 ? (registers[middle] << 24) >> 24 : (registers[middle] << 16) >> 16;
        break;
      case 0b0101: // UXTH, UXTB
        registers[low] = registers[middle] & (opcode & 0x40 ? 0xff : 0xffff);
        break;
      default:
        return (opcode & 0xfe00) === 0xb400 ? push(opcode, pc) : 0;
    }
    registers[PC] = pc + 2;
    return 1;
  }

  function push(opcode, pc) {
    let count = 0;
    for (let bits = opcode & 0x1ff; bits; bits &= bits - 1) count++;
    let address = registers[SP] - 4 * count;
    if (!writableWords(address, count)) return 0;
    const first = address;
    let cycles = 1;
    for (let i = 0; i < 8; i++) {
      if (opcode & (1 << i)) {
        ram32[(address - RAM_BASE) >>> 2] = registers[i];
        address += 4;
        cycles++;
      }
    }
    if (opcode & 0x100) ram32[(address - RAM_BASE) >>> 2] = registers[LR];
    registers[SP] = first;
    registers[PC] = pc + 2;
    return cycles;
  }

  function pop(opcode, pc) {
    const andReturn = opcode & 0x100;
    if (andReturn && core.currentMode === HANDLER_MODE) return 0;
    let address = registers[SP];
    if (address & 3 || !inRam(address) || !inRam(address + 32)) return 0;
    let cycles = 1;
    for (let i = 0; i < 8; i++) {
      if (opcode & (1 << i)) {
        registers[i] = ram32[(address - RAM_BASE) >>> 2];
        address += 4;
        cycles++;
      }
    }
    if (andReturn) {
      registers[PC] = ram32[(address - RAM_BASE) >>> 2] & ~1;
      registers[SP] = address + 4;
      return cycles + 2;
    }
    registers[SP] = address;
    registers[PC] = pc + 2;
    return cycles;
  }

  /** STMIA and LDMIA. */
  function transferMany(opcode, base, pc) {
    const load = opcode & 0x800;
    let address = registers[base];
    if (load ? address & 3 || !inRam(address) || !inRam(address + 32) : !writableWords(address, 8)) return 0;
    let cycles = 1;
    for (let i = 0; i < 8; i++) {
      if (opcode & (1 << i)) {
        if (load) registers[i] = ram32[(address - RAM_BASE) >>> 2];
        else ram32[(address - RAM_BASE) >>> 2] = registers[i];
        address += 4;
        cycles++;
      }
    }
    if (!(opcode & (1 << base))) registers[base] = address;
    registers[PC] = pc + 2;
    return cycles;
  }

  function branchLink(opcode, pc) {
    const second = inFlash(pc) ? flash16[(pc + 2 - FLASH_BASE) >>> 1] : ram16[(pc + 2 - RAM_BASE) >>> 1];
    if ((opcode & 0xfff0) === 0xf380 && second === 0x8810 && (opcode & 15) < SP) {
      // MSR of PRIMASK
      core.PM = registers[opcode & 15] & 1;
      core.interruptsUpdated = true;
      registers[PC] = pc + 4;
      return 3;
    }
    if ((second & 0xd000) !== 0xd000) return 0; // a barrier, or another special register
    const sign = (opcode >> 10) & 1;
    const i1 = 1 - (sign ^ ((second >> 13) & 1));
    const i2 = 1 - (sign ^ ((second >> 11) & 1));
    const offset =
      ((sign ? 0xff : 0) << 24) | (i1 << 23) | (i2 << 22) | ((opcode & 0x3ff) << 12) | ((second & 0x7ff) << 1);
    registers[LR] = (pc + 4) | 1;
    registers[PC] = pc + 4 + offset;
    return 3;
  }

  /** Executes one instruction; returns its cycles. */
  function interpret(pc) {
    const opcode = opcodeAt(pc);
    return opcode === UNREACHABLE ? 0 : execute(opcode, pc);
  }

  function opcodeAt(pc) {
    if (inFlash(pc)) return flash16[(pc - FLASH_BASE) >>> 1];
    if (inRam(pc)) return ram16[(pc - RAM_BASE) >>> 1];
    return pc < romSize ? rom16[pc >>> 1] : UNREACHABLE;
  }

  /** LDR and STR of what interpret() does not reach. It may look at the clock and schedule alarms. Returns cycles, or 0. */
  function reachOut(pc) {
    const opcode = opcodeAt(pc);
    const byRegister = opcode >> 9 === 0b0101000 || opcode >> 9 === 0b0101100;
    if (!byRegister && opcode >> 12 !== 0b0110) return 0;
    const store = (opcode & 0x800) === 0;
    const offset = byRegister ? registers[(opcode >> 6) & 7] : ((opcode >> 6) & 31) * 4;
    const address = (registers[(opcode >> 3) & 7] + offset) >>> 0;
    if (address & 3 || address < PERIPHERALS) return 0;
    const cycles = 1 + core.cyclesIO(address, store);
    registers[PC] = pc + 2;
    if (store) chip.writeUint32(address, registers[opcode & 7]);
    else registers[opcode & 7] = chip.readUint32(address);
    return cycles;
  }

  /** Runs translated blocks for at most this many cycles; stores their counts in `counts`, returns why they ended. */
  function translated(cycles) {
    flags[0] = core.N ? -1 : 0;
    flags[1] = core.Z ? 0 : 1;
    flags[2] = core.C ? 1 : 0;
    flags[3] = core.V ? 1 : 0;
    const why = blocks.run(cycles);
    core.N = flags[0] < 0;
    core.Z = flags[1] === 0;
    core.C = flags[2] !== 0;
    core.V = flags[3] !== 0;
    return why;
  }

  /** Whether an exception is pending, masked or not. */
  function pending() {
    const { pendingNMI, pendingSVCall, pendingPendSV, pendingSystick } = core;
    return core.pendingInterrupts & core.enabledInterrupts || pendingNMI || pendingSVCall || pendingPendSV || pendingSystick;
  }

  let short = false; // the time until the next event is too short for a block

  function burst(limit) {
    const cycleNanos = 1e9 / chip.clkSys;
    const whole = Number.isInteger(cycleNanos); // otherwise a sum is not what adding one after the other gives
    let executed = 0;
    let now = clock.nanosCounter;
    let until = nextStop(limit);
    let arrived = whole; // at an address where a block might begin
    while (now < until) {
      if (core.interruptsUpdated && !pending()) {
        core.interruptsUpdated = false;
        arrived = whole && !short;
      }
      if (!core.interruptsUpdated) {
        if (arrived) {
          const why = translated(Math.min(Math.ceil((until - now) / cycleNanos), MOST_CYCLES));
          executed += counts[0];
          now += counts[1] * cycleNanos;
          if (now >= until) break;
          if (why === UNKNOWN) blocks.visit(registers[PC] & ~1);
          arrived = false;
          if (why === SHORT) short = true;
        }
        const pc = registers[PC];
        const cycles = interpret(pc);
        if (cycles) {
          now += cycles * cycleNanos;
          executed++;
          arrived = whole && !short && registers[PC] !== pc + 2;
          continue;
        }
      }
      // The emulator's turn: it may look at the clock, schedule alarms, take an exception, go to sleep.
      clock.nanosCounter = now;
      const cycles = (!core.interruptsUpdated && reachOut(registers[PC])) || core.executeInstruction();
      now = clock.nanosCounter += cycles * cycleNanos;
      executed++;
      if (core.waiting || 1e9 / chip.clkSys !== cycleNanos) break;
      until = nextStop(limit);
      arrived = whole;
      short = false;
    }
    short = false;
    clock.nanosCounter = now;
    return executed;
  }

  function nextStop(limit) {
    const alarm = clock.nextAlarm;
    return alarm !== null && alarm.nanos < limit ? alarm.nanos : limit;
  }

  /** To be called when the program area of the flash has changed. */
  burst.forget = () => blocks.forget();
  return burst;
}

/** The same, one instruction at a time and all by the emulator: to compare with. */
export function makeSlowBurst(chip) {
  return function burst() {
    chip.clock.nanosCounter += (chip.core.executeInstruction() * 1e9) / chip.clkSys;
    return 1;
  };
}
