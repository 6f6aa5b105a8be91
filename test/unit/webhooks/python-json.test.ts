import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pythonJson } from '../../../main/webhooks/store/python-json.ts';

describe("JSON in Python's layout", () => {
  test.each<[unknown, string]>([
    [
      { event: 'ping', list: [1, 2.5, -3], empty: {}, none: [] },
      '{"event": "ping", "list": [1, 2.5, -3], "empty": {}, "none": []}',
    ],
    [{ a: null, b: true, c: false }, '{"a": null, "b": true, "c": false}'],
    ['Straße', '"Stra\\u00dfe"'],
    ['日本', '"\\u65e5\\u672c"'],
    ['😀', '"\\ud83d\\ude00"'],
    ['\ud800 alone', '"\\ud800 alone"'],
    ['"quoted" and \\ and \n\t\u0000\u007f', '"\\"quoted\\" and \\\\ and \\n\\t\\u0000\\u007f"'],
    [{ schlüssel: 1 }, '{"schl\\u00fcssel": 1}'],
    [12345678901234567890n, '12345678901234567890'],
    [Number.NaN, 'null'],
    [{ gone: undefined, here: 1 }, '{"here": 1}'],
    [[undefined], '[null]'],
  ])('%#', (value, text) => {
    expect(pythonJson(value)).toBe(text);
  });

  test('equals JSON.stringify, in printable ASCII, for any value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const text = pythonJson(value);
        expect(text).toMatch(/^[ -~]*$/);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  test('preserves every text, lone surrogates too', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 0xd800, max: 0xdfff }), (text, unit) => {
        const odd = text + String.fromCharCode(unit);
        expect(JSON.parse(pythonJson(odd))).toBe(odd);
      }),
    );
  });
});
