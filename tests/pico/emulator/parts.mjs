// The emulator package, wherever fetch.py put it.
//
// Node resolves `import 'rp2040js'` from the folder of the importing file, and the package is not installed there:
// fetch.py keeps all fetched parts in one cache folder and names it in SEABATTLE_PICO_PARTS.
import { createRequire } from 'node:module';
import path from 'node:path';

const folder = process.env.SEABATTLE_PICO_PARTS;
if (!folder) {
  throw new Error('SEABATTLE_PICO_PARTS does not name the folder of the fetched parts; run tests/pico/fetch.py');
}
const require = createRequire(path.join(path.resolve(folder), 'rig.js'));

export const { RP2040, USBCDC, ConsoleLogger, LogLevel, GPIOPinState, I2CMode } = require('rp2040js');
