// The part of WebAssembly's binary format that the translator needs: instructions, and the module around them.

const I32 = 0x7f;
const I64 = 0x7e;
const FUNCREF = 0x70;
const VOID = 0x40;

export const op = {
  block: [0x02, VOID],
  loop: [0x03, VOID],
  if: [0x04, VOID],
  ifI32: [0x04, I32],
  else: [0x05],
  end: [0x0b],
  return: [0x0f],
  drop: [0x1a],
  select: [0x1b],
  eqz: [0x45],
  eq: [0x46],
  ne: [0x47],
  ltS: [0x48],
  ltU: [0x49],
  gtS: [0x4a],
  gtU: [0x4b],
  leS: [0x4c],
  leU: [0x4d],
  geS: [0x4e],
  geU: [0x4f],
  add: [0x6a],
  sub: [0x6b],
  mul: [0x6c],
  divU: [0x6e],
  remU: [0x70],
  and: [0x71],
  or: [0x72],
  xor: [0x73],
  shl: [0x74],
  shrS: [0x75],
  shrU: [0x76],
  rotr: [0x78],
  wrap: [0xa7],
  extend8: [0xc0],
  extend16: [0xc1],
  eqz64: [0x50],
  ltS64: [0x53],
  add64: [0x7c],
  and64: [0x83],
  or64: [0x84],
  shrU64: [0x88],
};

function unsigned(value) {
  const bytes = [];
  do {
    const low = value & 0x7f;
    value >>>= 7;
    bytes.push(value ? low | 0x80 : low);
  } while (value);
  return bytes;
}

function signed(value, bits7 = (v) => v & 0x7f, rest = (v) => v >> 7) {
  const bytes = [];
  for (;;) {
    const low = bits7(value);
    value = rest(value);
    if ((value == 0 && !(low & 0x40)) || (value == -1 && low & 0x40)) return (bytes.push(low), bytes);
    bytes.push(low | 0x80);
  }
}

export const get = (local) => [0x20, ...unsigned(local)];
export const set = (local) => [0x21, ...unsigned(local)];
export const tee = (local) => [0x22, ...unsigned(local)];
export const br = (depth) => [0x0c, ...unsigned(depth)];
export const brIf = (depth) => [0x0d, ...unsigned(depth)];
export const constant = (value) => [0x41, ...signed(value | 0)];
export const constant64 = (value) => [
  0x42,
  ...signed(BigInt.asIntN(64, value), (v) => Number(v & 0x7fn), (v) => v >> 7n),
];
export const callIndirect = (type) => [0x11, ...unsigned(type), 0];

const memory = (code, align) => (offset) => [code, align, ...unsigned(offset)];
export const load32 = memory(0x28, 2);
export const load64 = memory(0x29, 0);
export const load8s = memory(0x2c, 0);
export const load8 = memory(0x2d, 0);
export const load16s = memory(0x2e, 1);
export const load16 = memory(0x2f, 1);
export const store32 = memory(0x36, 2);
export const store8 = memory(0x3a, 0);
export const store16 = memory(0x3b, 1);

const vector = (items) => [...unsigned(items.length), ...items.flat()];
const text = (string) => vector([...Buffer.from(string)].map((byte) => [byte]));
const section = (id, bytes) => [id, ...unsigned(bytes.length), ...bytes];

/** Types of functions that a module may have or call. */
export const BLOCK = 0; // (i64, i32) -> i64
export const DISPATCHER = 1; // (i32) -> i32
export const WRITER = 2; // (i32, i32)
const TYPES = [
  [0x60, ...vector([[I64], [I32]]), ...vector([[I64]])],
  [0x60, ...vector([[I32]]), ...vector([[I32]])],
  [0x60, ...vector([[I32], [I32]]), ...vector([])],
];
/** Imported functions: they come before the module's own. */
const IMPORTED = [
  ['read', DISPATCHER],
  ['write', WRITER],
];
export const callRead = [0x10, 0];
export const callWrite = [0x10, 1];

/**
 * A module that imports the memory `m.memory` and the functions `m.read` and `m.write`, and exports its functions by their
 * numbers. It imports the table `m.table` only if it calls by it: an entry of a table is written into every module that
 * has the table, and there are hundreds of modules and thousands of entries.
 * functions: `{type, i32, i64, body}`, the numbers of locals beside the parameters and the bytes without the last `end`.
 */
export function makeModule(functions, pages, withTable = false) {
  const code = functions.flatMap(({ i32, i64, body }) => {
    const locals = vector([[...unsigned(i32), I32], [...unsigned(i64), I64]]);
    return [Uint8Array.from([...unsigned(locals.length + body.length + 1), ...locals]), body, Uint8Array.from(op.end)];
  });
  const count = unsigned(functions.length);
  const size = code.reduce((sum, part) => sum + part.length, count.length);
  const head = [
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, vector(TYPES)),
    ...section(
      2,
      vector([
        [...text('m'), ...text('memory'), 2, 0, ...unsigned(pages)],
        ...(withTable ? [[...text('m'), ...text('table'), 1, FUNCREF, 0, 0]] : []),
        ...IMPORTED.map(([name, type]) => [...text('m'), ...text(name), 0, type]),
      ]),
    ),
    ...section(3, vector(functions.map(({ type }) => [type]))),
    ...section(7, vector(functions.map((_, i) => [...text(String(i)), 0, ...unsigned(IMPORTED.length + i)]))),
    ...[10, ...unsigned(size), ...count],
  ];
  return new WebAssembly.Module(Buffer.concat([Uint8Array.from(head), ...code]));
}
