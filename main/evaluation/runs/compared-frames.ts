import {
  isDetectionKind,
  type ComparedFrame,
  type ComparedFrameQuery,
  type DetectionKind,
  type ReportKind,
} from '../../../preload/contract/schema/evaluations.ts';
import type { Store } from '../../db/store.ts';
import type { Actor } from '../../users/access/actor.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import { createAnnotationRepository } from '../../work/annotations/annotation-repository.ts';
import type { AnnotationService } from '../../work/annotations/annotation-service.ts';
import type { AnnotationSetRepository } from '../../work/annotations/annotation-set-repository.ts';
import type { JobRepository } from '../../work/tables/job-repository.ts';
import { labelOwner, type LabelRepository } from '../../work/tables/label-repository.ts';
import type { MediaRepository } from '../../work/tables/media-repository.ts';
import type { TaskRow } from '../../work/tables/task-repository.ts';
import { compareFrame, compareTags } from './compare-frame.ts';
import type { EvaluationRepository, EvaluationRow, ProjectPart } from './evaluation-repository.ts';

export interface ComparedFrameDependencies {
  readonly database: Store;
  readonly evaluations: EvaluationRepository;
  readonly annotations: Pick<AnnotationService, 'readTask' | 'readJob'>;
  readonly sets: AnnotationSetRepository;
  readonly labelRows: LabelRepository;
  readonly jobs: JobRepository;
  readonly media: MediaRepository;
}

/** Frames of evaluations with current truth and predictions, so that corrections are visible immediately. */
export function createComparedFrames(dependencies: ComparedFrameDependencies) {
  const { database, evaluations, annotations, sets, labelRows, jobs, media } = dependencies;
  const stored = createAnnotationRepository(database);

  function truthOf(actor: Actor, { task_id: taskId, truth_job_id: jobId, setId }: ComparedPart, frame: number) {
    if (setId !== null) return { data: predicted(setId, frame), jobId: null };
    const first = jobs
      .ofTask(taskId)
      .find((job) => job.type === 'annotation' && job.start_frame <= frame && job.stop_frame >= frame);
    return jobId === null
      ? { data: annotations.readTask(actor, taskId, { frame }), jobId: first?.id ?? null }
      : { data: annotations.readJob(actor, jobId, { frame }), jobId };
  }

  function predicted(predictionSetId: number | null, frame: number) {
    const setId = predictionSetId === null ? undefined : sets.ofPredictions(predictionSetId);
    if (setId === undefined)
      throw new AppError('not-found', 'The prediction set was deleted; only its statistics are left.');
    return {
      tags: stored.tags.readSet(setId, frame),
      shapes: stored.shapes.readSet(setId, frame),
      tracks: stored.tracks.readSet(setId),
    };
  }

  return {
    compare(
      actor: Actor,
      row: EvaluationRow,
      task: TaskRow,
      frame: number,
      { iou, model: place, score }: ComparedFrameQuery & { readonly score: number },
    ): ComparedFrame {
      const picture = task.media_id === null ? undefined : media.frame(task.media_id, frame);
      const model = evaluations.models(row.id)[place];
      if (!picture || !model) throw notFound();
      const { width, height, name } = picture;
      const part = partOf(row, task.id);
      const { data, jobId } = truthOf(actor, part, frame);
      const own = row.project_id === null ? model.prediction_set_id : part.prediction_set_ids[place];
      const results = predicted(own ?? null, frame);
      const shared = {
        frame,
        labels: labelRows.list(labelOwner(task.project_id, task.id)),
        names: row.subject?.labels.map((label) => label.name) ?? [],
        mapping: row.settings.label_mapping,
      };
      const asTracks = <Data extends { readonly shapes: unknown }>(one: Data) =>
        row.kind === 'tracks' ? { ...one, shapes: [] } : one;
      const seen =
        row.kind === 'tags'
          ? compareTags({ ...shared, truth: data.tags, results: results.tags })
          : compareFrame({
              ...shared,
              width,
              height,
              kind: shapesOf(row.kind),
              iou,
              score,
              truth: asTracks(data),
              results: asTracks(results),
            });
      return { task_id: task.id, frame, width, height, name, job_id: jobId, score, ...seen };
    },
  };
}

type ComparedPart = ProjectPart & { readonly setId: number | null };

/** The ground truth that a task is compared with, for a single task or within its project. */
function partOf({ settings, project_id: projectId }: EvaluationRow, taskId: number): ComparedPart {
  const { truth_prediction_set_id: setId, truth_job_id } = settings;
  if (projectId === null) return { task_id: taskId, truth_job_id, setId, prediction_set_ids: [] };
  const part = settings.project?.parts.find((one) => one.task_id === taskId);
  if (!part) throw notFound();
  return { ...part, setId: null };
}

/** Shape matching for evaluations that do not count objects. */
function shapesOf(kind: ReportKind): DetectionKind {
  if (isDetectionKind(kind)) return kind;
  return kind === 'semantic' ? 'segm' : 'bbox';
}
