import type { Tensor, TensorData } from '../tensor.ts';

/** Names of types in the Open Inference Protocol, by ONNX's names. */
export const typeNames: Readonly<Record<string, string>> = {
  bool: 'BOOL',
  uint8: 'UINT8',
  uint16: 'UINT16',
  int8: 'INT8',
  int16: 'INT16',
  int32: 'INT32',
  int64: 'INT64',
  float16: 'FP16',
  float32: 'FP32',
  float64: 'FP64',
  string: 'BYTES',
};

export const typeOfName = (datatype: string): string =>
  Object.entries(typeNames).find(([, name]) => name === datatype)?.[0] ?? datatype.toLowerCase();

type NumberArray = Float32Array | Float64Array | Uint8Array | Int8Array | Uint16Array | Int16Array | Int32Array;
type Numbers = { new (buffer: ArrayBuffer): NumberArray; from(values: Iterable<number>): NumberArray };

const arrays: Readonly<Record<string, Numbers>> = {
  BOOL: Uint8Array,
  UINT8: Uint8Array,
  UINT16: Uint16Array,
  INT8: Int8Array,
  INT16: Int16Array,
  INT32: Int32Array,
  FP32: Float32Array,
  FP64: Float64Array,
};

/** Not in all versions of Node. */
function requireHalf(): void {
  if (typeof Float16Array === 'undefined') throw new Error('this Node does not support 16-bit floats');
}

/** Little-endian bytes; 16-bit floats are float32 in Limner. */
export function binaryOf({ type, data }: Tensor): Uint8Array {
  if (type === 'float16') requireHalf();
  const { buffer, byteOffset, byteLength } = type === 'float16' ? Float16Array.from(data as NumberArray) : data;
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** @throws Error for a type without numbers */
export function arrayOf(datatype: string, values: Buffer | readonly unknown[]): TensorData {
  // Copied, because typed arrays need aligned offsets.
  const bytes = Buffer.isBuffer(values) ? new Uint8Array(values).buffer : null;
  const list = bytes === null ? (values as readonly unknown[]) : [];
  if (datatype === 'INT64') {
    return bytes === null ? BigInt64Array.from(list, (value) => BigInt(Number(value))) : new BigInt64Array(bytes);
  }
  if (datatype === 'FP16' && bytes !== null) {
    requireHalf();
    return Float32Array.from(new Float16Array(bytes));
  }
  const Numbers = datatype === 'FP16' ? Float32Array : arrays[datatype];
  if (Numbers === undefined) throw new Error(`outputs of type ${datatype} are not supported`);
  return bytes === null ? Numbers.from(list.map(Number)) : new Numbers(bytes);
}
