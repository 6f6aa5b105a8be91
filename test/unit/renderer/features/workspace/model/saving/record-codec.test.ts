import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shapeSchema, tagSchema, type Shape } from '../../../../../../../preload/contract/schema/annotations.ts';
import {
  editBetween,
  recordFromEdit,
  recordFromShape,
  recordFromTag,
  shapeBody,
  tagBody,
} from '../../../../../../../renderer/features/workspace/model/saving/record-codec.ts';

const shape = (change: Partial<Shape> = {}): Shape => ({
  ...shapeSchema.parse({ id: 5, type: 'rectangle', frame: 3, label_id: 2, points: [1, 2.5, 3.25, 4] }),
  ...change,
});

const anyShape = fc.record({
  type: fc.constantFrom('rectangle' as const, 'polygon' as const, 'polyline' as const, 'points' as const),
  frame: fc.nat(),
  label_id: fc.nat(),
  group: fc.nat(),
  occluded: fc.boolean(),
  outside: fc.boolean(),
  z_order: fc.integer(),
  rotation: fc.double({ min: 0, max: 359.99, noNaN: true }).map((value) => value + 0),
  points: fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 4, maxLength: 20 }),
  attributes: fc.array(fc.record({ spec_id: fc.nat(), value: fc.string() })),
  score: fc.double({ min: 0, max: 1, noNaN: true }),
  source: fc.constantFrom('manual' as const, 'auto' as const, 'file' as const),
});

describe('records of the canvas and objects of the service', () => {
  it('preserves every field of a shape, numbers unchanged', () => {
    fc.assert(
      fc.property(anyShape, (fields) => {
        const given = shape({ ...fields, id: 9 });
        expect({ id: 9, ...shapeBody(recordFromShape(given, 'local')) }).toEqual(given);
      }),
    );
  });

  it('preserves the elements of a skeleton', () => {
    const element = shapeSchema.parse({ type: 'points', frame: 3, label_id: 4, points: [7, 8], occluded: true });
    const { elements: _elements, ...sub } = element;
    const given = shape({ type: 'skeleton', points: [], elements: [sub] });
    expect(shapeBody(recordFromShape(given, 'local')).elements).toEqual([sub]);
  });

  it('preserves a tag', () => {
    const tag = tagSchema.parse({ id: 3, frame: 1, label_id: 2, attributes: [{ spec_id: 1, value: 'x' }] });
    expect({ id: 3, ...tagBody(recordFromTag(tag, 'local')) }).toEqual(tag);
  });

  it('sends a rotation to the left as an angle that the service accepts', () => {
    const record = { ...recordFromShape(shape(), 'local'), rotation: -30 };
    expect(shapeBody(record).rotation).toBe(330);
  });

  it('creates edits for stored fields and none for display states', () => {
    const before = recordFromShape(shape(), 'local');
    expect(editBetween(before, { ...before, hidden: true, locked: true })).toBeNull();
    expect(editBetween(before, { ...before, occluded: true })).toMatchObject({
      localId: 'local',
      deleted: false,
      collection: 'shapes',
      body: { occluded: true },
    });
    expect(editBetween(before, null)).toMatchObject({ deleted: true, body: { points: [1, 2.5, 3.25, 4] } });
    expect(editBetween(null, before)).toMatchObject({ deleted: false });
  });

  it('shows an unsent edit as the original record', () => {
    const record = recordFromShape(shape(), 'local');
    const edit = editBetween(null, record);
    expect(edit && recordFromEdit({ ...edit, serverId: 5 })).toEqual(record);
    expect(edit && recordFromEdit({ ...edit, deleted: true })).toBeNull();
  });
});
