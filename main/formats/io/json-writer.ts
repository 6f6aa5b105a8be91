import { type ByteSink, type ByteWriter, createByteWriter } from './byte-writer.ts';

/**
 * A byte writer with JSON strings and values. The caller writes objects and arrays piece by piece:
 * `json.ascii('{"id":'); json.number(1); json.ascii('}')`.
 */
export interface JsonWriter extends ByteWriter {
  string(text: string): void;
  /** Writes a JSON value with `JSON.stringify`; undefined becomes null. */
  value(value: unknown): void;
}

export function createJsonWriter(sink: ByteSink): JsonWriter {
  return asJsonWriter(createByteWriter(sink));
}

/** Adds methods for strings and values to the same writer. */
export function asJsonWriter(out: ByteWriter): JsonWriter {
  return Object.assign(out, {
    string(text: string): void {
      out.text(JSON.stringify(text));
    },
    value(value: unknown): void {
      out.text(JSON.stringify(value) ?? 'null');
    },
  });
}
