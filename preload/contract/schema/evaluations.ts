import { z } from 'zod';
import { shapeTypes } from '../annotation-names.ts';
import { basicUserSchema, dateTimeSchema } from './common.ts';

/** Compared object by object, by their overlap. */
const detectionKinds = ['bbox', 'rotated', 'segm', 'keypoints'] as const;
export type DetectionKind = (typeof detectionKinds)[number];
/** Compared in other ways: tags of images, pixels by label, and tracks over all frames. */
const otherKinds = ['tags', 'semantic', 'tracks'] as const;
export type OtherKind = (typeof otherKinds)[number];
export const evaluationKinds = [...detectionKinds, ...otherKinds] as const;
export type ReportKind = (typeof evaluationKinds)[number];

export const isDetectionKind = (kind: ReportKind): kind is DetectionKind =>
  detectionKinds.some((detection) => detection === kind);

const id = z.int().nonnegative();
const share = z.coerce.number().min(0).max(1);
/** −1 if there is nothing to measure. */
const measure = z.number();

export const evaluationWriteSchema = z.object({
  name: z.string().trim().min(1).max(256),
  task_id: id,
  /** Job with the ground truth, for example a ground-truth job. Default: all annotations of the task. */
  truth_job_id: id.nullable().default(null),
  truth_prediction_set_id: id.nullable().default(null),
  predictions: z.array(id).min(1).max(4),
  kind: z.enum(evaluationKinds),
  /** Only these frames, inclusive. */
  frames: z.object({ first: id, last: id }).nullable().default(null),
  labels: z.array(z.string().max(256)).min(1).max(1000).nullable().default(null),
  /** Labels of predictions, mapped to labels of the truth; null drops their objects. */
  label_mapping: z.record(z.string(), z.string().max(256).nullable()).default({}),
});
export type EvaluationWrite = z.output<typeof evaluationWriteSchema>;

const projectTruths = ['annotations', 'ground_truth'] as const;
export type ProjectTruth = (typeof projectTruths)[number];

/** Evaluation of a project. Prediction sets with the same name in several tasks count as one model. */
export const projectEvaluationWriteSchema = z.object({
  name: z.string().trim().min(1).max(256),
  /** Names of prediction sets. If a task has several with one name, the newest is used. */
  predictions: z.array(z.string().min(1).max(256)).min(1).max(4),
  truth: z.enum(projectTruths).default('annotations'),
  kind: z.enum(evaluationKinds),
  labels: evaluationWriteSchema.shape.labels,
  label_mapping: evaluationWriteSchema.shape.label_mapping,
});
export type ProjectEvaluationWrite = z.output<typeof projectEvaluationWriteSchema>;

export const projectPredictionsSchema = z.object({
  task_count: z.int(),
  results: z.array(
    z.object({
      name: z.string(),
      /** Number of tasks with a completed set of this name. */
      task_count: z.int(),
      object_count: z.int(),
    }),
  ),
});
export type ProjectPredictions = z.output<typeof projectPredictionsSchema>;

const evaluatedTaskSchema = z.object({
  id: z.int(),
  name: z.string(),
  /** Reason why it is not compared; null if it is. A task is compared only if all models have predictions for it. */
  left_out: z.enum(['no_predictions', 'no_ground_truth']).nullable(),
});
export type EvaluatedTask = z.output<typeof evaluatedTaskSchema>;

const evaluatedModelSchema = z.object({
  /** Null if the prediction set was deleted, and in evaluations of projects. */
  prediction_set_id: z.int().nullable(),
  name: z.string(),
  /** Values by their names in pycocotools, scikit-learn or TrackEval. Null until they are computed. */
  measures: z.record(z.string(), measure).nullable(),
});

export const evaluationSchema = z.object({
  id: z.int(),
  /** Null in evaluations of projects. */
  task_id: z.int().nullable(),
  project_id: z.int().nullable(),
  name: z.string(),
  kind: z.enum(evaluationKinds),
  truth_job_id: z.int().nullable(),
  truth_prediction_set_id: z.int().nullable(),
  /** Only in evaluations of projects. */
  truth: z.enum(projectTruths).nullable(),
  /** Tasks of a project at the time of the request, in order. */
  tasks: z.array(evaluatedTaskSchema),
  models: z.array(evaluatedModelSchema),
  rq_id: z.string().nullable(),
  owner: basicUserSchema.nullable(),
  created_date: dateTimeSchema,
  finished_date: dateTimeSchema.nullable(),
  /** True if the truth or predictions have changed since; frames show their current state. */
  is_outdated: z.boolean(),
});
export type Evaluation = z.infer<typeof evaluationSchema>;
export const evaluationsSchema = z.object({ results: z.array(evaluationSchema) });

export const evaluationStartedSchema = z.object({ id: z.int(), rq_id: z.string() });

export const evaluationsQuerySchema = z.object({
  task_id: z.coerce.number().int().nonnegative().optional(),
  project_id: z.coerce.number().int().nonnegative().optional(),
});
export type EvaluationsQuery = z.output<typeof evaluationsQuerySchema>;

/** Keyed by measure: AP, AP50, AP75 and AR for object detection. */
const labelMeasuresSchema = z.record(z.string(), measure);

export const evaluationReportSchema = evaluationSchema.extend({
  frame_count: z.int(),
  truth_count: z.int(),
  /** Objects of kinds or labels that are not compared. */
  left_out: z.int(),
  labels: z.array(z.object({ name: z.string(), color: z.string(), truths: z.int() })),
  details: z.array(
    z.object({
      result_count: z.int(),
      left_out: z.int(),
      labels: z.array(labelMeasuresSchema),
      /** Mean precision over all labels at recalls 0, 0.01, … 1; empty unless objects are compared. */
      precision: z.array(z.object({ overlap: z.number(), values: z.array(measure) })),
    }),
  ),
});
export type EvaluationReport = z.infer<typeof evaluationReportSchema>;

/** Thresholds for a match: `iou` at least 0.1; `score` in hundredths, default: the best score of the first model. */
const threshold = { iou: z.coerce.number().min(0.1).max(1).default(0.5), score: share.optional() };

export const countsQuerySchema = z.object(threshold);
export type CountsQuery = z.output<typeof countsQuerySchema>;

const countsSchema = z.object({
  hits: z.int(),
  missed: z.int(),
  extra: z.int(),
  precision: measure,
  recall: measure,
  f1: measure,
});
export type EvaluationCounts = z.infer<typeof countsSchema>;

const sizeNames = ['small', 'medium', 'large'] as const;

export const evaluationCountsSchema = z.object({
  iou: z.number(),
  score: z.number(),
  models: z.array(
    z.object({
      best_score: z.number(),
      /** By score threshold: 0, 0.01, … 1. Empty, like scores, sizes and places, unless objects are compared. */
      curve: z.array(z.object({ precision: measure, recall: measure, f1: measure })),
      all: countsSchema,
      labels: z.array(countsSchema),
      /**
       * Rows are truths, columns are results. The last column counts misses, the last row false positives. Pairs are
       * matched regardless of the label.
       */
      confusion: z.array(z.array(z.int())),
      /** Histogram of the score with 20 bins. */
      scores: z.array(z.object({ matched: z.int(), extra: z.int() })),
      sizes: z.array(z.object({ size: z.enum(sizeNames), truths: z.int(), missed: z.int() })),
      /** Truths and misses by the position of their centres: 8 × 8 cells, row by row. */
      places: z.array(z.object({ truths: z.int(), missed: z.int() })),
      tasks: z.array(countsSchema.extend({ task_id: z.int() })),
    }),
  ),
});
export type EvaluationCountsAnswer = z.infer<typeof evaluationCountsSchema>;

/** Selects the frames behind a number of the report. */
export const evaluationFramesQuerySchema = z.object({
  ...threshold,
  model: z.coerce.number().int().min(0).max(3).default(0),
  show: z.enum(['all', 'matched', 'missed', 'extra', 'mixed', 'switched']).default('all'),
  /** With `mixed`: the cell of the confusion matrix; otherwise the label. Empty: no counterpart. */
  truth: z.string().max(256).optional(),
  result: z.string().max(256).optional(),
  size: z.enum(sizeNames).optional(),
  /** One of the 64 cells of `places`. */
  place: z.coerce.number().int().min(0).max(63).optional(),
  /** Range of scores: `score_from` inclusive, `score_to` exclusive. */
  score_from: share.optional(),
  score_to: share.optional(),
  task_id: z.coerce.number().int().nonnegative().optional(),
  order: z.enum(['worst', 'frame']).default('worst'),
  offset: z.coerce.number().int().min(0).max(10_000_000).default(0),
  limit: z.coerce.number().int().min(1).max(200).default(24),
});
export type EvaluationFramesQuery = z.output<typeof evaluationFramesQuerySchema>;

const evaluationFrameSchema = z.object({
  task_id: z.int(),
  frame: z.int(),
  hits: z.int(),
  missed: z.int(),
  extra: z.int(),
  /** −1 if there is nothing to measure. */
  f1: measure,
  switches: z.int(),
});
export type EvaluationFrame = z.infer<typeof evaluationFrameSchema>;
export const evaluationFramesSchema = z.object({ count: z.int(), results: z.array(evaluationFrameSchema) });

export const evaluationFrameParams = z.object({
  id: z.coerce.number().int().nonnegative(),
  frame: z.coerce.number().int().nonnegative(),
});
export const comparedFrameQuerySchema = z.object({
  ...threshold,
  model: z.coerce.number().int().min(0).max(3).default(0),
  task_id: z.coerce.number().int().nonnegative().optional(),
});
export type ComparedFrameQuery = z.output<typeof comparedFrameQuerySchema>;

const elementSchema = z.object({
  label_id: z.int(),
  points: z.array(z.number()),
  occluded: z.boolean(),
  outside: z.boolean(),
});
const comparedObjectSchema = z.object({
  /** Shape in the truth that can be edited; null for objects of tracks and for tags. */
  shape_id: z.int().nullable(),
  label_id: z.int(),
  label: z.string(),
  type: z.enum([...shapeTypes, 'tag']),
  points: z.array(z.number()),
  rotation: z.number(),
  score: z.number(),
  elements: z.array(elementSchema),
});
export type ComparedObject = z.infer<typeof comparedObjectSchema>;

export const comparedFrameSchema = z.object({
  task_id: z.int(),
  frame: z.int(),
  width: z.int(),
  height: z.int(),
  name: z.string(),
  /** Job in which the truth can be edited; null if the truth is not an annotation of the task. */
  job_id: z.int().nullable(),
  score: z.number(),
  counts: countsSchema,
  matched: z.array(z.object({ truth: comparedObjectSchema, result: comparedObjectSchema, overlap: z.number() })),
  /** Truths without a match, with the best overlap of a prediction of the same label. */
  missed: z.array(z.object({ truth: comparedObjectSchema, best_overlap: z.number() })),
  /**
   * Predictions without a match, with the truth that they overlap most: its index in `matched` and `missed` together,
   * or −1.
   */
  extra: z.array(z.object({ result: comparedObjectSchema, best_overlap: z.number(), near: z.int() })),
});
export type ComparedFrame = z.infer<typeof comparedFrameSchema>;

export const evaluationFileQuerySchema = z.object({ ...threshold, format: z.enum(['json', 'csv', 'html']) });
export type EvaluationFileQuery = z.output<typeof evaluationFileQuerySchema>;
export const evaluationFileSchema = z.object({ name: z.string(), type: z.string(), content: z.string() });
