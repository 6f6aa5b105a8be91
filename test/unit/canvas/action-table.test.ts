import { describe, expect, it } from 'vitest';
import { createActionTable, type Action } from '../../../renderer/canvas/action-table.ts';
import { formatShortcut, strokeOf } from '../../../renderer/canvas/shortcuts.ts';

function makeAction(id: string, keys: string[], runs: string[], more: Partial<Action> = {}): Action {
  return {
    id,
    label: 'actions.edit.undo',
    group: 'edit',
    keys,
    scope: 'always',
    when: () => true,
    run: () => void runs.push(id),
    ...more,
  };
}

const key = (code: string, modifiers: { ctrl?: boolean; shift?: boolean; alt?: boolean; repeat?: boolean } = {}) => ({
  code,
  ctrlKey: modifiers.ctrl ?? false,
  shiftKey: modifiers.shift ?? false,
  altKey: modifiers.alt ?? false,
  metaKey: false,
  repeat: modifiers.repeat ?? false,
});

describe('the table of actions', () => {
  it('runs the action of a key, and ignores other keys', () => {
    const runs: string[] = [];
    const table = createActionTable({ actions: [makeAction('undo', ['Mod+KeyZ'], runs)] });
    expect(table.handleKey(key('KeyZ'))).toBe(false);
    expect(table.handleKey(key('KeyZ', { ctrl: true, shift: true }))).toBe(false);
    expect(table.handleKey(key('KeyZ', { ctrl: true }))).toBe(true);
    expect(runs).toEqual(['undo']);
  });

  it('prefers actions for the drawing, then for the selection', () => {
    const runs: string[] = [];
    let isDrawing = true;
    const table = createActionTable({
      actions: [
        makeAction('again', ['KeyN'], runs),
        makeAction('finish', ['KeyN'], runs, { scope: 'drawing', when: () => isDrawing }),
      ],
    });
    table.handleKey(key('KeyN'));
    isDrawing = false;
    table.handleKey(key('KeyN'));
    expect(runs).toEqual(['finish', 'again']);
    expect(table.conflicts()).toEqual([]);
  });

  it('prefers actions for a suggestion over those for any selected object', () => {
    const runs: string[] = [];
    let isProposal = true;
    const table = createActionTable({
      actions: [
        makeAction('delete', ['Delete'], runs, { scope: 'selection' }),
        makeAction('reject', ['Delete'], runs, { scope: 'suggestion', when: () => isProposal }),
      ],
    });
    table.handleKey(key('Delete'));
    isProposal = false;
    table.handleKey(key('Delete'));
    expect(runs).toEqual(['reject', 'delete']);
    expect(table.conflicts()).toEqual([]);
  });

  it('repeats only repeatable actions', () => {
    const runs: string[] = [];
    const table = createActionTable({
      actions: [makeAction('once', ['KeyA'], runs), makeAction('often', ['KeyB'], runs, { repeats: true })],
    });
    expect(table.handleKey(key('KeyA', { repeat: true }))).toBe(true);
    table.handleKey(key('KeyB', { repeat: true }));
    expect(runs).toEqual(['often']);
  });

  it('applies overrides and names conflicts', () => {
    const runs: string[] = [];
    const table = createActionTable({
      actions: [makeAction('first', ['KeyA'], runs), makeAction('second', ['KeyB'], runs)],
      overrides: { second: ['KeyA'] },
    });
    expect(table.conflicts()).toEqual([{ shortcut: 'KeyA', ids: ['first', 'second'] }]);
    table.setOverrides({ first: [], second: ['Shift+Mod+KeyA'] });
    expect(table.conflicts()).toEqual([]);
    expect(table.shortcutsOf('second')).toEqual(['Mod+Shift+KeyA']);
    expect(table.handleKey(key('KeyA'))).toBe(false);
    expect(table.handleKey(key('KeyA', { ctrl: true, shift: true }))).toBe(true);
    expect(runs).toEqual(['second']);
  });

  it('waits a while for the second key of a sequence', () => {
    const runs: string[] = [];
    let timeMs = 0;
    const table = createActionTable({ actions: [makeAction('lockAll', ['KeyT KeyL'], runs)], now: () => timeMs });
    expect(table.handleKey(key('KeyT'))).toBe(true);
    expect(table.handleKey(key('KeyL'))).toBe(true);
    table.handleKey(key('KeyT'));
    timeMs = 5000;
    expect(table.handleKey(key('KeyL'))).toBe(false);
    expect(runs).toEqual(['lockAll']);
  });

  it('says if an action can run now', () => {
    const runs: string[] = [];
    const table = createActionTable({ actions: [makeAction('never', [], runs, { when: () => false })] });
    expect(table.run('never')).toBe(false);
    expect(table.run('unknown')).toBe(false);
  });

  it('shows shortcuts in the layout of the keyboard', () => {
    expect(formatShortcut('Mod+Shift+KeyZ')).toBe('Ctrl+Shift+Z');
    expect(formatShortcut('Mod+KeyZ', { isMac: true })).toBe('⌘+Z');
    expect(formatShortcut('KeyZ', { layout: new Map([['KeyZ', 'y']]) })).toBe('Y');
    expect(formatShortcut('KeyT ArrowLeft')).toBe('T ←');
  });
});

describe('a key', () => {
  const pressed = (code: string, key: string, more: Partial<Parameters<typeof strokeOf>[0]> = {}) =>
    strokeOf({ code, key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...more }, false);
  const ctrl = { ctrlKey: true };

  it.each([
    ['QWERTY', 'KeyZ', 'z'],
    ['QWERTZ', 'KeyY', 'z'],
    ['AZERTY', 'KeyW', 'z'],
    ['Dvorak', 'Slash', 'z'],
    ['Cyrillic', 'KeyZ', 'я'],
    ['Greek', 'KeyZ', 'ζ'],
    ['an input method', 'KeyZ', 'Process'],
  ])('with Ctrl is the character if the layout has it, otherwise the position: %s', (_, code, key) => {
    expect(pressed(code, key, ctrl)).toBe('Mod+KeyZ');
    expect(pressed(code, key.toUpperCase() === 'PROCESS' ? key : key.toUpperCase(), { ...ctrl, shiftKey: true })).toBe(
      'Mod+Shift+KeyZ',
    );
  });

  it('with Ctrl is not a letter if the layout has another character there', () => {
    // On AZERTY, M is to the right of L, and a comma is in its usual position.
    expect(pressed('Semicolon', 'm', ctrl)).toBe('Mod+KeyM');
    expect(pressed('KeyM', ',', ctrl)).toBe('Mod+Comma');
    expect(pressed('Digit1', '&', ctrl)).toBe('Mod+Digit1');
  });

  it('alone is the position, so that tools are under the same fingers', () => {
    expect(pressed('KeyW', 'z')).toBe('KeyW');
    expect(pressed('KeyY', 'Z', { shiftKey: true })).toBe('Shift+KeyY');
    expect(pressed('KeyJ', 'j', { altKey: true })).toBe('Alt+KeyJ');
  });

  it('of the number pad is the digit if it types one', () => {
    expect(pressed('Numpad2', '2')).toBe('Digit2');
    expect(pressed('Numpad2', '2', ctrl)).toBe('Mod+Digit2');
    expect(pressed('Numpad2', 'ArrowDown')).toBe('Numpad2');
    expect(pressed('NumpadAdd', '+')).toBe('Equal');
  });

  it('is named by its character', () => {
    const qwertz = new Map([
      ['KeyZ', 'y'],
      ['KeyY', 'z'],
      ['KeyQ', 'q'],
    ]);
    const azerty = new Map([
      ['KeyZ', 'w'],
      ['KeyM', ','],
    ]);
    const cyrillic = new Map([['KeyZ', 'я']]);
    expect(formatShortcut('Mod+KeyZ', { layout: qwertz })).toBe('Ctrl+Z');
    expect(formatShortcut('KeyZ', { layout: qwertz })).toBe('Y');
    expect(formatShortcut('Mod+Shift+KeyZ', { layout: azerty })).toBe('Ctrl+Shift+Z');
    expect(formatShortcut('Mod+KeyM', { layout: azerty })).toBe('Ctrl+M');
    expect(formatShortcut('Mod+KeyZ', { layout: cyrillic })).toBe('Ctrl+Я');
  });
});
