import type { Label } from '../../../../preload/contract/schema/labels.ts';
import { applyImportChoices, readImportChoices } from '../../../formats/import-choices/import-choices.ts';
import { createFormatReport } from '../../../formats/kit/report.ts';
import { AppError } from '../../../platform/errors.ts';
import type { JobRun } from '../../../platform/worker-job.ts';
import { labelOwner } from '../../../work/tables/label-repository.ts';
import { sendingBatches, type ParseJob, type ParseOutcome } from '../../import/parse-and-write.ts';
import { importerOf, runImporter, type FormattedFile } from '../../import/run-importer.ts';
import {
  indexTargets,
  integerColumn,
  type AnnotationBatch,
  type FrameSpan,
} from '../../bulk-writer/annotation-batch.ts';
import { withWorkerContext, type WorkerPaths } from '../../bulk-writer/worker-context.ts';
import { createAnnotationSink, withPool } from '../../annotation-reader/annotation-sink.ts';
import { withOriginalImages } from '../../annotation-reader/original-images.ts';
import { createStoredView, openParts, type DatasetTarget } from '../../annotation-reader/stored-view.ts';

/** A file for an existing task or job. */
export interface AnnotationsFile extends FormattedFile, WorkerPaths {
  readonly target: DatasetTarget;
  readonly options: Readonly<Record<string, unknown>>;
}

export interface ParseAnnotationsJob extends AnnotationsFile {
  /** All labels, if the import adds some. */
  readonly labels?: readonly Label[];
  /** Frames of each job, in the writer's order. */
  readonly spans: readonly FrameSpan[];
  /** True for predictions: see `createStoredView`. */
  readonly takesOutside?: boolean;
}

/** Parses an annotation file and sends its objects to the writer thread. */
export function parseAnnotations(job: ParseAnnotationsJob & ParseJob, run: JobRun): Promise<ParseOutcome> {
  const { target, options, labels, spans, takesOutside = false, dataDirectory } = job;
  return sendingBatches(job, run, (send) =>
    withWorkerContext(job, run, async (context) => {
      const report = createFormatReport();
      const [part] = openParts(context, target).parts;
      if (!part) throw new AppError('not-found', 'The task was deleted in the meantime.');
      const { task, media } = part;
      const arrivals = createArrivalCounter(spans);
      const owned = labels ?? context.labels.list(labelOwner(task.project_id, task.id));
      const plain = createAnnotationSink(owned, { spans, areOfOneTask: true }, (batch) => {
        arrivals.add(batch);
        send(batch);
      });
      const isPooled = media.honeypots_per_job !== null && !takesOutside;
      const honeypots = target.kind === 'job' ? [] : context.media.honeypots(media.id);
      const sink = isPooled ? withPool(plain, honeypots, report) : plain;
      await withOriginalImages(dataDirectory, async (images) => {
        const view = createStoredView(context, target, { images, report, sink, labels, takesOutside });
        const choices = readImportChoices(options, importerOf(job));
        await runImporter(job, applyImportChoices(view, report, { options, choices }), run);
      });
      sink.end();
      return { summary: report.summary(), arrived: arrivals.count() };
    }),
  );
}

/** Counts objects on frames of a job; others are not stored. */
function createArrivalCounter(spans: readonly FrameSpan[]) {
  let count = 0;
  const targets = indexTargets(spans);
  const arrives = (frame: number): boolean => targets.within(frame).length > 0;
  return {
    add(batch: AnnotationBatch): void {
      if (batch.kind === 'tags') count += batch.rows.filter(({ frame }) => arrives(frame)).length;
      // Tracks were already split by job; the original track is not counted.
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
