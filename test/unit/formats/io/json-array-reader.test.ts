import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { streamInput } from '../../../../main/formats/io/byte-input.ts';
import {
  type JsonArrayOptions,
  type JsonBadElement,
  readJsonArrays,
} from '../../../../main/formats/io/json-array-reader.ts';

type Bytes = Uint8Array | string;

async function* chunksOf(bytes: Uint8Array, chunkBytes: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
}

function inputOf(text: Bytes, chunkBytes = 1 << 16) {
  return streamInput(chunksOf(typeof text === 'string' ? Buffer.from(text) : text, chunkBytes));
}

/** Reassembles a document from the parts of the reader; the last of several equal keys wins. */
async function assemble(text: Bytes, options: JsonArrayOptions = {}, chunkBytes = 1 << 16): Promise<unknown> {
  const members: [string, unknown][] = [];
  let whole: unknown;
  let isObject = true;
  await readJsonArrays(inputOf(text, chunkBytes), {
    ...options,
    array: (key) => {
      const list: unknown[] = [];
      if (key === undefined) {
        isObject = false;
        whole = list;
      } else members.push([key, list]);
      return (items, firstIndex) => {
        expect(firstIndex).toBe(list.length);
        list.push(...items);
      };
    },
    value: (key, value) => {
      if (key === undefined) {
        isObject = false;
        whole = value;
      } else members.push([key, value]);
    },
  });
  return isObject ? Object.fromEntries(members) : whole;
}

function parseStrictly(bytes: Uint8Array): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) };
  } catch {
    return undefined;
  }
}

async function assembleOrRefuse(bytes: Uint8Array, chunkBytes: number): Promise<{ value: unknown } | undefined> {
  try {
    return { value: await assemble(bytes, {}, chunkBytes) };
  } catch (error) {
    expect(error).toMatchObject({ name: 'AppError', code: 'invalid' });
    return undefined;
  }
}

const space = fc.constantFrom('', '', ' ', '\n', '\r\n  ', '\t');

/** JSON text of a value with any white space that the grammar allows. */
function spaced(value: unknown, next: () => string): string {
  if (Array.isArray(value)) return `[${value.map((item) => next() + spaced(item, next) + next()).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(
      ([key, item]) => `${next()}${JSON.stringify(key)}${next()}:${next()}${spaced(item, next)}${next()}`,
    );
    return `{${members.join(',')}}`;
  }
  return JSON.stringify(value);
}

describe('readJsonArrays', () => {
  it('returns the same as JSON.parse, for any document and any chunks', async () => {
    const element = fc.oneof(
      fc.jsonValue(),
      fc.record({
        id: fc.integer(),
        segmentation: fc.array(fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }))),
      }),
    );
    const document = fc.dictionary(fc.string(), fc.oneof(fc.array(element, { maxLength: 20 }), fc.jsonValue()));
    await fc.assert(
      fc.asyncProperty(
        document,
        fc.array(space, { minLength: 1 }),
        fc.integer({ min: 1, max: 70 }),
        async (value, spaces, chunk) => {
          let turn = 0;
          const text = spaces[0] + spaced(value, () => spaces[(turn += 1) % spaces.length] ?? '');
          expect(await assemble(text, {}, chunk)).toEqual(JSON.parse(text));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('accepts and refuses exactly the same as JSON.parse when bytes are damaged', async () => {
    const base = Buffer.from(
      JSON.stringify({
        info: { year: 2026, note: 'ä "quoted" \\ \u{1F408}' },
        images: [
          { id: 1, file_name: 'a.jpg' },
          { id: 2, file_name: 'b.jpg' },
        ],
        annotations: [{ id: 1, bbox: [1.5, 2, -3e-7, 0], seg: [[1, 2], []] }, { id: 2 }, 7, null, 'x', [true, false]],
      }),
    );
    const interesting = fc.constantFrom(...Buffer.from('{}[]",:\\ 0e-.tn\u0000\n'), 0x80, 0xc3, 0xff, 0xef);
    const edits = fc.array(
      fc.record({
        at: fc.nat(base.length - 1),
        byte: fc.oneof(interesting, fc.nat(255)),
        how: fc.constantFrom('replace', 'insert', 'remove', 'cut'),
      }),
      { minLength: 1, maxLength: 3 },
    );
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(edits, fc.integer({ min: 1, max: 400 }), async (list, chunk) => {
        let bytes: Buffer = base;
        for (const { at, byte, how } of list) {
          const before = bytes.subarray(0, at);
          const behind = bytes.subarray(how === 'insert' ? at : at + 1);
          bytes = Buffer.concat(
            how === 'cut' ? [before] : how === 'remove' ? [before, behind] : [before, Buffer.of(byte), behind],
          );
        }
        const expected = parseStrictly(bytes);
        refused += expected ? 0 : 1;
        expect(await assembleOrRefuse(bytes, chunk)).toEqual(expected);
      }),
      { numRuns: 3000 },
    );
    expect(refused).toBeGreaterThan(500);
  });

  const deep = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
  const corners: readonly (readonly [name: string, text: string | Uint8Array])[] = [
    ['nothing', ''],
    ['white space', ' \n\t\r '],
    ['a form feed', '\f'],
    ['a bare number', '42'],
    ['a bare word', 'true'],
    ['half a word', 'tru'],
    ['a bare string', '"text"'],
    ['an open string', '"text'],
    ['two documents', '{}{}'],
    ['a trailing comma', '[1,]'],
    ['a leading comma', '[,1]'],
    ['a double comma', '[1,,2]'],
    ['a missing comma', '[1 2]'],
    ['a comma at the end of an object', '{"a":1,}'],
    ['a colon in a list', '["a":1]'],
    ['a list closed as an object', '[1}'],
    ['an object closed as a list', '{"a":[1}]'],
    ['a key without quotes', '{a:1}'],
    ['a number as key', '{1:1}'],
    ['a key without a value', '{"a"}'],
    ['equal keys', '{"a":[1],"a":[2,3],"a":{"b":4}}'],
    ['the key __proto__', '{"__proto__":[{"__proto__":{"x":1}}],"b":[{"constructor":{"prototype":{}}}]}'],
    ['an empty key', '{"":[1]}'],
    ['a leading zero', '[01]'],
    ['a plus sign', '[+1]'],
    ['a hexadecimal number', '[0x1]'],
    ['a number that ends in a dot', '[1.]'],
    ['a number beyond the doubles', '[1e309,-1e309,1e-400]'],
    ['an exponent without digits', '[1e]'],
    ['minus alone', '[-]'],
    ['minus zero', '[-0]'],
    ['a comment', '[1/* no */]'],
    ['single quotes', "['a']"],
    ['a line feed in a string', '["a\nb"]'],
    ['a tab in a string', '["a\tb"]'],
    ['a NUL in a string', '["a\u0000b"]'],
    ['a bad escape', '["\\x"]'],
    ['half a Unicode escape', '["\\u12"]'],
    ['an escaped quote before the end', '["a\\"]'],
    ['two backslashes before the end', '["a\\\\"]'],
    ['a lone surrogate, escaped', '["\\ud800"]'],
    ['the line separator', '["\u2028"]'],
    ['a no-break space between', '[1,\u00a02]'],
    ['a byte order mark inside', '[1,\ufeff2]'],
    ['brackets in strings', '[{"a":"]}[{"},{"b":"\\"]"}]'],
    ['500 nested lists', deep(500)],
    ['100,000 open lists', '['.repeat(100_000)],
    ['100,000 open objects', '{"a":'.repeat(100_000)],
    ['bytes that are no UTF-8 in a string', Buffer.from([0x5b, 0x22, 0xff, 0x22, 0x5d])],
    ['an overlong form', Buffer.from([0x5b, 0x22, 0xc0, 0xaf, 0x22, 0x5d])],
    ['a surrogate in UTF-8', Buffer.from([0x5b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x5d])],
    ['UTF-16', Buffer.from('\ufeff[1]', 'utf16le')],
  ];

  it.each(corners)('agrees with JSON.parse on %s', async (_name, text) => {
    const bytes = Buffer.from(text);
    for (const chunk of [1, 3, 1 << 16]) expect(await assembleOrRefuse(bytes, chunk)).toEqual(parseStrictly(bytes));
  });

  it.each(corners)('agrees with JSON.parse on %s inside an annotation', async (_name, text) => {
    const wrapped = Buffer.concat([
      Buffer.from('{"annotations":[{"id":1,"x":'),
      Buffer.from(text),
      Buffer.from('},{"id":2}]}'),
    ]);
    for (const chunk of [2, 1 << 16]) expect(await assembleOrRefuse(wrapped, chunk)).toEqual(parseStrictly(wrapped));
  });

  it('accepts a byte order mark at the start', async () => {
    expect(await assemble('\ufeff{"a":[1]}')).toEqual({ a: [1] });
  });

  it('leaves the prototypes of objects alone', async () => {
    const document = (await assemble('{"annotations":[{"__proto__":{"polluted":1}}]}')) as { annotations: object[] };
    expect(Object.getPrototypeOf(document.annotations[0])).toBe(Object.prototype);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  it('accepts 100,000 nested lists, like JSON.parse', async () => {
    for (const text of [deep(100_000), `{"annotations":[{"x":${deep(100_000)}}]}`]) {
      let elements = 0;
      await readJsonArrays(inputOf(text), { array: () => (items) => void (elements += items.length) });
      expect(elements).toBe(1);
    }
  });

  it('refuses absurd nesting', async () => {
    await expect(assemble(deep(300_000))).rejects.toMatchObject({ code: 'invalid' });
  });

  it('returns megabytes of elements whose parts look like separators', async () => {
    const annotations = Array.from({ length: 30_000 }, (_, id) => ({
      id,
      text: id % 7 === 0 ? '},{"id":' : 'ü'.repeat(id % 5),
      parts: [{ id: 1 }, { id: 2 }],
      numbers: Array.from({ length: id % 40 }, (_value, index) => index / 100),
    }));
    for (const text of [
      JSON.stringify({ annotations, after: [1] }),
      JSON.stringify({ annotations }, undefined, 1),
      JSON.stringify({
        annotations: annotations.map(({ id, ...rest }) => (id % 2 === 0 ? { id, ...rest } : { ...rest, id })),
      }),
    ]) {
      expect(await assemble(text, {}, 100_000)).toEqual(JSON.parse(text));
    }
  });

  it('reads elements that are larger than a batch', async () => {
    const large = Array.from({ length: 200_000 }, (_, index) => index % 1000);
    const text = JSON.stringify({ a: [{ id: 1, large }, { id: 2, large: 'x'.repeat(1_500_000) }, { id: 3 }] });
    expect(await assemble(text)).toEqual(JSON.parse(text));
  });

  it('names an invalid element, and continues after it', async () => {
    const elements = Array.from({ length: 20_000 }, (_, id) => `{"id":${id},"n":[1.5,2]}`);
    elements[17] = '{"id":17,"n":[1.5,,2]}';
    elements[18] = '{"id":18 "n":1}';
    elements[19_999] = 'nul';
    const bad: JsonBadElement[] = [];
    const ids: number[] = [];
    await readJsonArrays(inputOf(`{"annotations":[${elements.join(', ')}],"categories":[1]}`), {
      array: (key) => (items, firstIndex) => {
        if (key === 'categories') return void ids.push(-1);
        for (const [offset, item] of items.entries()) {
          const { id } = item as { id: number };
          expect(id).toBe(firstIndex + offset);
          ids.push(id);
        }
      },
      bad: (element) => bad.push(element),
    });
    expect(bad.map(({ key, index }) => `${key}[${index}]`)).toEqual([
      'annotations[17]',
      'annotations[18]',
      'annotations[19999]',
    ]);
    expect(ids).toHaveLength(20_000 - 3 + 1);
  });

  it('names the element with invalid UTF-8', async () => {
    const bad: JsonBadElement[] = [];
    const items: unknown[] = [];
    const bytes = Buffer.concat([Buffer.from('{"a":[{"x":"'), Buffer.of(0xff), Buffer.from('"},{"x":"ä"}]}')]);
    await readJsonArrays(inputOf(bytes), {
      array: () => (list) => void items.push(...list),
      bad: (element) => bad.push(element),
    });
    expect(bad).toMatchObject([{ key: 'a', index: 0 }]);
    expect(items).toEqual([{ x: 'ä' }]);
  });

  it('reports where a file is truncated', async () => {
    const whole = JSON.stringify({
      annotations: Array.from({ length: 5000 }, (_, id) => ({ id, bbox: [1, 2, 3, 4] })),
    });
    for (const length of [1, 30, 1000, whole.length - 1]) {
      await expect(assemble(whole.slice(0, length))).rejects.toThrow(/cut off|cannot be read/);
    }
  });

  it('skips an array without reading it, and stops at a key', async () => {
    const text = '{"a":[{"x":[1,"]"]}, nonsense ],"b":[1,2],"c":[3]}';
    const seen: unknown[] = [];
    await readJsonArrays(inputOf(text, 3), {
      array: (key) => (key === 'a' ? 'skip' : (items) => void seen.push([key, ...items])),
      stopAtKey: () => text.indexOf('"c"'),
    });
    expect(seen).toEqual([['b', 1, 2]]);
  });

  it('starts at a key and reads nothing else', async () => {
    expect(await assemble('"b":[1],"c":2}', { startsAtKey: true })).toEqual({ b: [1], c: 2 });
    await expect(assemble('"b":[1]]}', { startsAtKey: true })).rejects.toMatchObject({ code: 'invalid' });
  });

  it('reads the members of an object one by one, and continues after an invalid one', async () => {
    const text = '{"a": 1, "things": {"x": {"n": [1]}, "y": {"n": 1,,2}, "z": {}, "list": [1, 2]}, "none": {}, "b": 2}';
    for (const chunkBytes of [1, 7, 1 << 16]) {
      const seen: unknown[] = [];
      await readJsonArrays(inputOf(text, chunkBytes), {
        value: (key, value) => void seen.push([key, value]),
        object: (key) =>
          key === 'b'
            ? undefined
            : {
                value: (name, value) => void seen.push([`${key}.${name ?? ''}`, value]),
                badValue: (name, reason) => void seen.push([`${key}.${name}`, reason]),
                array: (name) => (items) => void seen.push([`${key}.${name ?? ''}`, items]),
              },
      });
      expect(seen).toEqual([
        ['a', 1],
        ['things.x', { n: [1] }],
        ['things.y', expect.stringContaining('is not valid JSON')],
        ['things.z', {}],
        ['things.list', [1, 2]],
        ['b', 2],
      ]);
    }
    const inner = { object: () => ({ value: () => undefined }) };
    for (const cut of [
      '{"a": {',
      '{"a": {"b": 1',
      '{"a": {"b": 1}',
      '{"a": {"b": 1}]',
      '{"a": {"b" 1}}',
      '{"a": {"b": nul}}',
    ])
      await expect(readJsonArrays(inputOf(cut), inner)).rejects.toMatchObject({ code: 'invalid' });
  });

  it('ends when it is cancelled', async () => {
    const controller = new AbortController();
    const text = JSON.stringify({ a: Array.from({ length: 400_000 }, (_, id) => ({ id })) });
    const reading = readJsonArrays(inputOf(text), {
      signal: controller.signal,
      array: () => () => controller.abort(new Error('stop')),
    });
    await expect(reading).rejects.toThrow('stop');
  });
});
