import { byteOf, skipSpace, valueEnd } from '../../io/json-scan.ts';
import { parseJsonBytes } from '../../io/json-text.ts';

const { comma, colon, closeBrace } = byteOf;
const space = 0x20;
const zero = 0x30;
const minus = 0x2d;
const point = 0x2e;

/** Integers of this many digits fit 32 bits. */
const maxWholeDigits = 9;

/** Thrown for a text that needs `JSON.parse`, which also reports errors in it. */
export class UnclearText extends Error {}

/**
 * A position in a JSON text, for readers that know the expected structure. A class, because it is called for every
 * number.
 */
export class JsonCursor {
  bytes: Buffer = Buffer.alloc(0);
  at = 0;

  start(bytes: Buffer): void {
    this.bytes = bytes;
    this.at = 0;
  }

  get byte(): number | undefined {
    return this.bytes[this.at];
  }

  get isAtEnd(): boolean {
    return this.at === this.bytes.length;
  }

  /** Skips `count` bytes and the white space after them. */
  skip(count: number): void {
    const at = this.at + count;
    this.at = this.bytes[at]! <= space ? skipSpace(this.bytes, at, this.bytes.length) : at;
  }

  expect(byte: number): void {
    if (this.bytes[this.at] !== byte) throw new UnclearText();
    this.skip(1);
  }

  /** True if another member follows in the list or object. Moves past the comma or the closing bracket. */
  goesOn(close: number): boolean {
    this.skip(0);
    const byte = this.bytes[this.at];
    if (byte !== comma && byte !== close) throw new UnclearText();
    this.skip(1);
    return byte === comma;
  }

  /** Parses the value at this position with `JSON.parse`. */
  parsed(): unknown {
    const from = this.at;
    this.at = valueEnd(this.bytes, from, this.bytes.length);
    if (this.at <= from) throw new UnclearText();
    return parseJsonBytes(this.bytes.subarray(from, this.at));
  }

  /** Moves past `key` (with its quotes) and its colon; returns false if another key is next. */
  passKey(key: Buffer): boolean {
    const { bytes, at } = this;
    for (let index = 1; index < key.length; index += 1) if (bytes[at + index] !== key[index]) return false;
    this.skip(key.length);
    this.expect(colon);
    return true;
  }

  /** Reads a decimal without an exponent; undefined for any other value. */
  number(): number | undefined {
    const { bytes, at } = this;
    let place = bytes[at] === minus ? at + 1 : at;
    const first = place;
    let whole = 0;
    for (let digit = bytes[place]! ^ zero; digit <= 9; digit = bytes[place]! ^ zero) {
      whole = (whole * 10 + digit) | 0;
      place += 1;
    }
    const digits = place - first;
    if (digits === 0 || (digits > 1 && bytes[first] === zero)) return undefined;
    const isWhole = bytes[place] !== point;
    if (!isWhole) {
      const firstDecimal = place + 1;
      do place += 1;
      while ((bytes[place]! ^ zero) <= 9);
      if (place === firstDecimal) return undefined;
    }
    const next = bytes[place];
    if (next !== comma && next !== closeBrace) return undefined;
    this.at = place;
    return isWhole && digits <= maxWholeDigits && first === at ? whole : Number(bytes.toString('latin1', at, place));
  }
}
