import { describe, expect, it } from 'vitest';
import type { SceneRecord } from '../../../../../../../renderer/canvas/types.ts';
import { listKey } from '../../../../../../../renderer/features/workspace/panels/inspector/list-keys.ts';
import { groupObjects } from '../../../../../../../renderer/features/workspace/panels/inspector/object-groups.ts';
import { searchObjects } from '../../../../../../../renderer/features/workspace/panels/inspector/object-search.ts';
import { makeShape, makeTag } from '../../../../../../support/canvas-shape.ts';

const box = (id: string, more: object = {}): SceneRecord => makeShape(id, 'rectangle', [0, 0, 9, 9], more);
const tag = makeTag('tag', 2);
const records: readonly SceneRecord[] = [
  box('a', { serverId: 12, labelId: 2, score: 0.6, attributes: [{ spec_id: 1, value: 'Red' }] }),
  box('b', { serverId: 120, labelId: 1, zOrder: 4, group: 3, occluded: true }),
  box('c', { labelId: 2, trackId: 'c', score: 0.2 }),
  tag,
];
const nameOf = (id: number): string => (id === 1 ? 'car' : 'bicycle');
const waitMessage = (record: SceneRecord) => ({
  label: nameOf(record.labelId),
  others: record.kind === 'shape' && record.occluded ? ['Occluded'] : [],
});
const ids = (found: readonly SceneRecord[]): string[] => found.map(({ clientId }) => clientId);

describe('the search of the object list', () => {
  it.each([
    ['', ['a', 'b', 'c', 'tag']],
    ['BIC', ['a', 'c', 'tag']],
    ['bicycle red', ['a']],
    ['12', ['a']],
    ['#12', ['a']],
    ['g3', ['b']],
    ['occl', ['b']],
    ['0.5..0.7', ['a']],
    ['..0.3', ['c']],
    ['0.5..', ['a', 'b']],
    ['bus', []],
  ])('finds for "%s"', (text, expected) => {
    expect(ids(searchObjects(records, text, waitMessage))).toEqual(expected);
  });
});

describe('groups of the object list', () => {
  it.each([
    ['none', ['a', 'b', 'c', 'tag'], []],
    ['label', ['a', 'c', 'tag', 'b'], ['a 3', 'b 1']],
    ['layer', ['b', 'a', 'c', 'tag'], ['b 1', 'a 2', 'tag 1']],
    ['track', ['c', 'a', 'b', 'tag'], ['c 1', 'a 2', 'tag 1']],
    ['group', ['b', 'a', 'c', 'tag'], ['b 1', 'a 3']],
  ] as const)('are by %s', (by, order, heads) => {
    const grouped = groupObjects(records, by, nameOf);
    expect(ids(grouped.records)).toEqual(order);
    expect([...grouped.heads].map(([id, { count }]) => `${id} ${count}`)).toEqual(heads);
  });
});

describe('keys of the object list', () => {
  const plain = { shiftKey: false, ctrlKey: false, metaKey: false, altKey: false };
  function pressed(key: string, chosen: readonly string[], shiftKey = false) {
    let current = chosen;
    const shown: string[] = [];
    const selection = { ids: () => current, set: (next: readonly string[]) => void (current = next) };
    const used = listKey({ ...plain, key, shiftKey }, records, {
      selection: selection as unknown as Parameters<typeof listKey>[2]['selection'],
      focusShape: (id) => void shown.push(id),
    });
    return { used, current, shown };
  }
  it.each([
    ['ArrowDown', [], ['a']],
    ['ArrowUp', [], ['tag']],
    ['ArrowDown', ['a'], ['b']],
    ['ArrowDown', ['tag'], ['tag']],
    ['ArrowUp', ['a'], ['a']],
    ['End', ['a'], ['tag']],
    ['Home', ['c'], ['a']],
    ['PageDown', ['a'], ['tag']],
  ])('%s moves from %j', (key, from, to) => {
    expect(pressed(key, from)).toEqual({ used: true, current: to, shown: [] });
  });
  it('Shift adds, Enter shows, others are handled by the screen', () => {
    expect(pressed('ArrowDown', ['a'], true).current).toEqual(['a', 'b']);
    expect(pressed('Enter', ['b']).shown).toEqual(['b']);
    expect(pressed('Delete', ['b']).used).toBe(false);
  });
});
