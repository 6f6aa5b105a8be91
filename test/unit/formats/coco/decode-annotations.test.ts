import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CocoAnnotation } from '../../../../main/formats/coco/fast/coco-annotation.ts';
import { createAnnotationDecoder } from '../../../../main/formats/coco/fast/decode-annotations.ts';
import { DecimalPoints } from '../../../../main/formats/coco/fast/decimal-points.ts';

const fields = [
  'id',
  'image_id',
  'category_id',
  'segmentation',
  'bbox',
  'area',
  'iscrowd',
  'score',
  'attributes',
  'keypoints',
  'num_keypoints',
] as const satisfies readonly (keyof CocoAnnotation)[];

/** Decoder's result for a text, with polygons as lists; undefined if it falls back to JSON.parse. */
function decoded(text: string, decode = createAnnotationDecoder()): object[] | undefined {
  return decode(Buffer.from(text))?.map(({ others: _others, ...item }) => {
    const { segmentation } = item;
    const isPolygon = segmentation instanceof DecimalPoints;
    return { ...item, segmentation: isPolygon ? [segmentation.numbers()] : segmentation };
  });
}

/** The relevant fields from JSON.parse. The box is not needed beside a polygon of decimals. */
function expected(text: string, got: readonly object[]): object[] {
  const parsed = JSON.parse(text) as Record<string, unknown>[];
  return parsed.map((item, index) => {
    const kept = Object.fromEntries(fields.map((field) => [field, item[field]]));
    const isSpared = (got[index] as CocoAnnotation).bbox === undefined && Array.isArray(item['segmentation']);
    return isSpared ? { ...kept, bbox: undefined } : kept;
  });
}

function expectSame(text: string): boolean {
  const got = decoded(text);
  if (got) expect(got).toStrictEqual(expected(text, got));
  return got !== undefined;
}

describe('decodes annotations in the usual layouts', () => {
  const polygon = '[[10.5,20,30.25,40,50,60.125]]';
  const plain = `{"segmentation":${polygon},"area":702.1057499999998,"iscrowd":0,"image_id":9,"bbox":[1,2,3.5,4],"category_id":18,"id":1768}`;

  test.each([
    ['without spaces', `[${plain},${plain}]`],
    ['with the spaces of Python', `[${plain.replaceAll(',', ', ').replaceAll(':', ': ')}, ${plain}]`],
    ['indented', `[\n  ${plain.replaceAll(',', ',\n    ')}\r\n]`],
    ['with several polygons', `[${plain.replace(polygon, '[[1,2,3,4,5,6.5],[7,8,9,10,11,12]]')}]`],
    ['with a box alone', '[{"id":1,"image_id":2,"category_id":3,"bbox":[0.5,1,2,3],"segmentation":[]}]'],
    ['with run lengths', '[{"id":1,"segmentation":{"size":[4,4],"counts":"04L0"},"iscrowd":1,"bbox":[0,0,4,4]}]'],
    ['with attributes and fields of others', '[{"id":1,"attributes":{"a":"é"},"colour":"red \\"","x":[1,[2]]}]'],
    ['with negative and long numbers', '[{"id":-5,"bbox":[-1.5,0.1234567890123,1e3,2],"area":1.5e-7}]'],
    ['empty', '[{}, {"id":7}]'],
  ])('%s', (_, text) => {
    const got = decoded(text);
    expect(got).toBeDefined();
    expect(got).toStrictEqual(expected(text, got ?? []));
  });

  test('keeps the decimals of a single polygon', () => {
    const [segmentation] = (createAnnotationDecoder()(Buffer.from(`[${plain}]`)) ?? []).map(
      (item) => item.segmentation,
    );
    const units = new Int32Array(6);
    if (!(segmentation instanceof DecimalPoints)) throw new Error('The polygon is no list of decimals.');
    expect(segmentation.read(units)).toEqual({ count: 6, exponent: 3 });
    expect([...units]).toEqual([10_500, 20_000, 30_250, 40_000, 50_000, 60_125]);
  });

  test('reads a key with an escape, or twice, like JSON', () => {
    expectSame('[{"\\u0069d":4,"id":5}]');
    expectSame('[{"id":5,"\\u0069d":4}]');
    expectSame('[{"__proto__":{"id":1},"id":2}]');
  });
});

test('separates other members, with any names', () => {
  const [item] = createAnnotationDecoder()(Buffer.from('[{"caption":"red","__proto__":[1],"id":3}]')) ?? [];
  expect(Object.entries(item?.others ?? {})).toEqual([
    ['caption', 'red'],
    ['__proto__', [1]],
  ]);
});

describe('leaves unusual texts to JSON.parse', () => {
  test.each([
    ['01', '[{"id":01}]'],
    ['a number without digits behind its point', '[{"bbox":[1.,2]}]'],
    ['a lonely minus', '[{"bbox":[-]}]'],
    ['a comma too many', '[{"bbox":[1,2,]}]'],
    ['a comma before the end', '[{"id":1},]'],
    ['no comma', '[{"id":1}{"id":2}]'],
    ['a wrong word', '[{"other":tru}]'],
    ['a value that is no object', '[1,{"id":1}]'],
    ['text behind the list', '[{"id":1}] x'],
    ['a list that is cut off', '[{"segmentation":[[1,2,3'],
    ['an object that is cut off', '[{"id":1'],
    ['a second segmentation', `[{"segmentation":[[1,2,3,4,5,6]],"bbox":[1,2,3,4],"segmentation":[]}]`],
    ['nothing', ''],
  ])('%s', (_, text) => expect(decoded(text)).toBeUndefined());

  test('leaves invalid UTF-8 to JSON.parse', () => {
    const bytes = Buffer.concat([Buffer.from('[{"name":"'), Buffer.from([0xff]), Buffer.from('"}]')]);
    expect(createAnnotationDecoder()(bytes)).toBeUndefined();
  });
});

const number = fc.oneof(
  fc.integer({ min: -700, max: 5000 }).map((value) => value / 100),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(0, -0, 1e21, 123_456_789, 1_234_567_890, 0.000_000_1),
);
const numbers = fc.array(number, { maxLength: 14 });
const field = fc.oneof(number, numbers, fc.array(numbers, { maxLength: 3 }), fc.jsonValue({ maxDepth: 2 }));
const annotation = fc.dictionary(fc.oneof(fc.constantFrom(...fields), fc.string({ maxLength: 4 })), field);

test('any annotations give the same as JSON.parse, or fall back to it', () => {
  let said = 0;
  fc.assert(
    fc.property(fc.array(annotation, { maxLength: 4 }), fc.constantFrom(0, 1), (items, indent) => {
      if (expectSame(JSON.stringify(items, null, indent))) said += 1;
    }),
    { numRuns: 500 },
  );
  expect(said, 'a decoder that leaves all to JSON.parse is none').toBeGreaterThan(250);
});

test('any changed byte of the text gives the same as JSON.parse, or falls back to it', () => {
  const decode = createAnnotationDecoder();
  const list = fc.array(annotation, { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(list, fc.nat(), fc.constantFrom(...'[]{},:"-.0e1 \\x'), (items, at, byte) => {
      const text = JSON.stringify(items);
      const place = at % text.length;
      const changed = text.slice(0, place) + byte + text.slice(place + 1);
      const got = decoded(changed, decode);
      if (got) expect(got).toStrictEqual(expected(changed, got));
    }),
    { numRuns: 2000 },
  );
});
