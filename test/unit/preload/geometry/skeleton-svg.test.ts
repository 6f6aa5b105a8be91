import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { skeletonJoints, skeletonPlaces } from '../../../../preload/geometry/skeleton-joints.ts';
import { readSkeletonSvg } from '../../../../preload/geometry/skeleton-svg-reader.ts';
import { writeSkeletonFile, writeSkeletonSvg } from '../../../../preload/geometry/skeleton-svg-writer.ts';

const circle = (id: number, rest = '') =>
  `<circle r="0.75" stroke="black" fill="#b3b3b3" cx="${id * 10}" cy="20" stroke-width="0.1" data-type="element node" data-element-id="${id}" data-node-id="${id}"${rest}></circle>`;
const line =
  '<line x1="10" y1="20" x2="20" y2="20" stroke="black" data-type="edge" data-node-from="1" stroke-width="0.5" data-node-to="2"></line>';

const problemOf = (text: string) => {
  const reading = readSkeletonSvg(text);
  return reading.ok ? null : reading.problem;
};

describe('a skeleton from a file', () => {
  it("is read in CVAT's layout: marks, and the points in a description", () => {
    const labels = {
      1: {
        name: 'nose',
        color: '#ff0000',
        attributes: [{ name: 'sure', input_type: 'checkbox', mutable: true, default_value: 'true', values: ['true'] }],
        type: 'points',
        has_parent: true,
      },
      2: { name: 'left & right', attributes: [] },
    };
    const description = JSON.stringify(labels).replaceAll('&', '&amp;').replaceAll('"', '&quot;');
    const file = `<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">${line}${circle(1)}${circle(2)}<desc data-description-type="labels-specification">${description}</desc></svg>`;
    expect(readSkeletonSvg(file)).toEqual({
      ok: true,
      skeleton: {
        nodes: [
          { name: 'nose', x: 10, y: 20, color: '#ff0000', attributes: labels[1].attributes },
          { name: 'left & right', x: 20, y: 20, color: undefined, attributes: [] },
        ],
        joints: [[1, 2]],
      },
    });
  });

  it("is read in a label's layout, in a frame of another size, and without names", () => {
    const bare = readSkeletonSvg(`\n${circle(1, ' data-label-name="a"')}\n ${circle(2)}\n`);
    expect(bare).toMatchObject({ ok: true, skeleton: { nodes: [{ name: 'a' }, { name: '2' }], joints: [] } });
    const wide = readSkeletonSvg(`<svg viewBox="0 0 400 200">${circle(1)}</svg>`);
    expect(wide).toMatchObject({ ok: true, skeleton: { nodes: [{ x: 2.5, y: 30 }] } });
  });

  it('is preserved by writing and reading, with any names', () => {
    const place = fc.integer({ min: 0, max: 10_000 }).map((value) => value / 100);
    const names = fc
      .string({ unit: 'binary', minLength: 1, maxLength: 20 })
      .filter((name) => [...name].every((letter) => letter >= ' ') && name.trim() === name);
    const node = fc.record({ name: names, x: place, y: place });
    fc.assert(
      fc.property(fc.uniqueArray(node, { selector: ({ name }) => name, minLength: 2, maxLength: 8 }), (points) => {
        const nodes = points.map((one) => ({ ...one, color: '#00ff00', attributes: [] }));
        const joints = [[1, 2]] as const;
        expect(readSkeletonSvg(writeSkeletonFile(nodes, joints))).toEqual({ ok: true, skeleton: { nodes, joints } });
        const label = { svg: writeSkeletonSvg(nodes, joints), sublabels: nodes };
        expect(skeletonJoints(label)).toEqual(joints);
        expect(skeletonPlaces(label)).toMatchObject(points.map(({ x, y }) => ({ x, y })));
      }),
    );
  });

  it.each([
    ['<script>alert(1)</script>', 'element', '<script>'],
    ['<image href="http://x/y.png"/>', 'element', '<image>'],
    ['<foreignObject/>', 'element', '<foreignObject>'],
    ['<constructor/>', 'element', '<constructor>'],
    ['<style>* { fill: red }</style>', 'element', '<style>'],
    ['<circle onload="alert(1)"/>', 'attribute', 'onload (circle)'],
    ['<circle style="fill: url(http://x)"/>', 'attribute', 'style (circle)'],
    ['<circle cx="url(#x)"/>', 'value', 'cx="url(#x)"'],
    ['<circle fill="url(http://x)"/>', 'value', 'fill="url(http://x)"'],
    ['<circle cx="1" cx="2"/>', 'twice', 'cx (circle)'],
    ['<!DOCTYPE x [<!ENTITY a "b">]>', 'syntax', '<!DOCTYPE x [<!ENTITY a "b">]>'],
    ['<!-- a comment -->', 'syntax', '<!-- a comment -->'],
    ['<circle cx=1>', 'syntax', '<circle cx=1>'],
    ['<line>', 'syntax', '<line>'],
    ['<circle><line/></circle>', 'syntax', '<line/></circle>'],
    ['</svg>', 'syntax', '</svg>'],
    ['words', 'text', 'words'],
    ['', 'noPoints', ''],
    ['<svg/><circle cx="1" cy="1"/>', 'syntax', '<circle cx="1" cy="1"/>'],
    ['<circle cx="1"/>', 'place', ''],
    ['<circle cx="101" cy="1"/>', 'outside', '101'],
    [circle(1) + circle(1), 'twice', 'data-node-id="1"'],
    [circle(1) + line, 'loose', '1 – 2'],
    [`<svg viewBox="0 0 0 9">${circle(1)}</svg>`, 'value', 'viewBox="0 0 0 9"'],
    [`${circle(1)}<desc>{"1":{"name":5}}</desc>`, 'labels', '{"1":{"name":5}}'],
    [`${circle(1)}<desc>nothing</desc>`, 'labels', 'nothing'],
    ['x'.repeat(200_001), 'tooLong', '200001'],
  ])('is refused with the position: %.60s', (text, kind, what) => {
    expect(problemOf(text)).toEqual({ kind, what });
  });

  it('is bounded for any text, and contains only points and lines', () => {
    const piece = fc.constantFrom(
      '<svg',
      '<circle',
      '<line',
      ' cx="1"',
      ' cy="2"',
      '>',
      '/>',
      '</svg>',
      '</circle>',
      '<desc>',
      '</desc>',
      '{}',
      ' ',
      '&amp;',
      '"',
      circle(1),
      line,
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const reading = readSkeletonSvg(pieces.join(''));
        if (!reading.ok) return;
        for (const { name, x, y } of reading.skeleton.nodes)
          expect([typeof name, x >= 0, y <= 100]).toEqual(['string', true, true]);
      }),
    );
  });
});
