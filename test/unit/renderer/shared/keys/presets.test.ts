import { describe, expect, it } from 'vitest';
import { createActionTable } from '../../../../../renderer/canvas/action-table.ts';
import { isShortcut } from '../../../../../renderer/canvas/shortcuts.ts';
import { sessionActions as actions } from '../../../../../renderer/features/workspace/commands/action-list.ts';
import { overridesOf, shortcutsOf } from '../../../../../renderer/shared/keys/keymap.ts';
import { presetIds, presets } from '../../../../../renderer/shared/keys/presets.ts';

const bound = actions.map((action) => ({ ...action, when: () => true, run() {} }));
const byId = new Map(actions.map((action) => [action.id, action]));

/** Shortcuts that CVAT 2.73's components register, for actions with an equivalent here. */
const cvat: Readonly<Record<string, readonly string[]>> = {
  'file.save': ['Mod+KeyS'],
  'edit.undo': ['Mod+KeyZ'],
  'edit.redo': ['Mod+Shift+KeyZ', 'Mod+KeyY'],
  'player.toggle': ['Space'],
  'frame.previous': ['KeyD'],
  'frame.next': ['KeyF'],
  'frame.back10': ['KeyC'],
  'frame.forward10': ['KeyV'],
  'frame.input': ['Backquote'],
  'object.previous': ['Shift+Tab'],
  'object.next': ['Tab'],
  'draw.cancel': ['Escape'],
  'draw.again': ['KeyN'],
  'draw.finish': ['KeyN'],
  'edit.paste': ['Mod+KeyV'],
  'edit.copy': ['Mod+KeyC'],
  'track.merge': ['KeyM'],
  'track.split': ['Alt+KeyM'],
  'track.join': ['KeyJ'],
  'track.keyframe': ['KeyK'],
  'track.previousKeyframe': ['KeyE'],
  'track.nextKeyframe': ['KeyR'],
  'track.propagate': ['Mod+KeyB'],
  'object.group': ['KeyG'],
  'object.ungroup': ['Shift+KeyG'],
  'view.rotateClockwise': ['Mod+KeyR'],
  'view.rotateCounterclockwise': ['Mod+Shift+KeyR'],
  'tool.brush': ['Shift+Digit1'],
  'tool.eraser': ['Shift+Digit2'],
  'object.lock': ['KeyL'],
  'object.lockAll': ['KeyT KeyL'],
  'object.hide': ['KeyH'],
  'object.hideAll': ['KeyT KeyH'],
  'object.occluded': ['KeyQ', 'Slash'],
  'object.outside': ['KeyO'],
  'object.pin': ['KeyP'],
  'edit.delete': ['Delete'],
  'edit.forceDelete': ['Shift+Delete'],
  'object.toBack': ['Minus', 'Shift+Minus'],
  'object.toFront': ['Equal', 'Shift+Equal'],
  'label.set1': ['Mod+Digit1'],
  'label.set10': ['Mod+Digit0'],
};

it('the list of actions without an opened job has every action once, with readable keys', () => {
  expect(byId.size).toBe(actions.length);
  expect(actions.length).toBeGreaterThan(100);
  expect(actions.flatMap(({ keys }) => keys.filter((key) => !isShortcut(key)))).toEqual([]);
});

describe('presets', () => {
  it("have CVAT's keys if nothing is changed", () => {
    const table = createActionTable({ actions: bound, overrides: presets.cvat });
    const missing = Object.entries(cvat).filter(
      ([id, keys]) => !keys.every((key) => table.shortcutsOf(id).includes(key)),
    );
    expect(missing).toEqual([]);
  });

  it('change only existing actions, to readable keys', () => {
    for (const changes of Object.values(presets)) {
      expect(Object.keys(changes).filter((id) => !byId.has(id))).toEqual([]);
      expect(Object.values(changes).flatMap((keys) => keys.filter((key) => !isShortcut(key)))).toEqual([]);
    }
  });

  it.each(presetIds)('%s assigns no key to two actions unless the actions themselves share it', (preset) => {
    const shared = createActionTable({ actions: bound })
      .conflicts()
      .map(({ ids }) => ids.join());
    const table = createActionTable({ actions: bound, overrides: presets[preset] });
    expect(table.conflicts().filter(({ ids }) => !shared.includes(ids.join()))).toEqual([]);
  });

  it.each(presetIds)('%s hides no tool behind a key of selected objects, and no two keys behind one', (preset) => {
    const keymap = { preset, changes: {} };
    const keys = actions.map((action) => ({ action, keys: shortcutsOf(action, keymap) }));
    const ofSelection = new Set(keys.flatMap((one) => (one.action.scope === 'always' ? [] : one.keys)));
    const changed = Object.keys(overridesOf(keymap)).filter((id) => id.startsWith('tool.'));
    const hidden = keys.filter(({ action, keys: own }) => changed.includes(action.id) && ofSelection.has(own[0] ?? ''));
    expect(hidden.map(({ action }) => action.id)).toEqual([]);
    const all = new Set(keys.flatMap((one) => one.keys));
    expect([...all].filter((key) => key.includes(' ') && all.has(key.split(' ')[0] ?? ''))).toEqual([]);
  });
});
