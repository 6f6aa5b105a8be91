import { describe, expect, it } from 'vitest';
import type { InputType, Label } from '../../../../../../../preload/contract/schema/labels.ts';
import {
  labelsForAll,
  sharedAttributes,
  sharedOf,
} from '../../../../../../../renderer/features/workspace/model/editing/shared-values.ts';
import { makeShape } from '../../../../../../support/canvas-shape.ts';
import { makeAttribute, makeLabel } from '../../../../../../support/labels.ts';

const attribute = (id: number, name: string, input_type: InputType, values: string[], default_value = '') =>
  makeAttribute(id, name, { input_type, values, default_value });
const label = (id: number, type: Label['type'], attributes: Label['attributes'] = []): Label =>
  makeLabel(id, `label ${id}`, { type, attributes });

const labels = [
  label(1, 'any', [
    attribute(11, 'colour', 'select', ['red', 'blue', 'green'], 'red'),
    attribute(12, 'note', 'text', []),
    attribute(13, 'age', 'number', ['0', '10', '1'], '0'),
  ]),
  label(2, 'polygon', [
    attribute(21, 'colour', 'select', ['blue', 'green', 'white'], 'blue'),
    attribute(22, 'note', 'checkbox', [], 'false'),
    attribute(23, 'age', 'number', ['0', '10', '1'], '0'),
  ]),
];
const box = makeShape('box', 'rectangle', [0, 0, 9, 9], { attributes: [{ spec_id: 11, value: 'blue' }] });
const polygon = makeShape('polygon', 'polygon', [0, 0, 9, 0, 9, 9], { labelId: 2 });

describe('common values of several objects', () => {
  it('is a value, or the frequency of each', () => {
    expect(sharedOf([1, 1])).toEqual({ value: 1, counts: [[1, 2]] });
    expect(sharedOf([1, 2, 2])).toEqual({
      value: null,
      counts: [
        [2, 2],
        [1, 1],
      ],
    });
  });

  it('offers labels that accept all their kinds', () => {
    expect(labelsForAll([box, polygon], labels).map(({ id }) => id)).toEqual([1]);
    expect(labelsForAll([polygon], labels).map(({ id }) => id)).toEqual([1, 2]);
  });

  it('offers attributes of the same name and kind, with the values that all labels allow', () => {
    const shared = sharedAttributes([box, polygon], labels);
    expect(shared.map((one) => [one.attribute.name, one.attribute.values.join(), one.value])).toEqual([
      ['colour', 'blue,green', 'blue'],
      ['age', '0,10,1', '0'],
    ]);
    expect(sharedAttributes([box, makeShape('other', 'rectangle', [])], labels)[0]).toMatchObject({
      value: null,
      counts: [
        ['blue', 1],
        ['red', 1],
      ],
    });
  });
});
