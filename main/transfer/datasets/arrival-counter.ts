import { integerColumn, type AnnotationBatch } from './annotation-batch.ts';
import type { FrameSpan } from './import-sink.ts';

/** Counts the objects on their way to the writer that arrive in a job: what lies on other frames arrives nowhere. */
export function createArrivalCounter(jobs: readonly FrameSpan[]) {
  let count = 0;
  const arrives = (frame: number): boolean =>
    jobs.some(({ firstFrame, lastFrame }) => frame >= firstFrame && frame <= lastFrame);
  return {
    add(batch: AnnotationBatch): void {
      if (batch.kind === 'tags') count += batch.rows.filter(({ frame }) => arrives(frame)).length;
      // Tracks were cut at the jobs already; what they were cut from is no object of its own.
      if (batch.kind === 'tracks') count += batch.rows.filter(({ pieceCount }) => pieceCount === undefined).length;
      if (batch.kind !== 'shapes') return;
      const frames = batch.integers.subarray(integerColumn.frame * batch.capacity);
      for (let row = 0; row < batch.count; row += 1) {
        if ((batch.parents[row] ?? -1) < 0 && arrives(frames[row] ?? 0)) count += 1;
      }
    },
    count: () => count,
  };
}
