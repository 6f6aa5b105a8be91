import { runImporter, type FormattedFile } from '../../import-export/import/run-importer.ts';
import { createFormatReport, type FormatSummary } from '../../formats/kit/report.ts';
import type { Attribute, LabeledShape, Tag, Track, TrackedShape } from '../../formats/kit/task-data.ts';
import type { JobRun } from '../../platform/worker-job.ts';
import { withWorkerContext, type WorkerPaths } from '../../import-export/bulk-writer/worker-context.ts';
import { withOriginalImages } from '../../import-export/annotation-reader/original-images.ts';
import { createStoredView, type DatasetTarget } from '../../import-export/annotation-reader/stored-view.ts';
import { textOf, type GitObject } from '../annotation-objects.ts';

export interface ReadCopyJob extends FormattedFile, WorkerPaths {
  readonly target: DatasetTarget;
}

/** Each object as a text; equal objects have equal texts. */
export interface ReadCopy {
  readonly objects: readonly string[];
  readonly summary: FormatSummary;
}

/** Reads a copy like an import into the task, but writes nothing. */
export function readCopy(job: ReadCopyJob, run: JobRun): Promise<ReadCopy> {
  const objects: string[] = [];
  const add = (object: GitObject): void => void objects.push(textOf(object));
  const sink = {
    addShape: (shape: LabeledShape) =>
      add({
        kind: 'shape',
        frame: shape.frame,
        ...shapeOf(shape),
        elements: (shape.elements ?? []).map(shapeOf),
      }),
    addTag: (tag: Tag) => add({ kind: 'tag', frame: tag.frame, ...labelled(tag), ...named(tag) }),
    addTrack: (track: Track) => add({ kind: 'track', ...partOf(track), elements: (track.elements ?? []).map(partOf) }),
    end: () => undefined,
  };
  return withWorkerContext(job, run, (context) =>
    withOriginalImages(job.dataDirectory, async (images) => {
      const report = createFormatReport();
      const task_data = createStoredView(context, job.target, { images, report, sink });
      await runImporter(job, { task_data, report, options: { conv_mask_to_poly: false } }, run);
      return { objects, summary: report.summary() };
    }),
  );
}

const labelled = ({ label, group, source = 'file' }: Pick<Tag, 'label' | 'group' | 'source'>) => ({
  label,
  group,
  source,
});
const named = ({ attributes }: { readonly attributes?: readonly Attribute[] }) => ({
  attributes: Object.fromEntries((attributes ?? []).map(({ name, value }) => [name, value])),
});
const placed = ({
  type,
  points,
  occluded,
  outside = false,
  z_order,
  rotation = 0,
}: Pick<LabeledShape, 'type' | 'points' | 'occluded' | 'outside' | 'z_order' | 'rotation'>) => ({
  type,
  points: [...points],
  occluded,
  outside,
  z_order,
  rotation,
});
const shapeOf = (shape: LabeledShape) => ({
  ...labelled(shape),
  ...placed(shape),
  score: shape.score ?? 1,
  ...named(shape),
});
const keyframeOf = (shape: TrackedShape) => ({ frame: shape.frame, ...placed(shape), ...named(shape) });
const partOf = (track: Track) => ({
  frame: Math.min(...track.shapes.map(({ frame }) => frame)),
  ...labelled(track),
  ...named(track),
  shapes: track.shapes.toSorted((a, b) => a.frame - b.frame).map(keyframeOf),
});
