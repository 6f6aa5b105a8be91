import type { Outputs, Tensor, TensorData } from '../tensor.ts';

/**
 * Tensors to and from a container: header length (4 bytes, little-endian), JSON header, then the numbers of all
 * tensors. The counterpart is `resources/runtimes/onnx/handler.py`.
 */
interface Header {
  readonly file?: string;
  readonly tensors: readonly {
    readonly name: string;
    readonly type: string;
    readonly dims: readonly number[];
    readonly bytes: number;
  }[];
}

const arrays: Readonly<Record<string, new (buffer: ArrayBuffer) => TensorData>> = {
  float32: Float32Array,
  float64: Float64Array,
  uint8: Uint8Array,
  int8: Int8Array,
  uint16: Uint16Array,
  int16: Int16Array,
  int32: Int32Array,
  int64: BigInt64Array,
};

/** Returns pieces, so that large tensors are not copied. */
export function tensorsToFrame(file: string, feeds: Readonly<Record<string, Tensor>>): Uint8Array[] {
  const all = Object.entries(feeds);
  const tensors = all.map(([name, { type, dims, data }]) => ({ name, type, dims, bytes: data.byteLength }));
  const header = Buffer.from(JSON.stringify({ file, tensors } satisfies Header));
  const size = Buffer.alloc(4);
  size.writeUInt32LE(header.length);
  return [size, header, ...all.map(([, { data }]) => new Uint8Array(data.buffer, data.byteOffset, data.byteLength))];
}

/** @throws Error for an invalid frame */
export function tensorsFromFrame(frame: Buffer): Outputs {
  let offset = 4 + frame.readUInt32LE(0);
  // Written by Limner's own handler; invalid sizes are detected below.
  const { tensors } = JSON.parse(frame.toString('utf8', 4, offset)) as Header;
  const outputs = tensors.map(({ name, type, dims, bytes }): [string, Tensor] => {
    const Numbers = arrays[type];
    const end = offset + bytes;
    if (Numbers === undefined || end > frame.length) throw new Error(`an output of type ${type} is incomplete`);
    // Copied, because typed arrays need aligned offsets.
    const data = new Numbers(new Uint8Array(frame.subarray(offset, end)).buffer);
    offset = end;
    return [name, { type, dims, data }];
  });
  return Object.fromEntries(outputs);
}
