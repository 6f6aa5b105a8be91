import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cvatImporter } from '../../main/formats/cvat/index.ts';
import { AppError } from '../../main/platform/errors.ts';
import { fileOf, folderOf, runImport } from './support/format-fixtures.ts';

const task = {
  frames: [{ name: 'a.jpg', width: 10, height: 10 }],
  labels: [
    { name: 'car', attributes: [{ name: 'plate', mutable: false, input_type: 'text', default_value: '', values: [] }] },
  ],
};
const image = (inside: string) => `<image id="0" name="a.jpg" width="10" height="10">${inside}</image>`;
const box = '<box label="car" xtl="1" ytl="2" xbr="3" ybr="4" occluded="0"/>';
const read = (text: string) => runImport(cvatImporter, fileOf('annotations.xml', text), task);

describe('hostile CVAT XML', () => {
  it('cannot expand its own entities', async () => {
    const levels = Array.from(
      { length: 10 },
      (_, index) => `<!ENTITY e${index + 1} "${`&e${index};`.repeat(10)}">`,
    ).join('');
    const text = `<!DOCTYPE a [<!ENTITY e0 "lol">${levels}]><annotations>${image(`<tag label="car"><attribute name="plate">&e10;</attribute></tag>`)}</annotations>`;
    await expect(read(text)).rejects.toMatchObject({ code: 'invalid', message: expect.stringContaining('line 1') });
    const quadratic = `<!DOCTYPE a [<!ENTITY e "${'x'.repeat(50_000)}">]><annotations>${'&e;'.repeat(50_000)}</annotations>`;
    await expect(read(quadratic)).rejects.toMatchObject({ code: 'invalid' });
  });

  it('cannot read other files', async () => {
    const folder = folderOf({ 'secret.txt': 'do not tell' });
    const text = `<!DOCTYPE a [<!ENTITY e SYSTEM "file://${folder}/secret.txt">]><annotations>${image('<tag label="car"><attribute name="plate">&e;</attribute></tag>')}</annotations>`;
    const failure: unknown = await read(text).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(AppError);
    expect(String(failure)).not.toContain('do not tell');
  });

  it('may have a document type with unused declarations', async () => {
    const { task: result } = await read(
      `<!DOCTYPE annotations SYSTEM "cvat.dtd"><annotations>${image(box)}</annotations>`,
    );
    expect(result.shapes).toHaveLength(1);
  });

  it('cannot nest endlessly, nor have endless attributes', async () => {
    const deep = `<annotations>${image('<g>'.repeat(200_000))}`;
    await expect(read(deep)).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining('nested deeper'),
    });
    const wide = `<annotations>${image(`<box label="car" ${Array.from({ length: 200_000 }, (_, index) => `a${index}="1"`).join(' ')}/>`)}</annotations>`;
    await expect(read(wide)).rejects.toMatchObject({ code: 'invalid', message: expect.stringContaining('attributes') });
  });

  it('reports the position of the fault, and imports nothing', async () => {
    const failure: unknown = await read(`<annotations>\n${image(box)}\n<image`).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      code: 'invalid',
      message: expect.stringMatching(/^annotations\.xml: .*line 3.*Nothing was imported\.$/s),
    });
  });

  it('cannot affect objects of the program: names are only names', async () => {
    const { task: result, summary } = await read(
      `<annotations>${image(`<box label="__proto__" xtl="1" ytl="2" xbr="3" ybr="4"/><box label="constructor" xtl="1" ytl="2" xbr="3" ybr="4"/><__proto__ polluted="1"/>
        <tag label="car" __proto__="x" constructor="y"><attribute name="__proto__">z</attribute></tag>`)}</annotations>`,
    );
    expect(result.shapes).toEqual([]);
    expect(result.tags).toHaveLength(1);
    expect(summary.invalid).toHaveLength(2);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('can contain any number: invalid coordinates are reported', async () => {
    const values = ['1e309', '-1e309', 'NaN', '0x10', '1_000', '', ' ', '١', '1,5', '--1', '1e', '.', '1.2.3'];
    const { task: result, summary } = await read(
      `<annotations>${image(values.map((value) => `<box label="car" xtl="${value}" ytl="2" xbr="3" ybr="4"/>`).join('\n'))}</annotations>`,
    );
    expect(result.shapes).toEqual([]);
    expect(summary.invalidCount).toBe(values.length);
    const { task: good } = await read(
      `<annotations>${image('<box label="car" xtl="1e0" ytl="+2.5" xbr=" 3 " ybr=".5e1"/>')}</annotations>`,
    );
    expect(good.shapes).toMatchObject([{ points: [1, 2.5, 3, 5] }]);
  });

  it('ends in a result or in a clear error, however it is damaged', async () => {
    const whole = `<?xml version="1.0"?><annotations><version>1.1</version><meta><task><labels/></task></meta>${image(
      `${box}<polygon label="car" points="1,2;3,4;5,6"/><mask label="car" rle="0, 4" left="0" top="0" width="2" height="2"/><skeleton label="car"><points label="x" points="1,1"/></skeleton><tag label="car"><attribute name="plate">v</attribute></tag>`,
    )}<track id="0" label="car"><box frame="0" keyframe="1" outside="0" xtl="1" ytl="1" xbr="2" ybr="2"/><track label="x"><points frame="0" points="1,1"/></track></track></annotations>`;
    const edit = fc.record({
      at: fc.nat({ max: whole.length }),
      remove: fc.nat({ max: 40 }),
      insert: fc.oneof(
        fc.string({ maxLength: 6 }),
        fc.constantFrom('<', '>', '"', '</', '<track>', '<box ', '&', '<![CDATA[', '\u0000'),
      ),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 4 }), async (edits) => {
        const text = edits.reduce(
          (current, { at, remove, insert }) => current.slice(0, at) + insert + current.slice(at + remove),
          whole,
        );
        const outcome: unknown = await read(text).catch((error: unknown) => error);
        if (outcome instanceof Error) expect(outcome).toBeInstanceOf(AppError);
      }),
      { numRuns: 300 },
    );
  });
});
