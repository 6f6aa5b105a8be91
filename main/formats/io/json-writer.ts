import { type ByteSink, type ByteWriter, createByteWriter } from './byte-writer.ts';

/**
 * A byte writer with JSON's strings and values. Objects and arrays are written by the caller, piece by piece:
 * `json.ascii('{"id":'); json.number(1); json.ascii('}')`.
 */
export interface JsonWriter extends ByteWriter {
  /** A quoted and escaped string. */
  string(text: string): void;
  /** Any JSON value, through `JSON.stringify`; undefined is written as null. */
  value(value: unknown): void;
}

export function createJsonWriter(sink: ByteSink): JsonWriter {
  return asJsonWriter(createByteWriter(sink));
}

/** The same writer, which can now write strings and values too. */
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
