import { expect, it } from 'vitest';
import type { ImportChoices } from '../../../main/formats/import-choices/import-choices.ts';
import { wantedLabels } from '../../../main/import-export/import/label-plan.ts';

const choosing = (label_mapping: ImportChoices['label_mapping']): ImportChoices => ({
  label_mapping,
  subset: undefined,
  frame_matching: 'auto',
  masks: undefined,
  create_labels: 'all',
  unknown_attributes: 'create',
  add_images: false,
});

it('creates no label that the user chose to skip', () => {
  const found = [{ name: 'car' }, { name: 'bus' }];
  const wanted = wantedLabels(found, new Set(), choosing({ bus: null }));
  expect(wanted.map(({ name }) => name)).toEqual(['car']);
});

it('merges the attributes of two labels that the user mapped to one', () => {
  const attribute = (name: string) => ({
    name,
    mutable: false,
    input_type: 'text' as const,
    default_value: '',
    values: [],
  });
  const found = [
    { name: 'car', attributes: [attribute('color')] },
    { name: 'auto', attributes: [attribute('color'), attribute('brand')] },
  ];
  const wanted = wantedLabels(found, new Set(), choosing({ auto: 'car' }));
  expect(wanted).toMatchObject([{ name: 'car', attributes: [{ name: 'color' }, { name: 'brand' }] }]);
});
