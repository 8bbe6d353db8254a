// A push button between a GPIO and ground. The emulator does not resolve pull-ups, so that is done here: a released key
// reads high only if the firmware has switched the pull-up of its pin on.
import { GPIOPinState } from './parts.mjs';

export class Key {
  constructor(gpio) {
    this.gpio = gpio;
    this.pressed = false;
    this.pin = null;
  }

  attach(chip) {
    this.pin = chip.gpio[this.gpio];
    this.clock = chip.clock;
    this.pin.addListener(() => this.update());
    this.update();
  }

  update() {
    this.pin.setInputValue(!this.pressed && this.pin.value === GPIOPinState.InputPullUp);
  }

  set(pressed) {
    this.pressed = pressed;
    this.update();
  }

  /** Presses `delay` seconds from now and releases `hold` seconds later. */
  press(delay, hold) {
    this.clock.createAlarm(() => this.set(true)).schedule(delay * 1e9);
    this.clock.createAlarm(() => this.set(false)).schedule((delay + hold) * 1e9);
  }
}
