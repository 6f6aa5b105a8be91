import { describe, expect, it } from 'vitest';
import {
  assignKey,
  conflictsOf,
  defaultKeymap,
  labelActionId,
  overridesOf,
  readKept,
  readKeymap,
  resetKeys,
  shortcutsOf,
  withLabels,
  writeKeymap,
  type KeyedAction,
  type Keymap,
} from '../../../../../renderer/shared/keys/keymap.ts';

const actions: readonly KeyedAction[] = [
  { id: 'next', scope: 'always', keys: ['KeyF'] },
  { id: 'previous', scope: 'always', keys: ['KeyD'] },
  { id: 'lockAll', scope: 'always', keys: ['KeyT KeyL'] },
  { id: 'hide', scope: 'selection', keys: ['KeyH'] },
  { id: 'pan', scope: 'always', keys: ['KeyH'] },
];
const keysOf = (keymap: Keymap, id: string): readonly string[] =>
  shortcutsOf(withLabels(actions, keymap, id).find((one) => one.id === id) ?? ({} as KeyedAction), keymap);
const give = (keymap: Keymap, id: string, shortcut: string, others: 'take' | 'swap', instead: string | null = null) =>
  assignKey(withLabels(actions, keymap, id), keymap, { id, shortcut, instead, others });

describe('conflicts of a key', () => {
  const conflicts = (id: string, shortcut: string) => conflictsOf(actions, defaultKeymap, { id, shortcut });

  it('name the action that has it', () => {
    expect(conflicts('next', 'KeyD')).toEqual([{ id: 'previous', shortcut: 'KeyD', kind: 'same' }]);
    expect(conflicts('next', 'KeyA')).toEqual([]);
    expect(conflicts('next', 'KeyF')).toEqual([]);
  });

  it('are none between actions that never apply together', () => {
    expect(conflicts('hide', 'KeyD')).toEqual([]);
    expect(conflicts('pan', 'KeyH')).toEqual([]);
  });

  it('include a key that begins two keys, in every scope', () => {
    expect(conflicts('hide', 'KeyT')).toEqual([{ id: 'lockAll', shortcut: 'KeyT KeyL', kind: 'begins' }]);
    expect(conflicts('next', 'KeyD KeyA')).toEqual([{ id: 'previous', shortcut: 'KeyD', kind: 'begins' }]);
  });

  it('read modifiers in any order', () => {
    const keymap = give(defaultKeymap, 'next', 'Shift+Mod+KeyA', 'take');
    expect(conflictsOf(actions, keymap, { id: 'previous', shortcut: 'Mod+Shift+KeyA' })).toHaveLength(1);
  });
});

describe('assigning a key', () => {
  it('takes it from the other, or swaps the two', () => {
    const taken = give(defaultKeymap, 'next', 'KeyD', 'take', 'KeyF');
    expect([keysOf(taken, 'next'), keysOf(taken, 'previous')]).toEqual([['KeyD'], []]);
    const swapped = give(defaultKeymap, 'next', 'KeyD', 'swap', 'KeyF');
    expect([keysOf(swapped, 'next'), keysOf(swapped, 'previous')]).toEqual([['KeyD'], ['KeyF']]);
  });

  it('adds one more, and never the same twice', () => {
    const more = give(defaultKeymap, 'next', 'KeyA', 'take');
    expect(keysOf(more, 'next')).toEqual(['KeyF', 'KeyA']);
    expect(keysOf(give(more, 'next', 'KeyA', 'take'), 'next')).toEqual(['KeyF', 'KeyA']);
  });

  it('is not a change if the default keys are assigned again', () => {
    const there = give(defaultKeymap, 'next', 'KeyA', 'take', 'KeyF');
    expect(there.changes).toEqual({ next: ['KeyA'] });
    expect(give(there, 'next', 'KeyF', 'take', 'KeyA').changes).toEqual({});
  });

  it('leaves no unreachable key', () => {
    const keymap = give(defaultKeymap, 'hide', 'KeyT', 'take');
    expect(keysOf(keymap, 'lockAll')).toEqual([]);
  });

  it('works for labels by their names, any number of them', () => {
    const names = Array.from({ length: 26 }, (_, index) => `label ${index}`);
    const keymap = names.reduce(
      (now, name, index) => give(now, labelActionId(name), `KeyX Key${String.fromCodePoint(65 + index)}`, 'take'),
      defaultKeymap,
    );
    expect(names.map((name) => keysOf(keymap, labelActionId(name)))).toHaveLength(26);
    expect(keysOf(keymap, labelActionId('label 25'))).toEqual(['KeyX KeyZ']);
    expect(conflictsOf(withLabels(actions, keymap), keymap, { id: 'next', shortcut: 'KeyX KeyC' })).toEqual([
      { id: 'label:label 2', shortcut: 'KeyX KeyC', kind: 'same' },
    ]);
  });
});

describe('resetting one action', () => {
  it('restores its keys from any action that got them', () => {
    const taken = give(give(defaultKeymap, 'next', 'KeyD', 'take', 'KeyF'), 'previous', 'KeyF', 'take');
    const back = resetKeys(actions, taken, 'next');
    expect([keysOf(back, 'next'), keysOf(back, 'previous')]).toEqual([['KeyF'], []]);
    expect(resetKeys(actions, back, 'previous').changes).toEqual({});
  });

  it('restores those of the preset', () => {
    const keymap: Keymap = { preset: 'labelImg', changes: { 'frame.next': ['KeyX'] } };
    const action: KeyedAction = { id: 'frame.next', scope: 'always', keys: ['KeyF'] };
    expect(shortcutsOf(action, resetKeys([action], keymap, 'frame.next'))).toEqual(['KeyD']);
  });
});

describe('a file of keys', () => {
  const keymap: Keymap = { preset: 'design', changes: { next: ['KeyA'], 'label:car': ['KeyC KeyA'] } };

  it('preserves its content', () => {
    expect(readKeymap(writeKeymap(keymap), actions)).toEqual({ keymap });
    expect(overridesOf(keymap)['tool.select']).toEqual(['KeyV']);
  });

  it('is refused completely, with the position', () => {
    expect(readKeymap('{', actions)).toMatchObject({ problem: 'notJson' });
    expect(readKeymap('[]', actions)).toMatchObject({ problem: 'notKeys' });
    const file = { limner: 'keys', version: 1, preset: 'cvat', keys: { next: ['not a key at all'] } };
    expect(readKeymap(JSON.stringify(file), actions)).toEqual({ problem: 'notKeys', details: 'keys → next → 0' });
    const unknown = { ...file, keys: { next: ['KeyA'], 'moon.walk': ['KeyM'] } };
    expect(readKeymap(JSON.stringify(unknown), actions)).toEqual({ problem: 'unknown', details: 'moon.walk' });
  });

  it('that is damaged is ignored', () => {
    expect(readKept(null)).toEqual(defaultKeymap);
    expect(readKept('{"limner":')).toEqual(defaultKeymap);
    expect(readKept(writeKeymap(keymap))).toEqual(keymap);
  });
});
