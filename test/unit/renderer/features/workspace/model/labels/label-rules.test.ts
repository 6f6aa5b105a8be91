import { describe, expect, it } from 'vitest';
import type { Attribute, Label } from '../../../../../../../preload/contract/schema/labels.ts';
import type { ShapeRecord } from '../../../../../../../renderer/canvas/types.ts';
import {
  canvasLabels,
  defaultAttributes,
  labelSuits,
  labelSuitsRecord,
  relabelled,
  toolOfType,
  withAttribute,
} from '../../../../../../../renderer/features/workspace/model/labels/label-rules.ts';
import { makeShape } from '../../../../../../support/canvas-shape.ts';
import { makeAttribute, makeLabel } from '../../../../../../support/labels.ts';

const attribute = (id: number, more: Partial<Attribute>) => makeAttribute(id, `a${id}`, more);
const labelOf = (id: number, more: Partial<Label>) => makeLabel(id, `label ${id}`, more);
const point = (id: number, name: string, parent_id: number) =>
  makeLabel(id, name, { color: '#ff0000', type: 'points', has_parent: true, parent_id });

const box = makeShape('a', 'rectangle', [0, 0, 9, 9]);

describe('labels and the objects that they accept', () => {
  it('allows every tool for a label of any shape', () => {
    for (const use of ['rectangle', 'polygon', 'ellipse', 'points', 'polyline', 'tag'] as const) {
      expect(labelSuits({ type: 'any' }, use)).toBe(true);
    }
  });

  it('limits a label to its own shape', () => {
    expect(labelSuits({ type: 'polygon' }, 'polygon')).toBe(true);
    expect(labelSuits({ type: 'polygon' }, 'rectangle')).toBe(false);
    expect(labelSuits({ type: 'tag' }, 'rectangle')).toBe(false);
    expect(toolOfType('ellipse')).toBe('ellipse');
    expect(toolOfType('tag')).toBeNull();
  });

  it('starts a new object with the default of each kind of attribute', () => {
    const label = labelOf(1, {
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

describe('another label for an object', () => {
  const old = labelOf(1, {
    attributes: [
      attribute(1, { name: 'note' }),
      attribute(2, { name: 'side', input_type: 'select', values: ['left', 'right'] }),
      attribute(3, { name: 'gone' }),
    ],
  });
  const next = labelOf(2, {
    attributes: [
      attribute(11, { name: 'side', input_type: 'radio', values: ['front', 'left'] }),
      attribute(12, { name: 'note', default_value: 'none' }),
      attribute(13, { name: 'new', default_value: 'x' }),
    ],
  });
  const record = (side: string): ShapeRecord => ({
    ...box,
    attributes: [
      { spec_id: 1, value: 'precious' },
      { spec_id: 2, value: side },
      { spec_id: 3, value: 'y' },
    ],
  });

  it('keeps values of attributes of the same name where the new label allows them', () => {
    const values = (side: string) => relabelled(record(side), next, [old, next]).attributes?.map(({ value }) => value);
    expect(values('left')).toEqual(['left', 'precious', 'x']);
    expect(values('right')).toEqual(['front', 'precious', 'x']);
    expect(relabelled(record('left'), old, [old, next])).toEqual({});
  });

  it('keeps the points of a skeleton by their names, or is refused', () => {
    const figure = labelOf(1, { type: 'skeleton', sublabels: [point(3, 'head', 1), point(4, 'foot', 1)] });
    const twin = labelOf(2, { type: 'skeleton', sublabels: [point(5, 'foot', 2), point(6, 'head', 2)] });
    const half = labelOf(7, { type: 'skeleton', sublabels: [point(8, 'head', 7)] });
    const element = (labelId: number) => ({ ...box, clientId: `a/${labelId}`, type: 'points' as const, labelId });
    const shape: ShapeRecord = { ...box, type: 'skeleton', points: [], elements: [element(3), element(4)] };
    const all = [figure, twin, half];
    expect(labelSuitsRecord(half, shape, all)).toBe(false);
    expect(labelSuitsRecord(twin, shape, all)).toBe(true);
    expect(relabelled(shape, twin, all).elements?.map(({ labelId }) => labelId)).toEqual([6, 5]);
  });

  it('sets an attribute of all objects whose label has it and allows the value', () => {
    const other = { ...box, labelId: 2, attributes: [{ spec_id: 11, value: 'front' }] };
    const set = (value: string) => withAttribute(other, { name: 'side', value }, [old, next]);
    expect(set('left')).toEqual({ attributes: [{ spec_id: 11, value: 'left' }] });
    expect(set('right')).toEqual({});
  });

  it('tells the canvas which points of a skeleton are connected', () => {
    const svg =
      '<line data-node-from="1" data-node-to="2"></line><circle data-node-id="1" data-label-name="foot"/><circle data-node-id="2" data-label-name="head"/>';
    const figure = labelOf(1, { type: 'skeleton', svg, sublabels: [point(3, 'head', 1), point(4, 'foot', 1)] });
    expect(canvasLabels([figure]).get(1)?.edges).toEqual([[4, 3]]);
    expect(canvasLabels([figure]).get(3)).toMatchObject({ name: 'head', color: '#ff0000', type: 'points' });
  });
});
