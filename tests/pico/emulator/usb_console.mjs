// The board's USB serial port (its REPL), seen from the computer it is plugged into.
import { USBCDC } from './parts.mjs';

export class UsbConsole {
  constructor() {
    /** All output of the board since the rig's power-on, as bytes. */
    this.output = [];
    /** The same in packets, with the board's time at which each was fetched: [seconds, hex]. */
    this.packets = [];
    /** Typed input that the board has fetched, in the same form. */
    this.taken = [];
    this.now = () => 0;
    /** Called with a Buffer of the board's output. */
    this.onOutput = null;
    this.input = []; // bytes typed and not yet fetched by the board
    this.cdc = null;
  }

  /** Plugs the cable into a chip just made. Anything typed before it restarted is lost, as on a real port. */
  attach(chip) {
    this.input = [];
    this.pendingRead = null;
    this.cdc = new USBCDC(chip.usbCtrl);
    this.cdc.onSerialData = (data) => {
      this.output.push(...data);
      this.packets.push([this.now(), Buffer.from(data).toString('hex')]);
      this.onOutput?.(Buffer.from(data));
    };
    // The emulator answers every poll of the board at once, with an empty packet if there is nothing: an interrupt storm
    // in which the processor never idles. A real computer says NAK; so the poll is held until there is something.
    chip.usbCtrl.onEndpointRead = (endpoint, size) => {
      if (endpoint !== this.cdc.outEndpoint) return;
      this.pendingRead = size;
      this.deliver();
    };
  }

  type(bytes) {
    this.input.push(...bytes);
    this.deliver();
  }

  deliver() {
    if (this.pendingRead === null || !this.input.length) return;
    const packet = Uint8Array.from(this.input.splice(0, Math.min(this.pendingRead, 64)));
    this.pendingRead = null;
    this.taken.push([this.now(), Buffer.from(packet).toString('hex')]);
    this.cdc.usb.endpointReadDone(this.cdc.outEndpoint, packet);
  }

  get text() {
    return Buffer.from(this.output).toString('utf8');
  }
}
