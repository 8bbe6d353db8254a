// The rig, controlled by JSON: one request a line on standard input, {"do": name, ...}; one answer a line on standard
// output, {"ok": ...} or {"error": text}. Simulated time stands still between requests, except while a board is served
// (then it follows the wall clock). rig.py is the other side and documents the requests.
import crypto from 'node:crypto';
import fs from 'node:fs';
import readline from 'node:readline';
import { Server } from './serve.mjs';
import { World } from './world.mjs';

let world = null;
let server = null;

const requests = {
  boot(description) {
    world = new World(description);
    return {};
  },

  run({ seconds, untilByte }) {
    world.run(seconds, untilByte);
    return { time: world.time };
  },

  /** Frames received from the board since the last call, and frames sent to it. */
  line() {
    const { heard, sent } = world.peer;
    world.peer.heard = [];
    world.peer.sent = [];
    return { heard, sent };
  },

  /** Frames that crossed the cable between two boards since the last call. */
  cable() {
    const { log } = world.cable;
    world.cable.log = [];
    const { flipped, lost, added } = world.noise;
    return { log, noise: { flipped, lost, added } };
  },

  send({ hex }) {
    world.peer.send(Buffer.from(hex, 'hex'));
    return {};
  },

  type({ board, text, hex }) {
    world.station(board).machine.console.type(hex ? Buffer.from(hex, 'hex') : Buffer.from(text, 'utf8'));
    return {};
  },

  console({ board }) {
    return { text: world.station(board).machine.console.text };
  },

  /** What the board has sent over USB and what it has fetched there since the last call, with times. */
  usb({ board }) {
    const { console } = world.station(board).machine;
    const { packets, taken } = console;
    console.packets = [];
    console.taken = [];
    return { packets, taken };
  },

  press({ board, key, delay = 0, hold }) {
    world.station(board).key(key).press(delay, hold);
    return {};
  },

  hold({ board, key, pressed }) {
    world.station(board).key(key).set(pressed);
    return {};
  },

  displays({ board }) {
    return { displays: world.station(board).displays.map((display) => display.snapshot()) };
  },

  uart({ board }) {
    return world.station(board).port.snapshot();
  },

  /** Function, pull-up and level of pins; state is 0 low, 1 high, 2 and more: an input. */
  pins({ board, gpios }) {
    const { chip } = world.station(board).machine;
    const look = ({ functionSelect, pullupEnabled, value }) => ({ function: functionSelect, pullUp: pullupEnabled, state: value });
    return { pins: gpios.map((gpio) => look(chip.gpio[gpio])) };
  },

  reset({ board }) {
    world.station(board).machine.reset();
    world.peer?.restart();
    return {};
  },

  /** Cuts the supply of the flash after this many more bytes erased or programmed; null cancels that. */
  cut({ board, bytes }) {
    world.station(board).machine.flash.bytesUntilCut = bytes;
    return {};
  },

  flash({ board, save }) {
    const { machine } = world.station(board);
    if (save) fs.writeFileSync(save, machine.flashImage());
    const { cut, erased, programmed } = machine.flash;
    return { cut, erased, programmed };
  },

  figures({ board }) {
    const { time, instructions, resets } = world.station(board).machine;
    return { time, instructions, resets };
  },

  /** The processor's state: its registers, flags, and a hash of the RAM. */
  state({ board }) {
    const { core, sram } = world.station(board).machine.chip;
    const ram = crypto.createHash('sha256').update(sram).digest('hex');
    // bit 0 of PC, which an exception's vector brings along, means nothing
    const registers = [...core.registers.slice(0, 15), core.PC & ~1];
    return { registers, flags: core.APSR >>> 0, ram };
  },

  /** Opens TCP ports for the board's console and line, and lets time follow the wall clock from now on. */
  async serve({ board, pace }) {
    server = new Server(world, world.station(board), pace);
    return server.listen();
  },

  stop() {
    server?.close();
    server = null;
    return {};
  },

  /** Removes the boards. */
  end() {
    requests.stop();
    world = null;
    return {};
  },

  /** Pulls the cable of a served board: its ports close, and it has no supply. Time stands still again. */
  unplug({ board }) {
    requests.stop();
    return requests.reset({ board });
  },
};

for await (const line of readline.createInterface({ input: process.stdin })) {
  let answer;
  try {
    const request = JSON.parse(line);
    const action = requests[request.do];
    if (!action) throw new Error(`there is no request ${request.do}`);
    answer = { ok: await action(request) };
  } catch (error) {
    answer = { error: error.message };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
process.exit();
