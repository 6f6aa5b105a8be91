import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { filterFields, type FilterLabel } from '../../../../../preload/contract/object-filter/filter-fields.ts';
import { readFilter, writeFilter } from '../../../../../preload/contract/object-filter/filter-logic.ts';
import { createMatch, isSteady, type FilterObject } from '../../../../../preload/geometry/filter-match.ts';
import {
  completed,
  joins,
  relationsOf,
  valueCount,
  type FilterGroup,
  type FilterRule,
} from '../../../../../preload/contract/object-filter/object-filter.ts';

const attribute = (id: number, name: string, input_type: 'select' | 'number' | 'checkbox' | 'text', values: string[]) =>
  ({ id, name, input_type, values }) as const;
const labels: readonly FilterLabel[] = [
  {
    id: 1,
    name: 'car',
    attributes: [attribute(11, 'color', 'select', ['red', 'blue']), attribute(12, 'seats', 'number', ['0', '9', '1'])],
  },
  {
    id: 2,
    name: 'person v1.5',
    attributes: [attribute(21, 'runs', 'checkbox', ['false']), attribute(22, 'note', 'text', [])],
  },
];
const fields = filterFields(labels);

const box: FilterObject = {
  type: 'shape',
  serverId: 7,
  labelId: 1,
  frame: 3,
  group: 0,
  source: 'auto',
  attributes: [
    { spec_id: 11, value: 'red' },
    { spec_id: 12, value: '4' },
  ],
  shape: {
    type: 'rectangle',
    points: [10, 20, 40, 40],
    rotation: 90,
    occluded: true,
    score: 0.4,
    zOrder: 2,
  },
};
const tag: FilterObject = {
  ...box,
  type: 'tag',
  labelId: 2,
  group: 5,
  shape: null,
  attributes: [
    { spec_id: 21, value: 'true' },
    { spec_id: 22, value: 'half hidden' },
  ],
};
const passes = (logic: unknown, object = box): boolean =>
  createMatch(readFilter(logic, fields), fields, labels)(object);

describe('filters of objects', () => {
  it.each([
    ['a label', { '==': [{ var: 'label' }, 'car'] }, true, false],
    ['one of some labels', { in: [{ var: 'label' }, ['bus', 'car']] }, true, false],
    ['none of some labels', { '!': { in: [{ var: 'label' }, ['bus', 'car']] } }, false, true],
    ['the type of object', { '==': [{ var: 'type' }, 'tag'] }, false, true],
    ['the type of shape', { '!=': [{ var: 'shape' }, 'polygon'] }, true, true],
    ['the drawn size, not the turned one', { '==': [{ var: 'width' }, 30] }, true, false],
    ['a range of sizes, ends included', { '<=': [20, { var: 'height' }, 20] }, true, false],
    ['the area of the box', { '>': [{ var: 'area' }, 599] }, true, false],
    ['a number on the left', { '<': [0.5, { var: 'score' }] }, false, false],
    ['whether it is occluded', { var: 'occluded' }, true, false],
    ['whether it is not occluded', { '!': { var: 'occluded' } }, false, true],
    ['a source', { '===': [{ var: 'source' }, 'auto'] }, true, true],
    ['a group', { '==': [{ var: 'group' }, 5] }, false, true],
    ['being in no group', { '==': [{ var: 'group' }, null] }, true, false],
    ['a frame', { '>=': [{ var: 'frame' }, 3] }, true, true],
    ['an attribute of a choice', { '==': [{ var: 'attr.car.color' }, 'red'] }, true, false],
    ['an attribute of a number', { '<': [{ var: 'attr.car.seats' }, '5'] }, true, false],
    ['an attribute of a switch', { '==': [{ var: 'attr.person v1∙5.runs' }, true] }, false, true],
    ['a part of a text', { in: ['hid', { var: 'attr.person v1∙5.note' }] }, false, true],
    ['both of two', { and: [{ var: 'occluded' }, { '<': [{ var: 'score' }, 0.5] }] }, true, false],
    ['one of two', { or: [{ var: 'attr.car.seats' }, { '==': [{ var: 'type' }, 'tag'] }] }, true, true],
    ['neither of two', { '!': { or: [{ var: 'occluded' }, { '==': [{ var: 'type' }, 'tag'] }] } }, false, false],
  ])('match %s', (_what, logic, ofBox, ofTag) => {
    expect([passes(logic), passes(logic, tag)]).toEqual([ofBox, ofTag]);
  });

  it('treats a missing value as equal to nothing, in no order, and its negation as true', () => {
    expect(passes({ '<': [{ var: 'score' }, 2] }, tag)).toBe(false);
    expect(passes({ '!': { '<': [{ var: 'score' }, 2] } }, tag)).toBe(true);
    expect(passes({ '!=': [{ var: 'width' }, 1] }, tag)).toBe(true);
  });

  it.each([
    [[], /one operator/],
    [{ and: [] }, /at least one condition/],
    [{ '+': [{ var: 'width' }, 1] }, /Unknown operator "\+"/],
    [{ constructor: [{ var: 'width' }, 1] }, /Unknown operator "constructor"/],
    [{ '==': [{ var: 'votes' }, 1] }, /Unknown field "votes"/],
    [{ '==': [{ var: 'attr.car.wheels' }, 1] }, /Unknown field "attr\.car\.wheels"/],
    [{ '<': [{ var: 'width' }, 'wide'] }, /"wide" must be a number/],
    [{ '<': [{ var: 'label' }, 'car'] }, /"label" cannot be compared/],
    [{ '==': [1, 1] }, /needs a field/],
    [{ in: ['a', 'b'] }, /"in" needs/],
  ])('refuses %j with a sentence', (logic, message) => {
    expect(() => readFilter(logic, fields)).toThrow(message);
  });

  it('refuses filters that are too deep or too long', () => {
    let deep: unknown = { var: 'occluded' };
    for (let depth = 0; depth < 60; depth += 1) deep = { and: [deep] };
    expect(() => readFilter(deep, fields)).toThrow(/nested/);
    expect(() => readFilter({ or: Array.from({ length: 400 }, () => ({ var: 'occluded' })) }, fields)).toThrow(/300/);
  });

  it('skips unfinished conditions', () => {
    const rule = (values: FilterRule['values']): FilterRule => ({
      kind: 'rule',
      field: 'label',
      relation: 'anyOf',
      values,
    });
    const group = (...of: FilterGroup['of']): FilterGroup => ({ kind: 'group', join: 'any', of });
    expect(completed(group(rule([]), group(rule([]))))).toBeNull();
    expect(completed(group(rule([]), rule(['car'])))).toEqual(group(rule(['car'])));
  });

  it('knows the fields that are constant on all frames of a track', () => {
    const steady = (logic: unknown): boolean => isSteady(readFilter(logic, fields));
    expect(steady({ and: [{ '==': [{ var: 'label' }, 'car'] }, { var: 'group' }] })).toBe(true);
    expect(steady({ or: [{ '==': [{ var: 'label' }, 'car'] }, { var: 'occluded' }] })).toBe(false);
    expect(steady({ '==': [{ var: 'attr.car.color' }, 'red'] })).toBe(false);
  });

  it('converts every form to JSON Logic and back', () => {
    const value = {
      choice: fc.constantFrom('car', 'tag', 'red'),
      text: fc.string({ minLength: 1 }),
      number: fc.integer({ min: -1000, max: 1000 }),
      boolean: fc.boolean(),
      date: fc.constant('2026-11-20'),
    };
    const rule = fc.constantFrom(...fields.values()).chain((field) =>
      fc.constantFrom(...relationsOf[field.kind]).chain((relation) => {
        const count = valueCount(relation);
        const size = count === null ? { minLength: 1, maxLength: 3 } : { minLength: count, maxLength: count };
        return fc
          .array<string | number | boolean>(value[field.kind], size)
          .map((values): FilterRule => ({ kind: 'rule', field: field.name, relation, values }));
      }),
    );
    const group = fc.letrec<{ group: FilterGroup }>((tie) => ({
      group: fc.record({
        kind: fc.constant('group' as const),
        join: fc.constantFrom(...joins),
        of: fc.array(fc.oneof({ maxDepth: 3 }, rule, tie('group')), { minLength: 1, maxLength: 3 }),
      }),
    })).group;
    fc.assert(
      fc.property(group, (filter) => {
        const again = readFilter(JSON.parse(JSON.stringify(writeFilter(filter))), fields);
        expect(again).toEqual(filter);
        for (const object of [box, tag]) {
          expect(createMatch(again, fields, labels)(object)).toBe(createMatch(filter, fields, labels)(object));
        }
      }),
    );
  });
});
