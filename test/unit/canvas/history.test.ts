import * as fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createHistory } from '../../../renderer/canvas/history.ts';
import { nudgeSelection } from '../../../renderer/canvas/object-edits.ts';
import type { Command, SceneRecord } from '../../../renderer/canvas/types.ts';
import { makeShape, makeTag } from '../../support/canvas-shape.ts';
import { driveEditor, type EditorDriver } from './support/editor-driver.ts';

/** Records of all frames, updated only from the commands, like on a screen. */
function followCommands(hand: EditorDriver, initial: readonly SceneRecord[]): Map<string, SceneRecord> {
  const store = new Map(initial.map((record) => [record.clientId, record]));
  hand.editor.events.on('command', (command) => {
    for (const { clientId, after } of command.changes) {
      if (after === null) store.delete(clientId);
      else if (after.kind !== 'track') store.set(clientId, after);
    }
  });
  return store;
}

const byId = (records: Iterable<SceneRecord>): SceneRecord[] =>
  [...records].sort((a, b) => (a.clientId < b.clientId ? -1 : 1));

const initialRecords: readonly SceneRecord[] = [0, 1].flatMap((frame) => [
  makeShape(`box-${frame}`, 'rectangle', [50, 50, 150, 120], { frame }),
  makeShape(`polygon-${frame}`, 'polygon', [200, 50, 300, 50, 300, 150, 200, 150], { frame }),
  makeTag(`tag-${frame}`, 1, { frame }),
]);

type Step = (hand: EditorDriver, store: Map<string, SceneRecord>) => void;

const coordinate = fc.integer({ min: 0, max: 290 });
const anyId = (hand: EditorDriver, pick: number): string[] => {
  const all = hand.editor.scene.all();
  const record = all[pick % Math.max(1, all.length)];
  return record === undefined ? [] : [record.clientId];
};
const corners = fc.tuple(coordinate, coordinate, coordinate, coordinate);
const step = <Value>(given: fc.Arbitrary<Value>, take: (hand: EditorDriver, value: Value) => unknown) =>
  given.map(
    (value): Step =>
      (hand) =>
        void take(hand, value),
  );
const onFrame =
  (frame: number): Step =>
  (hand, store) =>
    hand.editor.setFrameShapes([...store.values()], frame);

const steps: fc.Arbitrary<Step> = fc.oneof(
  step(corners, (hand, [x1, y1, x2, y2]) => {
    hand.tool('rectangle');
    hand.drag([x1, y1], [x2, y2]);
    hand.tool('select', {});
  }),
  step(fc.array(fc.tuple(coordinate, coordinate), { minLength: 3, maxLength: 6 }), (hand, points) => {
    hand.tool('polygon');
    hand.clicks(...points);
    hand.editor.tools.current().finish();
    hand.tool('select', {});
  }),
  step(corners, (hand, [x1, y1, x2, y2]) => hand.drag([x1, y1], [x2, y2])),
  step(fc.tuple(coordinate, coordinate), (hand, [x, y]) => hand.click(x, y, { alt: true })),
  step(fc.nat(20), (hand, pick) => hand.editor.commands.remove(anyId(hand, pick))),
  step(fc.nat(20), (hand, pick) => hand.editor.commands.update(anyId(hand, pick), { labelId: 2 }, 'label')),
  step(fc.tuple(fc.nat(20), fc.string()), (hand, [pick, value]) =>
    hand.editor.commands.update(anyId(hand, pick), { attributes: [{ spec_id: 1, value }] }, 'attributes'),
  ),
  fc.constantFrom(0, 1).map(onFrame),
  fc.constant<Step>((hand) => void hand.editor.undo()),
  fc.constant<Step>((hand) => void hand.editor.redo()),
);

describe('history', () => {
  it('undoing everything gives the start, redoing everything the end, across frames', () => {
    fc.assert(
      fc.property(fc.array(steps, { maxLength: 30 }), (sequence) => {
        const hand = driveEditor(initialRecords);
        const store = followCommands(hand, initialRecords);
        for (const step of sequence) step(hand, store);
        while (hand.editor.redo() !== null);
        const end = byId(store.values());
        while (hand.editor.undo() !== null);
        expect(byId(store.values())).toEqual(byId(initialRecords));
        while (hand.editor.redo() !== null);
        expect(byId(store.values())).toEqual(end);
        const shown = end.filter(({ frame }) => frame === hand.editor.scene.frame);
        expect(byId(hand.editor.scene.all())).toEqual(shown);
      }),
      { numRuns: 150 },
    );
  });

  it('contains plain data: a serialized history works after parsing', () => {
    const hand = driveEditor(initialRecords);
    const store = followCommands(hand, initialRecords);
    hand.drag([100, 110], [130, 100]);
    hand.editor.commands.remove(['polygon-0']);
    const end = byId(store.values());
    const { commands, position } = hand.editor.history.list();
    const read: unknown = JSON.parse(JSON.stringify(commands));

    const other = driveEditor(end);
    const otherStore = followCommands(other, end);
    other.editor.history.restore(read as Command[], position);
    other.editor.undo();
    other.editor.undo();
    expect(byId(otherStore.values())).toEqual(byId(initialRecords));
  });

  it('names frame and shapes of a step, and changes another frame only in the command', () => {
    const hand = driveEditor(initialRecords);
    hand.drag([100, 110], [130, 100]);
    hand.editor.setFrameShapes(initialRecords, 1);
    expect(hand.editor.history.peekUndo()?.frame).toBe(0);
    const { version } = hand.editor.scene;
    expect(hand.editor.undo()).toBe('command');
    expect(hand.editor.scene.version).toBe(version);
    expect(hand.commands.at(-1)).toMatchObject({
      origin: 'undo',
      command: { frame: 0, changes: [{ clientId: 'box-0' }] },
    });
  });

  it('selects the restored objects of a step', () => {
    const hand = driveEditor(initialRecords);
    hand.editor.commands.remove(['box-0']);
    hand.editor.undo();
    expect(hand.editor.selection.ids()).toEqual(['box-0']);
  });

  it('discards redo steps after another action, and nothing else', () => {
    const history = createHistory();
    const command = (id: string): Command => ({ id, kind: 'other', frame: 0, label: id, changes: [] });
    for (let place = 0; place < 1000; place += 1) history.push(command(`c${place}`));
    history.stepBack();
    history.push(command('new'));
    expect(history.canRedo).toBe(false);
    expect(history.list().commands).toHaveLength(1000);
    expect(history.peekUndo()?.id).toBe('new');
    expect(history.list().commands[0]?.id).toBe('c0');
  });

  it('stores no command without a change', () => {
    const hand = driveEditor(initialRecords);
    expect(hand.editor.commands.update(['box-0'], { labelId: 1 })).toBeNull();
    expect(hand.editor.history.canUndo).toBe(false);
  });
});

it("records that are saved in between keep the server's id through undo and redo", () => {
  const hand = driveEditor(initialRecords);
  hand.drag([100, 110], [130, 100]);
  hand.editor.scene.apply([{ ...hand.shape('box-0'), serverId: 77 }], []);
  hand.editor.undo();
  expect(hand.shape('box-0')).toMatchObject({ serverId: 77, points: [50, 50, 150, 120] });
});

it('locked records are neither changed nor deleted unless forced, and the user is notified', () => {
  const hand = driveEditor(initialRecords);
  hand.editor.commands.update(['box-0'], { locked: true }, 'display');
  expect(hand.editor.commands.update(['box-0'], { labelId: 2 })).toBeNull();
  expect(hand.editor.commands.remove(['box-0'])).toBeNull();
  expect(hand.refusals).toHaveLength(2);
  expect(hand.editor.commands.remove(['box-0'], { force: true })).not.toBeNull();
});

describe('moves by arrow keys', () => {
  afterEach(() => void vi.useRealTimers());

  it('are one step in sequence; a pause, another selection or an undo ends it', () => {
    vi.useFakeTimers();
    const hand = driveEditor(initialRecords.filter(({ frame }) => frame === 0));
    const left = (): number => hand.shape('box-0').points[0] ?? 0;
    const push = (times: number): void => {
      for (let count = 0; count < times; count += 1) nudgeSelection(hand.editor, 1, 0);
    };
    hand.editor.selection.set(['box-0']);
    push(5);
    expect([left(), hand.editor.history.list().commands.length, hand.commands.length]).toEqual([55, 1, 5]);
    vi.advanceTimersByTime(1500);
    push(3);
    hand.editor.selection.set(['polygon-0']);
    push(2);
    hand.editor.selection.set(['box-0']);
    push(1);
    expect(hand.editor.history.list().commands).toHaveLength(4);
    hand.editor.undo();
    hand.editor.undo();
    expect(left()).toBe(58);
    hand.editor.undo();
    expect(left()).toBe(55);
    push(1);
    hand.editor.undo();
    hand.editor.undo();
    expect(left()).toBe(50);
    hand.editor.redo();
    expect(left()).toBe(55);
  });
});

it('separates a series of small commands when it continues on another frame', () => {
  const history = createHistory();
  const move = (frame: number): Command => {
    const record = makeShape('box', 'rectangle', [0, 0, 10, 10], { frame });
    return {
      id: String(frame),
      kind: 'move',
      label: 'canvas.command.move',
      frame,
      changes: [{ clientId: 'box', before: record, after: record }],
    };
  };
  history.push(move(0), 'nudge');
  history.push(move(0), 'nudge');
  expect(history.list().commands).toHaveLength(1);
  history.push(move(1), 'nudge');
  expect(history.list().commands).toHaveLength(2);
});
