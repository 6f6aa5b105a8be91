import type { StoreApi } from 'zustand/vanilla';
import type { CanvasEngine } from '../../../../canvas/canvas-engine.ts';
import type { CommandKind, RecordChange, Size } from '../../../../canvas/types.ts';
import { text } from '../../../../i18n/index.ts';
import type { AnnotateState } from '../../annotate-state.ts';
import type { FindDesk } from '../../find/find-desk.ts';
import { isUnnamed } from '../../labels/unnamed-shapes.ts';
import { isSuggestion } from '../../models/suggestion-shelf.ts';
import type { RecordStore } from '../../record-store.ts';
import { bulkChanges, type BulkAction, type BulkKind } from './bulk-changes.ts';

interface BulkParts {
  readonly engine: Pick<CanvasEngine, 'execute'>;
  readonly store: Pick<StoreApi<AnnotateState>, 'getState'>;
  readonly records: Pick<RecordStore, 'open'>;
  readonly find: Pick<FindDesk, 'matches' | 'filter'>;
  readonly metaOf: (frame: number) => Size | undefined;
}

export interface BulkRun {
  readonly action: BulkAction;
  /** Both included. */
  readonly from: number;
  readonly to: number;
  /** From 0 to 1. */
  readonly onProgress: (share: number) => void;
  readonly signal: AbortSignal;
}

const commandKinds: Readonly<Record<BulkKind, CommandKind>> = {
  delete: 'delete',
  label: 'label',
  occluded: 'state',
  simplify: 'vertex',
  convert: 'other',
};

/** What is done with all objects of many frames that pass the filter, as one step of the undo. */
export function createBulkDesk({ engine, store, records, find, metaOf }: BulkParts) {
  /** Frames with an object that passes, deleted ones aside. */
  const framesOf = async (from: number, to: number): Promise<readonly number[]> => {
    const { frames } = await find.matches.of(find.filter.state.getState().logic);
    return frames.filter((frame) => frame >= from && frame <= to);
  };
  /** Null: called off. */
  const collect = async ({ action, from, to, onProgress, signal }: BulkRun): Promise<RecordChange[] | null> => {
    const frames = await framesOf(from, to);
    const passes = find.filter.passes();
    const { labels } = store.getState();
    const changes: RecordChange[] = [];
    for (const [index, frame] of frames.entries()) {
      if (signal.aborted) return null;
      const size = metaOf(frame) ?? { width: 1, height: 1 };
      for (const record of await records.open(frame)) {
        if (isSuggestion(record) || isUnnamed(record) || !passes(record)) continue;
        changes.push(...bulkChanges(record, action, { labels, size, newId: () => crypto.randomUUID() }));
      }
      onProgress((index + 1) / frames.length);
    }
    return signal.aborted ? null : changes;
  };
  const countOf = (changes: readonly RecordChange[]): number => changes.filter(({ before }) => before !== null).length;
  return {
    framesOf,
    /** How many objects a run would change; null: it was called off. */
    async count(run: BulkRun): Promise<number | null> {
      const changes = await collect(run);
      return changes && countOf(changes);
    },
    /**
     * Nothing is changed before all frames are read: a run that is cancelled or fails leaves everything as it was.
     * @returns how many objects were changed
     * @throws where annotations cannot be loaded
     */
    async run(run: BulkRun): Promise<number> {
      const changes = await collect(run);
      if (changes === null) return 0;
      const { kind } = run.action;
      const count = countOf(changes);
      engine.execute({ kind: commandKinds[kind], label: text(`editing.bulk.done.${kind}`, { count }), changes });
      return count;
    },
  };
}
