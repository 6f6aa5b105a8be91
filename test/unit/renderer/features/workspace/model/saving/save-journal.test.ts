import { describe, expect, it } from 'vitest';
import {
  createJobJournal,
  findJournals,
  forgetJournal,
  orphanJournals,
  type KeyStore,
} from '../../../../../../../renderer/features/workspace/model/saving/save-journal.ts';
import type { Edit, UnsavedEdits } from '../../../../../../../renderer/features/workspace/model/saving/save-types.ts';

function memoryStore(limitChars = Infinity): KeyStore {
  const items = new Map<string, string>();
  return {
    get length() {
      return items.size;
    },
    key: (index) => [...items.keys()][index] ?? null,
    getItem: (key) => items.get(key) ?? null,
    setItem(key, value) {
      if (value.length > limitChars) throw new DOMException('full', 'QuotaExceededError');
      items.set(key, value);
    },
    removeItem: (key) => void items.delete(key),
  };
}

const edit = (localId: string): Edit => ({
  localId,
  collection: 'tags',
  deleted: false,
  body: { frame: 0, label_id: 1, group: 0, source: 'manual', attributes: [] },
});
const edits = (...ids: string[]): UnsavedEdits => ({ batches: [], pending: ids.map(edit), refused: [] });
const nothing = edits();

const locksHolding = (...names: string[]): LockManager => {
  const query = () => Promise.resolve({ held: names.map((name) => ({ name })), pending: [] });
  return { query } as unknown as LockManager;
};

describe('journal of unsaved edits', () => {
  it('contains an edit at once and is empty after everything was saved', () => {
    const store = memoryStore();
    const journal = createJobJournal(store, 7, 'window-a');
    journal.write(edits('one'));
    expect(findJournals(store)).toMatchObject([{ jobId: 7, edits: { pending: [{ localId: 'one' }] } }]);
    journal.write(nothing);
    expect(store.length).toBe(0);
  });

  it('finds edits of closed windows, but not those of open windows', async () => {
    const store = memoryStore();
    createJobJournal(store, 7, 'open').write(edits('one'));
    createJobJournal(store, 7, 'gone').write(edits('two'));
    createJobJournal(store, 8, 'gone').write(edits('three'));
    const held = locksHolding('limner.unsaved.7.open');
    const orphans = await orphanJournals(store, held, 7);
    expect(orphans.map((found) => found.edits.pending[0]?.localId)).toEqual(['two']);
    forgetJournal(store, orphans[0]?.key ?? '');
    expect(await orphanJournals(store, held, 7)).toEqual([]);
    expect(findJournals(store)).toHaveLength(2);
  });

  it('says so when the edits do not fit, and again when they do', () => {
    const journal = createJobJournal(memoryStore(600), 7, 'a');
    journal.write(edits('one'));
    expect(journal.kept()).toBe(true);
    journal.write(edits(...Array.from({ length: 20 }, (_, index) => `edit-${index}`)));
    expect(journal.kept()).toBe(false);
    journal.write(edits('one'));
    expect(journal.kept()).toBe(true);
  });

  it('keeps other entries of the store and broken ones', () => {
    const store = memoryStore();
    store.setItem('limner.color-scheme', 'dark');
    store.setItem('limner.unsaved.7.x', '{broken');
    expect(findJournals(store)).toEqual([]);
  });
});
