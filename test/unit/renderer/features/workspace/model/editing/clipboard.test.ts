import { describe, expect, it } from 'vitest';
import { createStore } from 'zustand/vanilla';
import type { Label } from '../../../../../../../preload/contract/schema/labels.ts';
import { pasteRecords } from '../../../../../../../renderer/canvas/object-edits.ts';
import { initialState } from '../../../../../../../renderer/features/workspace/model/types.ts';
import { createClipboard } from '../../../../../../../renderer/features/workspace/model/editing/clipboard.ts';
import { readCopied } from '../../../../../../../renderer/features/workspace/model/editing/clipboard-text.ts';
import { makeShape } from '../../../../../../support/canvas-shape.ts';
import { makeAttribute, makeLabel } from '../../../../../../support/labels.ts';
import { driveEditor } from '../../../../../canvas/support/editor-driver.ts';

const label = (id: number, name: string, type: Label['type'] = 'any', note = 1): Label =>
  makeLabel(id, name, { type, attributes: [makeAttribute(note, 'note')] });

function openWindow(jobId: number, labels: readonly Label[], kept: Map<string, string>, system?: string) {
  let next = 0;
  const hand = driveEditor([
    makeShape('a', 'rectangle', [10, 10, 50, 50], { serverId: 3, attributes: [{ spec_id: 1, value: 'red' }] }),
    makeShape('b', 'polygon', [100, 10, 150, 10, 150, 50], { labelId: 2 }),
  ]);
  const { scene, selection, commands } = hand.editor;
  const clipboard = createClipboard({
    jobId,
    engine: {
      scene,
      selection,
      remove: commands.remove,
      paste: (records, inPlace) => pasteRecords(hand.editor, records, () => `${jobId}-${(next += 1)}`, inPlace),
    },
    store: createStore(() => initialState(0, labels, false, 'standard')),
    kept: { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => void kept.set(key, value) },
    system: {
      readText: () => Promise.resolve(system ?? ''),
      writeText: () => Promise.reject(new Error('Not allowed.')),
    },
    mayRead: () => Promise.resolve(system !== undefined),
  });
  return { hand, clipboard, selection };
}

const ours = [label(1, 'car'), label(2, 'house')];

describe('the clipboard', () => {
  it('offsets a copy from its original, or puts it at the same position', async () => {
    const { hand, clipboard, selection } = openWindow(1, ours, new Map());
    expect(clipboard.isFilled()).toBe(false);
    selection.set(['a']);
    clipboard.copy();
    await clipboard.paste(false);
    expect(hand.shape('1-1').points).toEqual([24, 24, 64, 64]);
    await clipboard.paste(true);
    expect(hand.shape('1-2')).toMatchObject({ points: [10, 10, 50, 50], attributes: [{ spec_id: 1, value: 'red' }] });
    expect(hand.shape('1-2').serverId).toBeUndefined();
  });

  it('matches labels and attributes of another job by their names, and names missing ones', async () => {
    const kept = new Map<string, string>();
    const from = openWindow(1, ours, kept);
    from.selection.set(['a', 'b']);
    from.clipboard.cut();
    expect(from.hand.shapes()).toEqual([]);
    const other = openWindow(2, [label(70, 'house', 'rectangle', 71), label(80, 'car', 'any', 81)], kept);
    await other.clipboard.paste(false);
    expect(other.hand.last().changes).toHaveLength(1);
    expect(other.hand.shape('2-1')).toMatchObject({
      labelId: 80,
      points: [10, 10, 50, 50],
      attributes: [{ spec_id: 81, value: 'red' }],
    });
  });

  it("reads the system clipboard, if that is permitted, if its content is Limner's", async () => {
    const kept = new Map<string, string>();
    const { clipboard, selection } = openWindow(1, ours, kept);
    selection.set(['a']);
    clipboard.copy();
    const [written = ''] = kept.values();
    const elsewhere = openWindow(3, ours, new Map(), written);
    await elsewhere.clipboard.paste(false);
    expect(elsewhere.hand.shape('3-1').points).toEqual([10, 10, 50, 50]);
    for (const text of [
      '',
      'a text',
      '{"limner":"objects"',
      '{"limner":"objects","labels":[],"records":[{"kind":"x"}]}',
    ])
      expect(readCopied(text)).toBeNull();
  });
});
