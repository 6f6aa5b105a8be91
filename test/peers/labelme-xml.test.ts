import { join } from 'node:path';
import { expect, it } from 'vitest';
import { labelMe } from '../../main/formats/labelme-xml/index.ts';
import { runImport } from '../formats/support/format-fixtures.ts';
import { attributeOf } from '../formats/support/scenes.ts';
import { sharedFixtures } from './shared-fixtures.ts';

it('LabelMe of the web tool polygons, boxes, masks, parts and attributes', async () => {
  const attribute = (name: string) => attributeOf(name, 'checkbox', [], true);
  const text = (name: string) => attributeOf(name, 'text', [], true);
  const labels = [
    { name: 'window', attributes: [text('username')] },
    { name: 'license plate', attributes: [text('username')] },
    { name: 'o1', attributes: [attribute('a1')] },
    { name: 'q1', attributes: [attribute('kj')] },
    { name: 'b1', attributes: [attribute('hg')] },
    { name: 'm1', attributes: [attribute('d')] },
    { name: 'hg', attributes: [attribute('gfd lkj lkj hi')] },
  ];
  const { task, summary } = await runImport(
    labelMe.importer,
    join(sharedFixtures, 'labelme_xml/cvat-datumaro'),
    { frames: [{ name: 'img1.png', width: 102, height: 77 }], labels },
    { options: { conv_mask_to_poly: false } },
  );
  expect(summary).toMatchObject({ invalidCount: 0, dropped: [], warnings: [] });
  const seen = task.shapes.map(({ type, label, group, occluded, attributes, points }) => [
    type,
    label,
    group,
    occluded,
    attributes.map(({ name, value }) => `${name}=${value}`).join(),
    type === 'mask'
      ? points.slice(0, -4).reduce((sum, run, index) => sum + (index % 2 === 1 ? run : 0), 0)
      : points.join(),
  ]);
  expect(seen).toEqual([
    ['polygon', 'window', 0, false, 'username=admin', '43,34,45,34,45,37,43,37'],
    ['mask', 'license plate', 0, false, 'username=brussell', 10],
    ['polygon', 'o1', 1, true, 'a1=true', '30,12,42,21,24,26,15,22,18,14,22,12,27,12'],
    ['polygon', 'q1', 1, false, 'kj=true', '35,21,43,22,40,28,28,31,31,22,32,25'],
    ['rectangle', 'b1', 1, true, 'hg=true', '13,19,23,30'],
    ['mask', 'm1', 2, false, 'd=true', 130],
    ['polygon', 'hg', 2, false, 'gfd lkj lkj hi=true', '64,21,74,24,72,32,62,34,60,27,62,22'],
  ]);
});
