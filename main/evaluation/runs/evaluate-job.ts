import { isDetectionKind, type DetectionKind } from '../../../preload/contract/schema/evaluations.ts';
import { createFormatReport } from '../../formats/kit/report.ts';
import type { LabelInfo } from '../../formats/kit/task-data.ts';
import type { JobRun } from '../../platform/worker-job.ts';
import { withWorkerContext } from '../../import-export/bulk-writer/worker-context.ts';
import { withOriginalImages } from '../../import-export/annotation-reader/original-images.ts';
import { createStoredView } from '../../import-export/annotation-reader/stored-view.ts';
import { evaluateCoco, iouSteps, recallThresholds } from '../measures/coco-evaluation.ts';
import { createCocoObjects, type CocoObjects, type CocoSet } from '../measures/coco-objects.ts';
import { packColumns } from '../measures/columns.ts';
import { collectFacts } from '../measures/facts.ts';
import { averagePrecision, categoryMeasures, summarize } from '../measures/summary.ts';
import { mappedName } from './cells.ts';
import { comparable, sigmasOf } from './compared-shape.ts';
import { measureCells } from './evaluate-cells.ts';
import type { EvaluateJob, Evaluated } from './evaluation-work.ts';
import { openViews, type MeasuredView, type MeasuredViews } from './measured-views.ts';

/** Evaluates prediction sets. Both sides are read frame by frame; only columns of numbers are stored. */
export function evaluatePredictions(job: EvaluateJob, run: JobRun): Promise<Evaluated> {
  return withWorkerContext(job, run, async (context) => {
    // One transaction, so that all reads see the same state.
    context.database.beginSnapshot();
    return withOriginalImages(job.dataDirectory, (images) => {
      const views = openViews(job, (target) =>
        createStoredView(context, target, { images, report: createFormatReport() }),
      );
      const { kind } = job;
      const evaluated = isDetectionKind(kind) ? measure(kind, job, run, views) : measureCells(kind, job, run, views);
      context.database.endSnapshot();
      return Promise.resolve(evaluated);
    });
  });
}

function measure(
  kind: DetectionKind,
  job: EvaluateJob,
  run: JobRun,
  { truth: truthView, labels, places, models: views, frames }: MeasuredViews,
): Evaluated {
  const reader = createReader(kind, labels, run);
  const steps = 1 + views.length * 2;
  const truth = reader.read(truthView, places, {});
  run.progress(1 / steps, 'Reading the predictions');
  const sizes = [...places.values()].map(({ width, height }) => [width, height] as const);
  const sigmas =
    kind === 'keypoints' ? sigmasOf(Math.max(...labels.map(({ sublabels }) => sublabels.length))) : undefined;
  let truths = packColumns({ ...frames });
  const models = views.map((view, index) => {
    const found = reader.read(view, places, job.mapping);
    run.progress((2 + index * 2) / steps, 'Measuring');
    const set: CocoSet = {
      kind,
      images: places.size,
      categories: labels.map(({ name }, id) => ({ id, name })),
      truths: truth.objects,
      results: found.objects,
    };
    const facts = collectFacts(set, sizes, { sigmas });
    run.checkCancelled();
    const evaluation = evaluateCoco(set, facts);
    truths = packColumns({ ...frames, ...facts.truths });
    run.progress((3 + index * 2) / steps, 'Reading the predictions');
    const details = {
      result_count: found.objects.count,
      left_out: found.leftOut,
      labels: categoryMeasures(evaluation).map(({ AP, AP50, AP75, AR }) => ({ AP, AP50, AP75, AR })),
      precision: iouSteps.map((overlap, step) => ({
        overlap: Math.round(overlap * 100) / 100,
        // Mean over the labels that have truths.
        values: recallThresholds.map((_, recall) => averagePrecision(evaluation, { threshold: step, recall })),
      })),
    };
    return { measures: summarize(evaluation), details, facts: packColumns({ ...facts.results }) };
  });
  const counts = labels.map(() => 0);
  for (let index = 0; index < truth.objects.count; index += 1) counts[truth.objects.category(index)]! += 1;
  return {
    subject: {
      frame_count: places.size,
      truth_count: truth.objects.count,
      left_out: truth.leftOut,
      labels: labels.map(({ name, color }, place) => ({ name, color, truths: counts[place] ?? 0 })),
    },
    truths,
    models,
  };
}

function createReader(kind: DetectionKind, labels: readonly LabelInfo[], { checkCancelled }: JobRun) {
  const placeOf = new Map(labels.map(({ name }, place) => [name, place]));
  const pointNames = labels.map(({ sublabels }) => sublabels.map(({ name }) => name));
  return {
    read(
      view: MeasuredView,
      places: MeasuredViews['places'],
      mapping: EvaluateJob['mapping'],
    ): { readonly objects: CocoObjects; readonly leftOut: number } {
      const objects = createCocoObjects();
      let leftOut = 0;
      for (const { frame, labeled_shapes: shapes } of view.group_by_frame(false)) {
        checkCancelled();
        const place = places.get(frame);
        if (!place) continue;
        for (const shape of shapes) {
          if (shape.outside === true) continue;
          const category = placeOf.get(mappedName(mapping, shape.label) ?? '');
          const own = category === undefined ? null : comparable(shape, kind, place, pointNames[category] ?? []);
          if (own === null || category === undefined) leftOut += 1;
          else objects.add({ ...own, image: place.image, category });
        }
      }
      return { objects, leftOut };
    },
  };
}
