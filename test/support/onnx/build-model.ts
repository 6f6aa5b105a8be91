type Dimension = number | string;

interface Value {
  readonly name: string;
  readonly type?: 'float32' | 'uint8' | 'int64' | 'float16';
  readonly dims: readonly Dimension[];
}

export interface GraphNode {
  readonly operator: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly domain?: string;
  readonly attributes?: Readonly<Record<string, number | readonly number[] | string>>;
}

export interface Weights {
  readonly name: string;
  readonly dims: readonly number[];
  readonly values: Float32Array | BigInt64Array;
  /** Names an external data file instead of containing its values. */
  readonly elsewhere?: string;
}

export interface Graph {
  readonly inputs: readonly Value[];
  readonly outputs: readonly Value[];
  readonly nodes: readonly GraphNode[];
  readonly weights?: readonly Weights[];
  readonly metadata?: Readonly<Record<string, string>>;
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  while (rest > 0x7fn) {
    bytes.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  return Buffer.from([...bytes, Number(rest)]);
}

const whole = (field: number, value: number) => Buffer.concat([varint(field * 8), varint(value)]);
const part = (field: number, ...content: readonly (Buffer | string)[]) => {
  const bytes = Buffer.concat(content.map((one) => (typeof one === 'string' ? Buffer.from(one) : one)));
  return Buffer.concat([varint(field * 8 + 2), varint(bytes.length), bytes]);
};

const types = { float32: 1, uint8: 2, int64: 7, float16: 10 } as const;

function valueBytes({ name, type = 'float32', dims }: Value): Buffer {
  const sizes = dims.map((size) => part(1, typeof size === 'number' ? whole(1, size) : part(2, size)));
  return Buffer.concat([part(1, name), part(2, part(1, whole(1, types[type]), part(2, ...sizes)))]);
}

function tensorBytes({ name, dims, values, elsewhere }: Weights): Buffer {
  const type = values instanceof Float32Array ? types.float32 : types.int64;
  const head = [...dims.map((size) => whole(1, size)), whole(2, type), part(8, name)];
  if (elsewhere !== undefined) {
    return Buffer.concat([...head, part(13, part(1, 'location'), part(2, elsewhere)), whole(14, 1)]);
  }
  return Buffer.concat([...head, part(9, Buffer.from(values.buffer, values.byteOffset, values.byteLength))]);
}

function nodeBytes({ operator, inputs, outputs, domain, attributes = {} }: GraphNode): Buffer {
  const settings = Object.entries(attributes).map(([name, value]) => {
    if (typeof value === 'number') return part(5, part(1, name), whole(3, value), whole(20, 2));
    if (typeof value === 'string') return part(5, part(1, name), part(4, value), whole(20, 3));
    return part(5, part(1, name), ...value.map((one) => whole(8, one)), whole(20, 7));
  });
  return Buffer.concat([
    ...inputs.map((one) => part(1, one)),
    ...outputs.map((one) => part(2, one)),
    part(4, operator),
    ...settings,
    ...(domain === undefined ? [] : [part(7, domain)]),
  ]);
}

export function buildModel({ inputs, outputs, nodes, weights = [], metadata = {} }: Graph): Buffer {
  const graph = [
    ...nodes.map((one) => part(1, nodeBytes(one))),
    part(2, 'graph'),
    ...weights.map((one) => part(5, tensorBytes(one))),
    ...inputs.map((one) => part(11, valueBytes(one))),
    ...outputs.map((one) => part(12, valueBytes(one))),
  ];
  return Buffer.concat([
    whole(1, 8),
    part(2, 'tests'),
    part(7, ...graph),
    part(8, whole(2, 13)),
    ...Object.entries(metadata).map(([key, value]) => part(14, part(1, key), part(2, value))),
  ]);
}
