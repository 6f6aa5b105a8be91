import { z } from 'zod';
import { shapeTypes } from '../annotation-names.ts';
import { basicUserSchema, dateTimeSchema } from './common.ts';

/** What is compared object by object, by how far objects overlap. */
const detectionKinds = ['bbox', 'rotated', 'segm', 'keypoints'] as const;
export type DetectionKind = (typeof detectionKinds)[number];
/** What is compared in other ways: tags of pictures, pixels by their label, and tracks over all frames. */
const otherKinds = ['tags', 'semantic', 'tracks'] as const;
export type OtherKind = (typeof otherKinds)[number];
export const evaluationKinds = [...detectionKinds, ...otherKinds] as const;
export type ReportKind = (typeof evaluationKinds)[number];

export const isDetectionKind = (kind: ReportKind): kind is DetectionKind =>
  detectionKinds.some((detection) => detection === kind);

const id = z.int().nonnegative();
const share = z.coerce.number().min(0).max(1);
/** −1: there is nothing to measure. */
const measure = z.number();

export const evaluationWriteSchema = z.object({
  name: z.string().trim().min(1).max(256),
  task_id: id,
  /** The truth is what this job shows: a ground-truth job, for example. Without it all annotations of the task. */
  truth_job_id: id.nullable().default(null),
  /** The truth is what was imported as this prediction set. */
  truth_prediction_set_id: id.nullable().default(null),
  /** Prediction sets of the task, in the order in which the report shows them. */
  predictions: z.array(id).min(1).max(4),
  kind: z.enum(evaluationKinds),
  /** Only these frames, both ends included. */
  frames: z.object({ first: id, last: id }).nullable().default(null),
  /** Only these labels. */
  labels: z.array(z.string().max(256)).min(1).max(1000).nullable().default(null),
  /** Labels of predictions by the labels that they count as; null leaves their objects out. */
  label_mapping: z.record(z.string(), z.string().max(256).nullable()).default({}),
});
export type EvaluationWrite = z.output<typeof evaluationWriteSchema>;

/** What the annotations of a project's tasks are measured against: all of them, or their ground-truth jobs. */
const projectTruths = ['annotations', 'ground_truth'] as const;
export type ProjectTruth = (typeof projectTruths)[number];

/** Of a project: sets of its tasks that have the same name are what one model says. */
export const projectEvaluationWriteSchema = z.object({
  name: z.string().trim().min(1).max(256),
  /** Names of prediction sets. Of several sets of one name in a task the newest counts. */
  predictions: z.array(z.string().min(1).max(256)).min(1).max(4),
  truth: z.enum(projectTruths).default('annotations'),
  kind: z.enum(evaluationKinds),
  labels: evaluationWriteSchema.shape.labels,
  label_mapping: evaluationWriteSchema.shape.label_mapping,
});
export type ProjectEvaluationWrite = z.output<typeof projectEvaluationWriteSchema>;

export const projectPredictionsSchema = z.object({
  /** Tasks with images. */
  task_count: z.int(),
  results: z.array(
    z.object({
      name: z.string(),
      /** Tasks that have a set of this name which is whole. */
      task_count: z.int(),
      object_count: z.int(),
    }),
  ),
});
export type ProjectPredictions = z.output<typeof projectPredictionsSchema>;

const evaluatedTaskSchema = z.object({
  id: z.int(),
  name: z.string(),
  /** Why it is not compared; null: it is. A task counts only where all models have said something of it. */
  left_out: z.enum(['no_predictions', 'no_ground_truth']).nullable(),
});
export type EvaluatedTask = z.output<typeof evaluatedTaskSchema>;

const evaluatedModelSchema = z.object({
  /** Null where the prediction set was deleted, and where the model is measured over a project. */
  prediction_set_id: z.int().nullable(),
  name: z.string(),
  /** Numbers by their names: pycocotools', scikit-learn's or TrackEval's. Null until they are there. */
  measures: z.record(z.string(), measure).nullable(),
});

export const evaluationSchema = z.object({
  id: z.int(),
  /** Null where a project is measured. */
  task_id: z.int().nullable(),
  project_id: z.int().nullable(),
  name: z.string(),
  kind: z.enum(evaluationKinds),
  truth_job_id: z.int().nullable(),
  truth_prediction_set_id: z.int().nullable(),
  /** Of a project. */
  truth: z.enum(projectTruths).nullable(),
  /** Of a project: its tasks as they were when it was asked for, in their order. */
  tasks: z.array(evaluatedTaskSchema),
  models: z.array(evaluatedModelSchema),
  /** The background request that measures, and how it ended. */
  rq_id: z.string().nullable(),
  owner: basicUserSchema.nullable(),
  created_date: dateTimeSchema,
  finished_date: dateTimeSchema.nullable(),
  /** Truth or predictions have changed since: the frames show them as they are now. */
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

/** By the names of the measures: AP, AP50, AP75 and AR where objects are compared. */
const labelMeasuresSchema = z.record(z.string(), measure);

export const evaluationReportSchema = evaluationSchema.extend({
  frame_count: z.int(),
  truth_count: z.int(),
  /** Objects that cannot be compared in this way, and those whose label is not among the labels. */
  left_out: z.int(),
  labels: z.array(z.object({ name: z.string(), color: z.string(), truths: z.int() })),
  details: z.array(
    z.object({
      result_count: z.int(),
      left_out: z.int(),
      labels: z.array(labelMeasuresSchema),
      /** Mean precision of all labels at the recalls 0, 0.01, … 1; empty where no objects are compared. */
      precision: z.array(z.object({ overlap: z.number(), values: z.array(measure) })),
    }),
  ),
});
export type EvaluationReport = z.infer<typeof evaluationReportSchema>;

/** What counts as found: `iou` from 0.1 on; `score` in hundredths, without it the best of the first model. */
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
      /** Empty, as are scores, sizes and places, where no objects are compared. By thresholds of the score: 0, 0.01, … 1. */
      curve: z.array(z.object({ precision: measure, recall: measure, f1: measure })),
      all: countsSchema,
      labels: z.array(countsSchema),
      /** Rows are truths, columns results; the last column counts what was missed, the last row what is extra. Pairs are made whatever the label. */
      confusion: z.array(z.array(z.int())),
      /** Twentieths of the score. */
      scores: z.array(z.object({ matched: z.int(), extra: z.int() })),
      sizes: z.array(z.object({ size: z.enum(sizeNames), truths: z.int(), missed: z.int() })),
      /** Truths and misses by where their centres lie: 8 columns and 8 rows, row by row. */
      places: z.array(z.object({ truths: z.int(), missed: z.int() })),
      /** Of a project: its tasks one by one. */
      tasks: z.array(countsSchema.extend({ task_id: z.int() })),
    }),
  ),
});
export type EvaluationCountsAnswer = z.infer<typeof evaluationCountsSchema>;

/** Which frames: those with something behind a number of the report. */
export const evaluationFramesQuerySchema = z.object({
  ...threshold,
  /** Place among the models of the evaluation. */
  model: z.coerce.number().int().min(0).max(3).default(0),
  show: z.enum(['all', 'matched', 'missed', 'extra', 'mixed', 'switched']).default('all'),
  /** With `mixed`: the cell of the confusion matrix. Else the label of what is shown. Empty: none. */
  truth: z.string().max(256).optional(),
  result: z.string().max(256).optional(),
  size: z.enum(sizeNames).optional(),
  /** One of the 64 places. */
  place: z.coerce.number().int().min(0).max(63).optional(),
  /** Scores from here, below there. */
  score_from: share.optional(),
  score_to: share.optional(),
  /** Of a project: frames of this task alone. */
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
  /** −1 where there is nothing. */
  f1: measure,
  /** Tracks that are found as another one than before. */
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
  /** Of a project: which of its tasks the frame is of. */
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
  /** Of a plain shape of the truth, by which it is changed; null for one of a track, and for a tag. */
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
  /** Where the truth is edited; null where it is no annotation of the task. */
  job_id: z.int().nullable(),
  score: z.number(),
  counts: countsSchema,
  matched: z.array(z.object({ truth: comparedObjectSchema, result: comparedObjectSchema, overlap: z.number() })),
  /** With the prediction of the same label that comes nearest. */
  missed: z.array(z.object({ truth: comparedObjectSchema, best_overlap: z.number() })),
  /** With the truth that it overlaps most, by its place in `matched` and `missed` together; −1: none. */
  extra: z.array(z.object({ result: comparedObjectSchema, best_overlap: z.number(), near: z.int() })),
});
export type ComparedFrame = z.infer<typeof comparedFrameSchema>;

export const evaluationFileQuerySchema = z.object({ ...threshold, format: z.enum(['json', 'csv', 'html']) });
export type EvaluationFileQuery = z.output<typeof evaluationFileQuerySchema>;
export const evaluationFileSchema = z.object({ name: z.string(), type: z.string(), content: z.string() });
