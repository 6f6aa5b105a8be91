const types = { Uint8Array, Uint16Array, Uint32Array, Float32Array, Float64Array };
type Column = Uint8Array | Uint16Array | Uint32Array | Float32Array | Float64Array;
type Columns = Readonly<Record<string, Column>>;

const isTypeName = (name: string): name is keyof typeof types => name in types;
const padded = (length: number): number => Math.ceil(length / 8) * 8;

/** Typed arrays in one buffer behind a JSON header with names, types and lengths; the storage format of columns. */
export function packColumns(columns: Columns): Uint8Array {
  const entries = Object.entries(columns);
  const head = Buffer.from(
    JSON.stringify(entries.map(([name, column]) => [name, column.constructor.name, column.length])),
  );
  const start = padded(4 + head.length);
  const packed = new Uint8Array(entries.reduce((size, [, column]) => size + padded(column.byteLength), start));
  new DataView(packed.buffer).setUint32(0, head.length, true);
  packed.set(head, 4);
  let at = start;
  for (const [, column] of entries) {
    packed.set(new Uint8Array(column.buffer, column.byteOffset, column.byteLength), at);
    at += padded(column.byteLength);
  }
  return packed;
}

/** @param given result of `packColumns` for columns with these names and types */
export function unpackColumns<Named extends object>(given: Uint8Array): Named {
  // Copied, because typed arrays must start at a multiple of their element size.
  const bytes = Uint8Array.from(given);
  const length = new DataView(bytes.buffer).getUint32(0, true);
  const head = JSON.parse(Buffer.from(bytes.buffer, 4, length).toString()) as [string, string, number][];
  const columns: Record<string, Column> = {};
  let at = padded(4 + length);
  for (const [name, type, count] of head) {
    if (!isTypeName(type)) throw new Error(`There are no columns of ${type}.`);
    columns[name] = new types[type](bytes.buffer, at, count);
    at += padded(columns[name].byteLength);
  }
  return columns as unknown as Named;
}
