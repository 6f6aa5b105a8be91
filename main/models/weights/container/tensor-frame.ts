import type { Outputs, Tensor, TensorData } from '../tensor.ts';

/**
 * Tensors on their way to a container and back: the length of the header (four bytes, the least first), the header, and
 * the numbers of all tensors one after the other. The other side is `resources/runtimes/onnx/handler.py`.
 */
interface Header {
  /** Which of the model's files is run; of an answer nothing. */
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

/** In pieces, so that nothing large is copied. */
export function tensorsToFrame(file: string, feeds: Readonly<Record<string, Tensor>>): Uint8Array[] {
  const all = Object.entries(feeds);
  const tensors = all.map(([name, { type, dims, data }]) => ({ name, type, dims, bytes: data.byteLength }));
  const header = Buffer.from(JSON.stringify({ file, tensors } satisfies Header));
  const size = Buffer.alloc(4);
  size.writeUInt32LE(header.length);
  return [size, header, ...all.map(([, { data }]) => new Uint8Array(data.buffer, data.byteOffset, data.byteLength))];
}

/** @throws Error where it is no such frame */
export function tensorsFromFrame(frame: Buffer): Outputs {
  let offset = 4 + frame.readUInt32LE(0);
  // The container's own handler wrote it, in this form; a size that is wrong is found below.
  const { tensors } = JSON.parse(frame.toString('utf8', 4, offset)) as Header;
  const outputs = tensors.map(({ name, type, dims, bytes }): [string, Tensor] => {
    const Numbers = arrays[type];
    const end = offset + bytes;
    if (Numbers === undefined || end > frame.length) throw new Error(`an output of the type ${type} is not whole`);
    // A copy: arrays of numbers begin where their size divides.
    const data = new Numbers(new Uint8Array(frame.subarray(offset, end)).buffer);
    offset = end;
    return [name, { type, dims, data }];
  });
  return Object.fromEntries(outputs);
}
