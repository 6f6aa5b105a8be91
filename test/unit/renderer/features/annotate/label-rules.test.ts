import { describe, expect, it } from 'vitest';
import { labelSchema, type Attribute } from '../../../../../preload/contract/schema/labels.ts';
import {
  defaultAttributes,
  labelSuits,
  labelSuitsType,
  toolOfType,
} from '../../../../../renderer/features/annotate/label-rules.ts';

const attribute = (id: number, change: Partial<Attribute>): Attribute => ({
  id,
  name: `a${id}`,
  mutable: false,
  input_type: 'text',
  default_value: '',
  values: [],
  ...change,
});

describe('labels and what they may be put on', () => {
  it('lets a label for any shape be drawn with every tool', () => {
    for (const use of ['rectangle', 'polygon', 'ellipse', 'points', 'polyline', 'tag'] as const) {
      expect(labelSuits({ type: 'any' }, use)).toBe(true);
    }
  });

  it('keeps a label to its own shape', () => {
    expect(labelSuits({ type: 'polygon' }, 'polygon')).toBe(true);
    expect(labelSuits({ type: 'polygon' }, 'rectangle')).toBe(false);
    expect(labelSuits({ type: 'tag' }, 'rectangle')).toBe(false);
    expect(labelSuitsType({ type: 'mask' }, 'mask')).toBe(true);
    expect(labelSuitsType({ type: 'any' }, 'skeleton')).toBe(false);
    expect(toolOfType('ellipse')).toBe('ellipse');
    expect(toolOfType('tag')).toBeNull();
  });

  it('starts a new object with the default of each kind of attribute', () => {
    const label = labelSchema.parse({
      id: 1,
      name: 'car',
      color: '#ffffff',
      type: 'any',
      has_parent: false,
      sublabels: [],
      attributes: [
        attribute(1, { input_type: 'checkbox' }),
        attribute(2, { input_type: 'radio', values: ['front', 'rear'] }),
        attribute(3, { input_type: 'select', values: ['a', 'b'], default_value: 'b' }),
        attribute(4, { input_type: 'number', values: ['2', '5', '1'] }),
        attribute(5, { input_type: 'text' }),
      ],
    });
    expect(defaultAttributes(label).map(({ value }) => value)).toEqual(['false', 'front', 'b', '2', '']);
  });
});
