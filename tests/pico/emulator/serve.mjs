// A board in real time: its USB console and its serial line as TCP ports, raw bytes in both
// directions. `mpremote connect socket://127.0.0.1:PORT` works on the console as it does on a real port.
import net from 'node:net';

const SLICE = 0.002; // seconds of simulated time between two polls of the sockets
const HOST = '127.0.0.1';

export class Server {
  /** `pace`: simulated seconds a second at most; the emulator may be slower when the board is busy. */
  constructor(world, station, pace = 1) {
    this.world = world;
    this.pace = pace;
    this.console = new ByteServer((data) => station.machine.console.type(data));
    station.machine.console.onOutput = (data) => this.console.write(data);
    this.line = new ByteServer((data) => world.peer.send(data));
    world.peer.onByte = (value) => this.line.write(Buffer.from([value]));
    this.running = false;
  }

  async listen() {
    const ports = { console: await this.console.listen(), line: await this.line.listen() };
    this.running = true;
    this.wallStart = performance.now() / 1e3;
    this.simulatedStart = this.world.time;
    this.step();
    return ports;
  }

  step() {
    if (!this.running) return;
    const wall = (performance.now() / 1e3 - this.wallStart) * this.pace;
    const ahead = this.world.time - this.simulatedStart - wall;
    if (ahead > SLICE) {
      setTimeout(() => this.step(), Math.min((ahead / this.pace) * 1e3, 50));
      return;
    }
    if (ahead < -1) {
      // Too slow to follow: do not try to catch up later all at once.
      this.simulatedStart = this.world.time;
      this.wallStart = performance.now() / 1e3;
    }
    this.world.run(SLICE);
    setImmediate(() => this.step());
  }

  close() {
    this.running = false;
    this.console.close();
    this.line.close();
  }
}

/** One TCP port for one client at a time; the newest client wins, as with a cable that is plugged in again. */
class ByteServer {
  constructor(onData) {
    this.client = null;
    this.server = net.createServer((socket) => {
      this.client?.destroy();
      this.client = socket;
      socket.setNoDelay(true);
      socket.on('data', onData);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        if (this.client === socket) this.client = null;
      });
    });
  }

  listen() {
    return new Promise((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(0, HOST, () => resolve(this.server.address().port));
    });
  }

  write(data) {
    this.client?.write(data);
  }

  close() {
    this.client?.destroy();
    this.server.close();
  }
}
