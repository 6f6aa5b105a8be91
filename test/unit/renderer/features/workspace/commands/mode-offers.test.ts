import { describe, expect, it } from 'vitest';
import { createActionTable } from '../../../../../../renderer/canvas/action-table.ts';
import { sessionActions } from '../../../../../../renderer/features/workspace/commands/action-list.ts';
import { createModeChoices } from '../../../../../../renderer/features/workspace/model/modes/mode-choices.ts';
import { isOffered, type ModeNow } from '../../../../../../renderer/features/workspace/commands/mode-offers.ts';
import type { Mode } from '../../../../../../renderer/features/workspace/model/types.ts';

const groups: Record<string, string> = {
  'tool.select': 'tools',
  'tool.polygon': 'tools',
  'tool.rectangle': 'tools',
  'draw.again': 'draw',
  'edit.undo': 'edit',
  'edit.nudgeLeft': 'edit',
  'edit.delete': 'edit',
  'label.1': 'label',
  'object.lock': 'object',
  'frame.next': 'frame',
  'model.panel': 'model',
};
const offered = (mode: Mode, now: Partial<ModeNow> = {}) =>
  Object.entries(groups)
    .filter(([id, group]) => isOffered({ id, group }, { mode, editing: false, tool: null, canCancel: true, ...now }))
    .map(([id]) => id);

describe('available actions of a mode', () => {
  it('are all of them, those for viewing, or those for its work', () => {
    expect(offered('standard')).toEqual(Object.keys(groups));
    expect(offered('review')).toEqual(['tool.select', 'frame.next']);
    expect(offered('review', { editing: true })).toEqual(Object.keys(groups));
    expect(offered('attributes')).toEqual(['tool.select', 'edit.undo', 'edit.delete', 'object.lock', 'frame.next']);
    expect(offered('tags')).toEqual(['tool.select', 'edit.undo', 'frame.next']);
    expect(offered('single', { tool: 'polygon' })).toEqual([
      'tool.select',
      'tool.polygon',
      'draw.again',
      'edit.undo',
      'edit.nudgeLeft',
      'edit.delete',
      'object.lock',
      'frame.next',
    ]);
  });

  it('are every tool of masks beside the active one of them', () => {
    const now: ModeNow = { mode: 'single', editing: false, tool: 'brush', canCancel: false };
    expect(isOffered({ id: 'tool.eraser', group: 'tools' }, now)).toBe(true);
    expect(isOffered({ id: 'tool.polygon', group: 'tools' }, now)).toBe(false);
    expect(isOffered({ id: 'draw.cancel', group: 'draw' }, now)).toBe(false);
  });
});

it('choices of the modes are saved, and have defaults if they cannot be read', () => {
  const kept = new Map<string, string>();
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
  const choices = createModeChoices(storage);
  expect(choices.get()).toMatchObject({ margin: 100, nextFrame: true, nextAfterTag: false, shapeCount: 1 });
  choices.set({ margin: 20, nextFrame: false });
  expect(createModeChoices(storage).get()).toMatchObject({ margin: 20, nextFrame: false, shapeCount: 1 });
  kept.set('limner.modes', '{"margin": "wide", "shapeCount": 3}');
  expect(createModeChoices(storage).get()).toMatchObject({ margin: 100, shapeCount: 3 });
  kept.set('limner.modes', 'not JSON');
  expect(createModeChoices(storage).get()).toMatchObject({ margin: 100, shapeCount: 1 });
});

it('keys of the modes have no other action in their mode', () => {
  const actions = sessionActions.map((action) => ({ ...action, when: () => true, run() {} }));
  const ofModes = new Set(actions.flatMap(({ id, scope }) => (scope.startsWith('mode.') ? [id] : [])));
  expect(ofModes.size).toBeGreaterThan(30);
  const conflicts = createActionTable({ actions }).conflicts();
  expect(conflicts.filter(({ ids }) => ids.some((id) => ofModes.has(id)))).toEqual([]);
});
