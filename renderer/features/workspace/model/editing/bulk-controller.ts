import type { CanvasEngine } from '../../../../canvas/canvas-engine.ts';
import type { CommandKind, RecordChange, Size } from '../../../../canvas/types.ts';
import { text } from '../../../../i18n/index.ts';
import type { AnnotateStore } from '../types.ts';
import type { FindController } from '../find/find-controller.ts';
import { isUnnamed } from '../labels/unnamed-shapes.ts';
import { isSuggestion } from '../models/suggestion-store.ts';
import type { RecordStore } from '../record-store.ts';
import { bulkChanges, type BulkAction, type BulkKind } from './bulk-changes.ts';

interface BulkParts {
  readonly engine: Pick<CanvasEngine, 'execute'>;
  readonly store: Pick<AnnotateStore, 'getState'>;
  readonly records: Pick<RecordStore, 'open'>;
  readonly find: Pick<FindController, 'matches' | 'filter'>;
  /** The size of a frame, which may not be listed or read yet. Rejects if its file is not an image. */
  readonly sizeOf: (frame: number) => Promise<Size | undefined>;
}

export interface BulkRun {
  readonly action: BulkAction;
  /** Both ends are included. */
  readonly from: number;
  readonly to: number;
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

export function createBulkController({ engine, store, records, find, sizeOf }: BulkParts) {
  /** Frames with a matching object, without deleted frames. */
  const framesOf = async (from: number, to: number): Promise<readonly number[]> => {
    const { frames } = await find.matches.of(find.filter.state.getState().logic);
    return frames.filter((frame) => frame >= from && frame <= to);
  };
  /** Null if cancelled. */
  const collect = async ({ action, from, to, onProgress, signal }: BulkRun): Promise<RecordChange[] | null> => {
    const frames = await framesOf(from, to);
    const passes = find.filter.passes();
    const { labels } = store.getState();
    const changes: RecordChange[] = [];
    for (const [index, frame] of frames.entries()) {
      if (signal.aborted) return null;
      const size = (await sizeOf(frame).catch(() => undefined)) ?? { width: 1, height: 1 };
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
    /** Number of objects that a run would change; null if cancelled. */
    async count(run: BulkRun): Promise<number | null> {
      const changes = await collect(run);
      return changes && countOf(changes);
    },
    /**
     * Changes nothing before all frames are read, so a cancelled or failed run leaves everything unchanged.
     * @returns number of changed objects
     * @throws if annotations cannot be loaded
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
