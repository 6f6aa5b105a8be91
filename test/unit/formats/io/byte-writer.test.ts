import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asciiPiece, type ByteWriter, createByteWriter } from '../../../../main/formats/io/byte-writer.ts';
import { createJsonWriter } from '../../../../main/formats/io/json-writer.ts';
import { createMemorySink } from '../../../support/memory-sink.ts';

async function written(write: (out: ByteWriter) => void): Promise<string> {
  const sink = createMemorySink();
  const out = createByteWriter(sink, 64);
  write(out);
  await out.flush();
  return sink.text();
}

/** Written text of each value. They share a sink, because creating one takes longer than writing a number. */
async function eachWritten<Value>(
  values: readonly Value[],
  write: (out: ByteWriter, value: Value) => void,
): Promise<string[]> {
  const text = await written((out) => {
    for (const value of values) {
      write(out, value);
      out.ascii('\n');
    }
  });
  return text.split('\n').slice(0, -1);
}

/** Two decimals of the exact binary value, ties to even, by integer arithmetic: the result of C's `%.2f`. */
function exactTwoDecimals(value: number): string {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, value);
  const isNegative = bits.getBigUint64(0) >> 63n === 1n;
  const rawExponent = Number((bits.getBigUint64(0) >> 52n) & 0x7ffn);
  const fraction = bits.getBigUint64(0) & 0xfffffffffffffn;
  const mantissa = rawExponent === 0 ? fraction : fraction | 0x10000000000000n;
  const shift = BigInt(Math.max(rawExponent, 1) - 1075);
  const numerator = 100n * (shift > 0n ? mantissa << shift : mantissa);
  const denominator = shift < 0n ? 1n << -shift : 1n;
  const [whole, rest] = [numerator / denominator, numerator % denominator];
  const isUp = rest * 2n > denominator || (rest * 2n === denominator && whole % 2n === 1n);
  const digits = String(isUp ? whole + 1n : whole).padStart(3, '0');
  return `${isNegative ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

const cents = fc.maxSafeInteger().map((value) => value / 100);
const anyNumber = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
  fc.maxSafeInteger(),
  cents,
  fc.integer({ min: -500_000, max: 500_000 }).map((value) => value / 100),
  fc.integer({ min: -50_000_000, max: 50_000_000 }).map((value) => value / 1000),
  fc.integer({ min: -8000, max: 8000 }).map((value) => value / 8),
);

const fifty = <Value>(one: fc.Arbitrary<Value>) => fc.array(one, { minLength: 50, maxLength: 50 });

describe('numbers as text', () => {
  it('have the digits of JSON.stringify', async () => {
    await fc.assert(
      fc.asyncProperty(fifty(anyNumber), async (values) => {
        expect(await eachWritten(values, (out, value) => out.number(value))).toEqual(
          values.map((value) => JSON.stringify(value)),
        );
      }),
      { numRuns: 100 },
    );
  });

  it('are right at the borders of the fast paths', async () => {
    const borders = [
      0,
      -0,
      0.01,
      0.1,
      9.99,
      10,
      99.9,
      100,
      1e7,
      19_999_999.99,
      20_000_000,
      2 ** 31,
      2 ** 53,
      1e21,
      5e-324,
    ];
    const values = borders.flatMap((border) => [border, -border, border + 0.01, border - 0.01]);
    expect(await eachWritten(values, (out, value) => out.number(value))).toEqual(
      values.map((value) => JSON.stringify(value)),
    );
  });

  it('are written from integer units without conversion to doubles', async () => {
    await fc.assert(
      fc.asyncProperty(fifty(fc.tuple(fc.maxSafeInteger(), fc.nat(9))), async (values) => {
        const expected = values.map(([units, exponent]) => {
          const digits = String(Math.abs(units)).padStart(exponent + 1, '0');
          const whole = digits.slice(0, digits.length - exponent);
          const fraction = digits.slice(digits.length - exponent).replace(/0+$/, '');
          return `${units < 0 ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
        });
        expect(await eachWritten(values, (out, [units, exponent]) => out.fixed(units, exponent))).toEqual(expected);
      }),
      { numRuns: 40 },
    );
  });

  it('with two decimals round the exact value, ties to even', async () => {
    const ties = fc.integer({ min: -100_000, max: 100_000 }).map((value) => value / 8);
    const values = fc.oneof(fc.double({ min: -1e9, max: 1e9, noNaN: true }), ties, anyNumber);
    await fc.assert(
      fc.asyncProperty(fifty(values), async (drawn) => {
        expect(await eachWritten(drawn, (out, value) => out.twoDecimals(value))).toEqual(drawn.map(exactTwoDecimals));
        const small = drawn.filter((value) => Math.abs(value) < 1e13);
        expect((await eachWritten(small, (out, value) => out.hundredths(value))).map(Number)).toEqual(
          small.map((value) => Number(exactTwoDecimals(value)) + 0),
        );
      }),
      { numRuns: 100 },
    );
  });

  it('are written in lists with commas', async () => {
    const values = [1, 2.5, -3.25, 1e-7];
    expect(await written((out) => out.numberList(values, 1, 4))).toBe('2.5,-3.25,1e-7');
    expect(await written((out) => out.fixedList(Int32Array.of(100, 250, -5), 2, 0, 3))).toBe('1,2.5,-0.05');
    expect(await written((out) => out.numberList(values, 2, 2))).toBe('');
  });
});

it('lists of integer units have the digits of single numbers, of any size and exponent', async () => {
  const unit = fc.oneof(
    fc.integer(),
    fc.integer({ min: 0, max: 2_000_000 }),
    fc.constantFrom(0, 9, 10, 99, 100, 9999, 10_000, 99_999, 100_000, 999_999, 1_000_000, -1),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(unit, { minLength: 1 }), fc.nat(6), fc.nat(3), async (units, exponent, from) => {
      const expected = await eachWritten(units.slice(from), (out, one) => out.fixed(one, exponent));
      const list = await written((out) => out.fixedList(Int32Array.from(units), exponent, from, units.length));
      expect(list).toBe(expected.join(','));
    }),
    { numRuns: 2000 },
  );
});

describe('text', () => {
  it('that is encoded in advance is the same each time', async () => {
    const ascii = fc.string({ unit: 'binary-ascii', maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(fc.array(ascii, { maxLength: 20 }), async (texts) => {
        const pieces = texts.map((text) => asciiPiece(text));
        const result = await written((out) => pieces.forEach((piece) => out.piece(piece)));
        expect(result).toBe(texts.join(''));
      }),
    );
  });

  it('is written in order and completely, with any size of the chunks', async () => {
    const piece = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ minLength: 40, maxLength: 300 }));
    await fc.assert(
      fc.asyncProperty(fc.array(piece), async (pieces) => {
        const sink = createMemorySink();
        const out = createByteWriter(sink, 16);
        for (const text of pieces) {
          out.text(text);
          if (out.isFull) await out.drain();
        }
        await out.flush();
        expect(sink.text()).toBe(Buffer.from(pieces.join('')).toString());
      }),
    );
  });

  it('of JSON strings and values reads back the same', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), fc.jsonValue(), async (text, value) => {
        const sink = createMemorySink();
        const json = createJsonWriter(sink);
        json.ascii('[');
        json.string(text);
        json.ascii(',');
        json.value(value);
        json.ascii(']');
        await json.flush();
        expect(JSON.parse(sink.text())).toEqual(JSON.parse(JSON.stringify([text, value])));
      }),
    );
  });

  it('reports a failing sink at the next drain or flush', async () => {
    const out = createByteWriter({ write: () => Promise.reject(new Error('disk full')) }, 4);
    out.ascii('12345');
    await out.drain();
    out.ascii('12345');
    await expect(out.drain()).rejects.toThrow('disk full');
  });
});
