import { describe, expect, it } from 'vitest';
import { createAnnotationChecks, LabelError } from '../../../main/formats/kit/annotation-checks.ts';
import { ShapeError } from '../../../main/formats/kit/frame-guard.ts';
import { completeLabel } from '../../../main/formats/kit/in-memory-task-data.ts';
import { createFormatReport } from '../../../main/formats/kit/report.ts';
import type { LabeledShape } from '../../../main/formats/kit/task-data.ts';

const attribute = (name: string, input_type: string) => ({
  name,
  mutable: true,
  input_type,
  default_value: '',
  values: [],
});

function setUp() {
  const report = createFormatReport();
  const labels = [
    completeLabel({ name: 'car', attributes: [attribute('parked', 'checkbox'), attribute('color', 'text')] }),
    completeLabel({ name: 'person', type: 'skeleton', sublabels: [completeLabel({ name: 'head' })] }),
  ];
  return { report, checks: createAnnotationChecks({ labels, hasFrame: (frame) => frame < 3, report }) };
}

const box: LabeledShape = {
  type: 'rectangle',
  frame: 0,
  label: 'car',
  points: [0, 0, 1, 1],
  occluded: false,
  attributes: [],
  group: 0,
  z_order: 0,
};

describe('objects of an importer', () => {
  it('are not decoded if a faster form of their points answers the checks', () => {
    const { checks } = setUp();
    const stored: LabeledShape = {
      ...box,
      type: 'polygon',
      fixed_points: { capacity: 6, count: 6, isOnePoint: () => false, read: () => null },
    };
    let decoded = 0;
    Object.defineProperty(stored, 'points', { get: () => ((decoded += 1), [0, 0, 1, 0, 1, 1]) });
    checks.shape(stored);
    expect(decoded).toBe(0);
  });

  it('are unchanged if they are valid', () => {
    const { checks } = setUp();
    expect(checks.shape(box)).toBe(box);
  });

  it('need a label and a frame of the task', () => {
    const { checks } = setUp();
    expect(() => checks.shape({ ...box, label: 'truck' })).toThrow(new LabelError('truck'));
    expect(() => checks.tag({ frame: 0, label: 'head', attributes: [], group: 0 })).toThrow(LabelError);
    expect(() => checks.shape({ ...box, frame: 3 })).toThrow(/frame 3/);
  });

  it('lose attributes that their label does not have, and the report says so', () => {
    const { checks, report } = setUp();
    const kept = checks.shape({
      ...box,
      attributes: [
        { name: 'color', value: 'red' },
        { name: 'wheels', value: '4' },
      ],
    });
    expect(kept.attributes).toEqual([{ name: 'color', value: 'red' }]);
    expect(report.summary().dropped).toMatchObject([{ type: 'attribute', label: 'car', count: 1 }]);
  });

  it('lose invalid values of checkboxes, selections and numbers, and the report says so', () => {
    const report = createFormatReport();
    const attributes = [
      attribute('parked', 'checkbox'),
      { ...attribute('color', 'select'), values: ['red', 'blue'] },
      { ...attribute('doors', 'number'), values: ['0', '10', '1'] },
    ];
    const labels = [completeLabel({ name: 'car', attributes })];
    const checks = createAnnotationChecks({ labels, hasFrame: () => true, report });
    const kept = (name: string, value: string) =>
      checks.shape({ ...box, attributes: [{ name, value }] }).attributes.map((one) => one.value);
    expect(['TRUE', '1', 'yes', '0', 'no'].map((value) => kept('parked', value).join(''))).toEqual([
      'true',
      'true',
      'true',
      'false',
      'false',
    ]);
    expect([kept('color', ' red '), kept('doors', '7'), kept('doors', '7.0')]).toEqual([['red'], ['7'], ['7.0']]);
    for (const [name, value] of Object.entries({ parked: 'maybe', color: 'green', doors: '11' })) {
      expect(kept(name, value)).toEqual([]);
      expect(report.summary().dropped.at(-1)?.rule).toContain(`"${name}"`);
    }
  });

  it('have boxes with sorted corners, in any order of drawing', () => {
    const { checks } = setUp();
    expect(checks.shape({ ...box, points: [30, 25, 10, 10] }).points).toEqual([10, 10, 30, 25]);
  });

  it('have checkboxes that are true or false', () => {
    const { checks } = setUp();
    const parked = (value: string) => checks.shape({ ...box, attributes: [{ name: 'parked', value }] }).attributes;
    expect(parked('TRUE')).toEqual([{ name: 'parked', value: 'true' }]);
    expect(parked('maybe')).toEqual([]);
  });

  it.each<[string, Partial<LabeledShape>]>([
    ['a box with three numbers', { points: [1, 2, 3] }],
    ['a polygon of two points', { type: 'polygon', points: [1, 2, 3, 4] }],
    ['an odd polygon', { type: 'polygon', points: [1, 2, 3, 4, 5, 6, 7] }],
    ['a line of one point', { type: 'polyline', points: [1, 2] }],
    ['no points', { type: 'points', points: [] }],
    ['half a cuboid', { type: 'cuboid', points: [1, 2, 3, 4, 5, 6, 7, 8] }],
    ['infinity', { points: [0, 0, Infinity, 1] }],
    ['no number', { points: [0, NaN, 1, 1] }],
    ['a mask that does not fill its box', { type: 'mask', points: [1, 2, 0, 0, 3, 3] }],
    ['a skeleton without elements', { type: 'skeleton', label: 'person', points: [] }],
    ['a skeleton with points', { type: 'skeleton', label: 'person', points: [1, 2] }],
  ])('cannot be %s', (_what, wrong) => {
    const { checks } = setUp();
    expect(() => checks.shape({ ...box, ...wrong })).toThrow(ShapeError);
  });

  it('are checked down to the elements of skeletons and the shapes of tracks', () => {
    const { checks } = setUp();
    const element: LabeledShape = { ...box, type: 'points', label: 'head', points: [1, 2] };
    const skeleton: LabeledShape = { ...box, type: 'skeleton', label: 'person', points: [], elements: [element] };
    expect(checks.shape(skeleton).elements).toEqual([element]);
    expect(() => checks.shape({ ...skeleton, elements: [{ ...element, label: 'car' }] })).toThrow(LabelError);
    const tracked = { ...box, outside: false, keyframe: true };
    expect(() => checks.track({ label: 'car', group: 0, shapes: [] })).toThrow(ShapeError);
    expect(() => checks.track({ label: 'car', group: 0, shapes: [{ ...tracked, points: [1] }] })).toThrow(ShapeError);
    const track = { label: 'person', group: 0, shapes: [{ ...tracked, type: 'skeleton' as const, points: [] }] };
    expect(() => checks.track({ ...track, elements: [{ label: 'foot', group: 0, shapes: [tracked] }] })).toThrow(
      LabelError,
    );
  });
});
