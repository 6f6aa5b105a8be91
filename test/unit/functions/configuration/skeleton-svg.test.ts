import { describe, expect, test } from 'vitest';
import { parseModelLabels } from '../../../../main/functions/configuration/model-labels.ts';
import { sanitizeSkeletonSvg } from '../../../../main/functions/configuration/skeleton-svg.ts';

const edge = '<line x1="1" y1="2" x2="3.5" y2="4" data-type="edge" data-node-from="1" data-node-to="2"></line>';
const node =
  '<circle r="0.75" cx="48.8" cy="9.4" data-type="element node" data-element-id="1" data-node-id="1" data-label-name="nose"></circle>';

describe('the drawing of a skeleton', () => {
  test('keeps lines and circles unchanged', () => {
    expect(sanitizeSkeletonSvg(`${edge}\n${node}`)).toEqual({ svg: `${edge}\n${node}`, removed: [] });
  });

  test.each([
    '<script>alert(1)</script>',
    '<image href="http://x/y.png"/>',
    '<a href="javascript:alert(1)"><circle r="1" cx="1" cy="1"/></a>',
    '<foreignObject><iframe src="http://x"/></foreignObject>',
    '<circle r="1" cx="1" cy="1" onload="alert(1)"/>',
    '<circle r="1" cx="url(http://x)" cy="1" style="background:url(http://x)"/>',
    '<style>* { background: url(http://x) }</style>',
    '<use xlink:href="http://x#y" xmlns:xlink="http://www.w3.org/1999/xlink"/>',
  ])('loses anything that could run or load: %s', (hostile) => {
    const { svg, removed } = sanitizeSkeletonSvg(hostile + node);
    expect(svg).not.toMatch(/script|href|url|onload|style|iframe|image|http/i);
    expect(svg).toContain(node);
    expect(removed).not.toEqual([]);
  });

  test.each(['</limner-root><script/>', '<line', '<!DOCTYPE x [<!ENTITY a "b">]><line/>', '<line>&a;</line>'])(
    'is refused if it is not a drawing: %s',
    (text) => expect(() => sanitizeSkeletonSvg(text)).toThrow(),
  );
});

test('a skeleton label contains its points and its cleaned drawing', () => {
  const spec = JSON.stringify([
    {
      name: 'body',
      type: 'skeleton',
      svg: `${node}<script/>`,
      sublabels: [{ id: 0, name: 'nose', type: 'points' }],
    },
  ]);
  const { labels, problems, warnings } = parseModelLabels(spec);
  expect(problems).toEqual([]);
  expect(labels).toEqual([
    {
      name: 'body',
      type: 'skeleton',
      attributes: [],
      svg: node,
      sublabels: [{ name: 'nose', type: 'points', attributes: [] }],
    },
  ]);
  expect(warnings.map(({ message }) => message).join()).toContain('<script>');
});
