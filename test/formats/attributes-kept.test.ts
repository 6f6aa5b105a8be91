import { expect, it } from 'vitest';
import { exporterOf, exportToZip, importerOf, runImport, shapeOf } from './support/format-fixtures.ts';

const attribute = (name: string, default_value: string) => ({
  name,
  mutable: false,
  input_type: 'text' as const,
  default_value,
  values: [],
});
const frames = [{ name: 'a.jpg', width: 100, height: 80 }];
const labels = [{ name: 'car', color: '#102030', attributes: [attribute('occluded', ''), attribute('note', 'none')] }];

it.each(['BDD100K 1.0', 'Labelbox NDJSON 1.0', 'VIA JSON 2.0', 'CSV 1.0', 'COCO 1.0', 'Datumaro 1.0'])(
  '%s preserves an attribute with the name of a field, and one without a value, or reports it',
  async (format) => {
    const written = [
      { name: 'occluded', value: 'half' },
      { name: 'note', value: '' },
    ];
    const shapes = [shapeOf({ type: 'rectangle', label: 'car', points: [10, 10, 30, 30], attributes: written })];
    const { path, summary } = await exportToZip(exporterOf(format), { frames, labels, shapes });
    const { task, summary: reading } = await runImport(importerOf(format), path, { frames, labels });
    const said = [...summary.dropped, ...reading.dropped].map(({ rule }) => rule).join('\n');
    const [shape] = task.shapes;
    expect(shape?.occluded).toBe(false);
    for (const { name, value } of written) {
      const found = shape?.attributes.find((one) => one.name === name)?.value;
      if (found !== value) expect(said, name).toMatch(new RegExp(`"${name}"|without a value|empty`));
    }
  },
);
