export interface Tensor {
  readonly type: string;
  readonly dims: readonly number[];
  readonly data: TensorData;
}

export type TensorData =
  | Float32Array
  | Float64Array
  | Uint8Array
  | Int8Array
  | Uint16Array
  | Int16Array
  | Int32Array
  | BigInt64Array;

/** A tensor of pixels as levels 0 to 255, a quarter of the bytes of floats. The data is computed when it is read. */
export interface LevelTensor extends Tensor {
  readonly levels: Uint8Array;
  /** Value of each level, for each of the channels. */
  readonly tables: readonly (Float32Array | Uint8Array | Int32Array)[];
  /** True if each channel is a plane; false if the channels alternate. */
  readonly isPlanar: boolean;
}

export function levelTensor(
  { type, dims }: Pick<Tensor, 'type' | 'dims'>,
  { levels, tables, isPlanar }: Pick<LevelTensor, 'levels' | 'tables' | 'isPlanar'>,
): LevelTensor {
  let data: TensorData | undefined;
  return {
    type,
    dims,
    levels,
    tables,
    isPlanar,
    get data() {
      return (data ??= expanded({ levels, tables, isPlanar }));
    },
  };
}

/** The counterpart for local processes is in `resources/runtimes/onnx/server.cjs`. */
function expanded({ levels, tables, isPlanar }: Pick<LevelTensor, 'levels' | 'tables' | 'isPlanar'>): TensorData {
  const values = new (tables[0]!.constructor as Float32ArrayConstructor)(levels.length);
  const plane = levels.length / tables.length;
  const step = isPlanar ? 1 : tables.length;
  for (const [channel, table] of tables.entries()) {
    const start = isPlanar ? channel * plane : channel;
    for (let count = 0, at = start; count < plane; count += 1, at += step) {
      values[at] = table[levels[at] as number] as number;
    }
  }
  return values;
}

const hasLevels = (tensor: Tensor): tensor is LevelTensor => 'levels' in tensor;

/** The form that is sent to a process. Levels follow on another channel, so that they are not serialized. */
export function sentTensor(tensor: Tensor): object {
  if (!hasLevels(tensor)) return tensor;
  const { type, dims, levels, tables, isPlanar } = tensor;
  return { type, dims, count: levels.length, tables, isPlanar };
}

export const levelsOf = (tensor: Tensor): Uint8Array[] => (hasLevels(tensor) ? [tensor.levels] : []);

/** Bytes that a tensor occupies. */
export const bytesOf = (tensor: Tensor): number =>
  hasLevels(tensor) ? tensor.levels.byteLength : tensor.data.byteLength;

export type Outputs = Readonly<Record<string, Tensor>>;

export class UnexpectedOutput extends Error {}

/** Converts 64-bit integers to numbers; other data is returned unchanged. */
export function numbersOf({ data }: Tensor): ArrayLike<number> {
  return data instanceof BigInt64Array ? Float64Array.from(data, Number) : data;
}

export const sigmoid = (value: number): number => 1 / (1 + Math.exp(-value));

export function softmax(values: ArrayLike<number>): Float64Array {
  let most = Number.NEGATIVE_INFINITY;
  for (let index = 0; index < values.length; index += 1) most = Math.max(most, values[index] ?? 0);
  const powers = Float64Array.from(values, (value) => Math.exp(value - most));
  const sum = powers.reduce((total, value) => total + value, 0);
  return powers.map((value) => value / sum);
}

/** Removes leading dimensions of size 1, down to a rank. */
export function squeezed(dims: readonly number[], rank: number): readonly number[] {
  let first = 0;
  while (dims.length - first > rank && dims[first] === 1) first += 1;
  return dims.slice(first);
}

/** @throws UnexpectedOutput if no output matches */
export function outputLike(outputs: Outputs, what: string, fits: (tensor: Tensor, name: string) => boolean): Tensor {
  const found = Object.entries(outputs).find(([name, tensor]) => fits(tensor, name));
  if (found) return found[1];
  const seen = Object.entries(outputs).map(([name, { type, dims }]) => `${name} ${type} [${dims.join(', ')}]`);
  throw new UnexpectedOutput(`it has no output of type "${what}"; it returned ${seen.join(', ')}`);
}
