import { expect, test } from 'vitest';
import { createLabelCollector } from '../../../main/import-export/import/label-collector.ts';

test('one odd definition does not stop the others: odd numbers become texts, labels without a name are skipped', () => {
  const labels = createLabelCollector();
  const attribute = { mutable: false, default_value: '1', values: ['2.4', '1', '-5.6'] };
  labels.declare({
    name: 'car',
    attributes: [
      { ...attribute, name: 'odd', input_type: 'number' },
      { ...attribute, name: 'good', input_type: 'number', values: ['0', '10', '1'] },
      { ...attribute, name: 'choice', input_type: 'select', values: [] },
    ],
  });
  labels.object('', 'tag', [], false);
  expect(labels.result()).toEqual([
    expect.objectContaining({
      name: 'car',
      attributes: [
        expect.objectContaining({ name: 'odd', input_type: 'text', values: [] }),
        expect.objectContaining({ name: 'good', input_type: 'number', values: ['0', '10', '1'] }),
        expect.objectContaining({ name: 'choice', input_type: 'text' }),
      ],
    }),
  ]);
});
