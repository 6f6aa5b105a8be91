import { byteOf, skipSpace, valueEnd } from '../../io/json-scan.ts';
import { parseJsonBytes } from '../../io/json-text.ts';

const { comma, colon, closeBrace } = byteOf;
const space = 0x20;
const zero = 0x30;
const minus = 0x2d;
const point = 0x2e;

/** So many digits are a whole number of 32 bits. */
const maxWholeDigits = 9;

/** Thrown where a text is not plain enough for a reader of its own, or wrong: what it holds is for `JSON.parse` to say. */
export class UnclearText extends Error {}

/** A place in a JSON text, for readers that know what to expect there. A class, for it is asked for every number. */
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

  /** Moves to the byte behind the next ones, and behind the white space there. */
  skip(count: number): void {
    const at = this.at + count;
    this.at = this.bytes[at]! <= space ? skipSpace(this.bytes, at, this.bytes.length) : at;
  }

  expect(byte: number): void {
    if (this.bytes[this.at] !== byte) throw new UnclearText();
    this.skip(1);
  }

  /** Whether the list or object goes on behind one of its members; moves behind the comma, or behind its end. */
  goesOn(close: number): boolean {
    this.skip(0);
    const byte = this.bytes[this.at];
    if (byte !== comma && byte !== close) throw new UnclearText();
    this.skip(1);
    return byte === comma;
  }

  /** The value here, as `JSON.parse` reads it. */
  parsed(): unknown {
    const from = this.at;
    this.at = valueEnd(this.bytes, from, this.bytes.length);
    if (this.at <= from) throw new UnclearText();
    return parseJsonBytes(this.bytes.subarray(from, this.at));
  }

  /** Moves behind a key, which is given in its quotes, and behind its colon; false where another one stands. */
  passKey(key: Buffer): boolean {
    const { bytes, at } = this;
    for (let index = 1; index < key.length; index += 1) if (bytes[at + index] !== key[index]) return false;
    this.skip(key.length);
    this.expect(colon);
    return true;
  }

  /** A member's value, if it is a decimal without an exponent. */
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
