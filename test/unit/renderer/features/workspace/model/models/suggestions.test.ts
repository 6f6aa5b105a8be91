import { beforeAll, describe, expect, it } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { labeledDataSchema, type LabeledDataInput } from '../../../../../../../preload/contract/schema/annotations.ts';
import type { Command, SceneRecord } from '../../../../../../../renderer/canvas/types.ts';
import { initialModelState } from '../../../../../../../renderer/features/workspace/model/models/model-state.ts';
import { createSavedSuggestions } from '../../../../../../../renderer/features/workspace/model/models/saved-suggestions.ts';
import { suggestionsFrom } from '../../../../../../../renderer/features/workspace/model/models/suggestion-records.ts';
import { createSuggestionStore } from '../../../../../../../renderer/features/workspace/model/models/suggestion-store.ts';
import { createSuggestions } from '../../../../../../../renderer/features/workspace/model/models/suggestions.ts';
import { createRecordStore } from '../../../../../../../renderer/features/workspace/model/record-store.ts';
import type { Edit } from '../../../../../../../renderer/features/workspace/model/saving/save-types.ts';
import { startTranslation } from '../../../../../../../renderer/i18n/index.ts';
import { makeAttribute, makeLabel } from '../../../../../../support/labels.ts';
import { driveEditor } from '../../../../../canvas/support/editor-driver.ts';

beforeAll(startTranslation);

const car = makeLabel(1, 'car', { attributes: [makeAttribute(7, 'transcription')] });

const found = (scores: readonly number[], frame = 0): LabeledDataInput => ({
  shapes: scores.map((score, index) => ({
    type: 'rectangle' as const,
    frame,
    label_id: 1,
    source: 'auto' as const,
    score,
    points: [index * 10, 0, index * 10 + 8, 8],
  })),
});

async function open(stored: Record<number, LabeledDataInput> = {}) {
  const { editor } = driveEditor();
  const suggestionStore = createSuggestionStore();
  const pushed: Edit[] = [];
  const serverIds = new Map<string, number>();
  const records = createRecordStore({
    suggestionStore,
    load: (frame: number) => Promise.resolve(labeledDataSchema.parse(stored[frame] ?? {})),
    loadTracks: () => Promise.resolve([]),
    onTracks: () => undefined,
    tracksNow: () => [],
    queue: {
      know: (localId, id) => void serverIds.set(localId, id),
      serverIdOf: (localId) => serverIds.get(localId),
      push: (edits) => void pushed.push(...edits),
      unsaved: () => [],
      uncertain: () => [],
      onSaved: () => () => undefined,
      subscribe: () => () => undefined,
    },
  });
  editor.events.on('command', (command: Command) => records.apply(command));
  const state = createStore(() => initialModelState);
  const engine = {
    scene: editor.scene,
    selection: editor.selection,
    execute: editor.commands.execute,
    patchScene: (upsert: readonly SceneRecord[], remove: readonly string[] = []) => editor.scene.apply(upsert, remove),
    focusShape: (id: string) => editor.selection.set([id]),
  };
  const suggestions = createSuggestions({ engine, suggestionStore, state, labels: () => [car] });
  const show = async (frame: number): Promise<void> => editor.setFrameShapes(await records.open(frame), frame);
  let made = 0;
  const offer = (scores: readonly number[], frame = 0, model = 'm'): number =>
    suggestions.offer(
      frame,
      model,
      suggestionsFrom(labeledDataSchema.parse(found(scores, frame)), model, () => String((made += 1))),
    );
  await show(0);
  return { editor, suggestionStore, pushed, serverIds, records, suggestions, show, offer };
}

const scores = (records: readonly SceneRecord[]): number[] =>
  records.map((record) => (record.kind === 'shape' ? record.score : 1));

describe('suggestions of a model', () => {
  it('are shown by descending score with the first selected, and nothing is sent', async () => {
    const { suggestions, pushed, offer } = await open();
    expect(offer([0.3, 0.9, 0.6])).toBe(3);
    expect(scores(suggestions.shown())).toEqual([0.9, 0.6, 0.3]);
    expect(suggestions.selected()).toEqual([suggestions.shown()[0]?.clientId]);
    expect(pushed).toEqual([]);
  });

  it('are shown in the order of the model if they are texts', async () => {
    const { suggestions } = await open();
    const { shapes = [] } = found([0.3, 0.9]);
    const texts = shapes.map((one, index) => ({ ...one, attributes: [{ spec_id: 7, value: `line ${index}` }] }));
    let made = 0;
    suggestions.offer(
      0,
      'm',
      suggestionsFrom(labeledDataSchema.parse({ shapes: texts }), 'm', () => String((made += 1))),
    );
    expect(scores(suggestions.shown())).toEqual([0.3, 0.9]);
  });

  it('become ordinary objects when accepted, one after the other, and undo makes them suggestions again', async () => {
    const { editor, suggestions, pushed, offer } = await open();
    offer([0.9, 0.6]);
    const [first, second] = suggestions.shown();
    suggestions.accept(suggestions.selected());
    expect(pushed).toMatchObject([{ deleted: false, body: { source: 'auto', score: 0.9 } }]);
    expect(editor.scene.get(first?.clientId ?? '')?.suggestion).toBeUndefined();
    expect(suggestions.selected()).toEqual([second?.clientId]);
    editor.undo();
    expect(pushed.at(-1)).toMatchObject({ localId: first?.clientId, deleted: true });
    expect(suggestions.shown()).toHaveLength(2);
    editor.redo();
    expect(pushed.at(-1)).toMatchObject({ localId: first?.clientId, deleted: false });
    expect(suggestions.shown()).toHaveLength(1);
  });

  it('for attributes set only these on the object with the same shape, and undo takes both back', async () => {
    const box = { ...found([0.4]).shapes?.[0], id: 9, attributes: [{ spec_id: 7, value: 'old' }] };
    const { editor, suggestions, suggestionStore, pushed } = await open({ 0: { shapes: [box] } as LabeledDataInput });
    const offered = (value: string, left = 0) =>
      suggestions.offer(
        0,
        'm',
        suggestionsFrom(
          labeledDataSchema.parse({
            shapes: [{ ...box, id: undefined, score: 1, points: [left, 0, 8, 8], attributes: [{ spec_id: 7, value }] }],
          }),
          'm',
          () => value,
          'attributes',
        ),
      );
    const stored = () => editor.scene.all().find(({ suggestion }) => suggestion !== true);
    expect(offered('old')).toBe(0);
    expect(offered('new')).toBe(1);
    suggestions.accept(suggestions.shown().map(({ clientId }) => clientId));
    expect(editor.scene.size).toBe(1);
    expect(stored()).toMatchObject({ serverId: 9, score: 0.4, attributes: [{ spec_id: 7, value: 'new' }] });
    expect(pushed).toMatchObject([{ deleted: false, body: { attributes: [{ spec_id: 7, value: 'new' }] } }]);
    editor.undo();
    expect(stored()).toMatchObject({ attributes: [{ spec_id: 7, value: 'old' }] });
    expect(suggestions.shown()).toHaveLength(1);
    expect(suggestionStore.frames()).toEqual([{ frame: 0, count: 1 }]);
    offered('elsewhere', 4);
    expect(suggestions.shown()).toEqual([]);
    expect(suggestionStore.frames()).toEqual([]);
    suggestions.accept(editor.scene.all().map(({ clientId }) => clientId));
    expect(stored()).toMatchObject({ attributes: [{ spec_id: 7, value: 'old' }] });
  });

  it('vanish when rejected, without a request to the service, and undo restores them', async () => {
    const { editor, suggestions, pushed, suggestionStore, offer } = await open();
    offer([0.9, 0.6]);
    suggestions.reject(suggestions.shown().map(({ clientId }) => clientId));
    expect(editor.scene.size).toBe(0);
    expect(suggestionStore.frames()).toEqual([]);
    expect(suggestions.selected()).toEqual([]);
    editor.undo();
    expect(suggestions.shown()).toHaveLength(2);
    expect(pushed).toEqual([]);
  });

  it('below the score filter are hidden, not lost, and not accepted with the others', async () => {
    const { editor, suggestions, pushed, offer } = await open();
    offer([0.9, 0.2]);
    suggestions.setMinimumScore(0.5);
    expect(scores(suggestions.shown())).toEqual([0.9]);
    expect(editor.scene.all().map((record) => record.hidden)).toEqual([false, true]);
    suggestions.accept(editor.scene.all().map(({ clientId }) => clientId));
    expect(pushed).toHaveLength(1);
    suggestions.setMinimumScore(0);
    expect(scores(suggestions.shown())).toEqual([0.2]);
  });

  it('wait on their frame while another one is shown', async () => {
    const { editor, suggestions, suggestionStore, show, offer } = await open();
    offer([0.9]);
    expect(offer([0.8, 0.7], 3)).toBe(2);
    await show(3);
    expect(scores(suggestions.shown())).toEqual([0.8, 0.7]);
    expect(suggestionStore.frames()).toEqual([
      { frame: 0, count: 1 },
      { frame: 3, count: 2 },
    ]);
    suggestions.step(1);
    suggestions.accept(suggestions.selected());
    await show(0);
    expect(scores(suggestions.shown())).toEqual([0.9]);
    await show(3);
    expect(editor.scene.all().filter((record) => record.suggestion === true)).toHaveLength(1);
    expect(editor.scene.size).toBe(2);
  });

  it('of a second run replace the first one’s, and not those of another model', async () => {
    const { suggestions, offer } = await open();
    offer([0.9, 0.8]);
    // The first two are the same boxes again.
    expect(offer([0.5, 0.4, 0.3, 0.2], 0, 'other')).toBe(2);
    expect(scores(suggestions.shown())).toEqual([0.9, 0.8, 0.3, 0.2]);
    offer([0.7]);
    expect(scores(suggestions.shown())).toEqual([0.7, 0.3, 0.2]);
  });

  it('that are annotations already are not suggested, also when a run over the task stores them at the same time', async () => {
    const stored: Record<number, LabeledDataInput> = { 0: { shapes: [{ ...found([1]).shapes![0]!, id: 7 }] } };
    const { suggestions, records, show, offer } = await open(stored);
    expect(offer([0.9, 0.6])).toBe(1);
    stored[0] = { shapes: found([1, 1]).shapes!.map((shape, index) => ({ ...shape, id: 7 + index })) };
    records.forget();
    await show(0);
    expect(suggestions.shown()).toEqual([]);
  });

  it('are cycled through in their order', async () => {
    const { suggestions, offer } = await open();
    offer([0.9, 0.8, 0.7]);
    const ids = suggestions.shown().map(({ clientId }) => clientId);
    const walked = [1, 1, 1, -1].map((by) => {
      suggestions.step(by as 1 | -1);
      return ids.indexOf(suggestions.selected()[0] ?? '');
    });
    expect(walked).toEqual([1, 2, 0, 2]);
  });
});

it("objects that are loaded again keep the history's id", async () => {
  const stored: Record<number, LabeledDataInput> = {};
  const { suggestions, records, serverIds, show, editor, offer } = await open(stored);
  offer([0.9]);
  const [id = ''] = suggestions.selected();
  suggestions.accept([id]);
  serverIds.set(id, 12);
  stored[0] = {
    shapes: [
      { ...found([0.9]).shapes![0]!, id: 12 },
      { ...found([0, 0.5]).shapes![1]!, id: 13 },
    ],
  };
  records.forget();
  await show(0);
  expect(editor.scene.get(id)).toMatchObject({ serverId: 12 });
  editor.undo();
  expect(editor.scene.all().map(({ clientId }) => clientId)).toContain('shape-13');
  expect(editor.scene.get(id)?.suggestion).toBe(true);
});

describe('suggestions over a reload', () => {
  const memory = () => {
    const values = new Map<string, string>();
    return {
      values,
      getItem: (key: string) => values.get(key) ?? null,
      setItem: (key: string, value: string) => void values.set(key, value),
      removeItem: (key: string) => void values.delete(key),
    };
  };
  const savedOf = (store: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>, more: object = {}) =>
    createSavedSuggestions({ store, jobId: 4, hasLabel: () => true, onFull: () => undefined, ...more });
  const records = suggestionsFrom(labeledDataSchema.parse(found([0.9, 0.4])), 'm', () => crypto.randomUUID());

  it('are restored, except for those whose label is gone', () => {
    const store = memory();
    const saved = savedOf(store);
    const suggestionStore = createSuggestionStore(saved);
    suggestionStore.put(records);
    saved.flush();
    expect(createSuggestionStore(saved).of(0)).toEqual(records);
    const other = savedOf(store, { hasLabel: () => false });
    expect(createSuggestionStore(other).of(0)).toEqual([]);
    const ids = records.map(({ clientId }) => clientId);
    suggestionStore.remove(0, ids);
    saved.flush();
    expect(store.values.size).toBe(0);
  });

  it('say so once when they do not fit into the store', () => {
    let told = 0;
    const full = {
      ...memory(),
      setItem: () => {
        throw new Error('full');
      },
    };
    const saved = savedOf(full, { onFull: () => void (told += 1) });
    const suggestionStore = createSuggestionStore(saved);
    suggestionStore.put(records);
    saved.flush();
    suggestionStore.put(records);
    saved.flush();
    expect(told).toBe(1);
    expect(suggestionStore.of(0)).toHaveLength(2);
  });
});
