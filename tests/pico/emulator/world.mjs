// One or two boards and their surroundings, in one true time.
import { Hd44780 } from './hd44780.mjs';
import { I2cBus } from './i2c_bus.mjs';
import { Key } from './key.mjs';
import { LineFormat } from './line_format.mjs';
import { Listener } from './listener.mjs';
import { Machine } from './machine.mjs';
import { Pcd8544 } from './pcd8544.mjs';
import { Cable, Noise, Peer, SerialPort } from './serial.mjs';
import { EmptySpi, SpiDisplay } from './spi_bus.mjs';
import { Sh1106, Ssd1306 } from './ssd1306.mjs';

// Two boards on a cable run by turns. A frame begun in one turn must not end within it, or the other board, which has
// not run yet or is already through, would get it late: a frame lasts 1.25 ms, so 1 ms apart is close enough.
const TURN = 0.001;

/** A board with its wiring, as described by the JSON of the `boot` command (see rig.py). */
export class Station {
  constructor({ name, uart, keys = {}, i2c = [], spi = [], ...image }) {
    this.name = name;
    this.machine = new Machine(image);
    const { clock } = this.machine;
    this.port = this.machine.attach(new SerialPort(uart.bus, uart.tx, uart.rx));
    this.keys = new Map();
    for (const [key, gpio] of Object.entries(keys)) this.keys.set(key, this.machine.attach(new Key(gpio)));
    this.displays = [];
    for (const wiring of i2c) {
      const bus = new I2cBus(wiring.bus, wiring.sda, wiring.scl);
      for (const { address, ...device } of wiring.devices) this.displays.push(bus.add(address, makeDisplay(device, clock)));
      this.machine.attach(bus);
    }
    for (const bus of [0, 1]) this.machine.attach(new EmptySpi(bus));
    for (const { bus, kind, ...wires } of spi) {
      const display = makeDisplay({ kind }, clock);
      this.machine.attach(new SpiDisplay(bus, wires, display));
      this.displays.push(display);
    }
  }

  key(name) {
    const key = this.keys.get(name);
    if (!key) throw new Error(`this board has no key ${name}`);
    return key;
  }
}

function makeDisplay({ kind, columns, rows }, clock) {
  switch (kind) {
    case 'hd44780':
      return new Hd44780(columns, rows, clock);
    case 'sh1106':
      return new Sh1106();
    case 'ssd1306':
      return new Ssd1306();
    case 'listener':
      return new Listener();
    case 'pcd8544':
      return new Pcd8544();
    default:
      throw new Error(`there is no display of the kind ${kind}`);
  }
}

export class World {
  /** One board has a scripted peer on its line; two boards have each other. */
  constructor({ boards, format = [9600, 8, 'E', 2], noise }) {
    this.stations = boards.map((board) => new Station(board));
    this.time = 0; // true seconds
    if (this.stations.length === 2) {
      this.noise = new Noise(noise);
      this.cable = new Cable(...this.stations, this.noise);
    } else {
      const [station] = this.stations;
      this.peer = new Peer(station.port, new LineFormat(...format), station.machine.clock);
    }
  }

  station(name) {
    const station = name == null ? this.stations[0] : this.stations.find((one) => one.name === name);
    if (!station) throw new Error(`there is no board ${name}`);
    return station;
  }

  /** Lets `seconds` of true time pass; with `untilByte`, not longer than until a byte has come from the board. */
  run(seconds, untilByte = false) {
    if (!this.cable) {
      const { machine } = this.stations[0];
      const coming = () => this.peer.heard.length + machine.console.packets.length;
      const heard = coming();
      const resets = machine.resets;
      machine.run(seconds, () => untilByte && coming() > heard);
      if (machine.resets !== resets) this.peer.restart();
      this.time = machine.time / machine.rate;
      return;
    }
    const end = this.time + seconds;
    while (this.time < end) {
      this.time = Math.min(this.time + TURN, end);
      for (const { machine } of this.stations) machine.run(this.time * machine.rate - machine.time);
    }
  }
}
