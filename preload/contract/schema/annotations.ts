import { z } from 'zod';
import { annotationSources, shapeTypes } from '../annotation-names.ts';
import { basicUserSchema, dateTimeSchema } from './common.ts';

export type { AnnotationSource, ShapeType } from '../annotation-names.ts';

/**
 * The annotation model, as the service API carries it (LabeledData).
 *
 * Coordinates are continuous image pixels: the origin is the top left corner of the top left pixel, x grows to the
 * right, y grows down. They are neither rounded nor clipped. What the points of each type are stands with its name in
 * `annotation-names.ts`.
 */
export const shapeTypeSchema = z.enum(shapeTypes);
export const annotationSourceSchema = z.enum(annotationSources);

export const attributeValueSchema = z.object({ spec_id: z.int(), value: z.string().max(4096) });
export type AttributeValue = z.infer<typeof attributeValueSchema>;

const id = z.int().nonnegative();
const frame = z.int().nonnegative();
const finite = z.number();
const attributes = z.array(attributeValueSchema).default([]);
const source = annotationSourceSchema.default('manual');
const group = z.int().nonnegative().nullable().default(0);

/** Fields common to plain shapes, their elements, and the keyframes of tracks. */
const geometry = {
  type: shapeTypeSchema,
  occluded: z.boolean().default(false),
  outside: z.boolean().default(false),
  z_order: z.int().default(0),
  rotation: z.number().min(0).max(360).default(0),
  points: z.array(finite).default([]),
};

export const tagSchema = z.object({ id: id.optional(), frame, label_id: id, group, source, attributes });
export type Tag = z.infer<typeof tagSchema>;

export const subShapeSchema = z.object({
  id: id.optional(),
  frame,
  label_id: id,
  group,
  source,
  attributes,
  ...geometry,
  score: z.number().min(0).max(1).default(1),
});
export const shapeSchema = subShapeSchema.extend({ elements: z.array(subShapeSchema).default([]) });
export type SubShape = z.infer<typeof subShapeSchema>;
export type Shape = z.infer<typeof shapeSchema>;

export const trackedShapeSchema = z.object({ id: id.optional(), frame, attributes, ...geometry });
export type TrackedShape = z.infer<typeof trackedShapeSchema>;

export const subTrackSchema = z.object({
  id: id.optional(),
  frame,
  label_id: id,
  group,
  source,
  attributes,
  shapes: z.array(trackedShapeSchema),
});
export const trackSchema = subTrackSchema.extend({ elements: z.array(subTrackSchema).default([]) });
export type SubTrack = z.infer<typeof subTrackSchema>;
export type Track = z.infer<typeof trackSchema>;

const pieceKeyframeSchema = trackedShapeSchema.extend({
  /** Nobody drew it: it was computed where the track was cut, or where a piece ends. It counts on deleted frames too. */
  border: z.literal(true).optional(),
});
/** What a job stores of a track. */
const trackPieceSchema = trackSchema.extend({
  shapes: z.array(pieceKeyframeSchema),
  elements: z.array(subTrackSchema.extend({ shapes: z.array(pieceKeyframeSchema) })).default([]),
});

/** The tracks of a job, for Limner's own screen. */
export const jobTracksSchema = z.object({ tracks: z.array(trackPieceSchema) });

/** Audio interval: accepted and returned, not shown by the canvas. Times in milliseconds. */
export const intervalSchema = z.object({
  id: id.optional(),
  label_id: id,
  start: z.number(),
  stop: z.number().nullable().optional(),
  group,
  source,
  attributes,
  score: z.number().min(0).max(1).default(1),
});

export const labeledDataSchema = z.object({
  version: z.int().default(0),
  tags: z.array(tagSchema).default([]),
  shapes: z.array(shapeSchema).default([]),
  tracks: z.array(trackSchema).default([]),
  intervals: z.array(intervalSchema).default([]),
});
export type LabeledData = z.infer<typeof labeledDataSchema>;
export type LabeledDataInput = z.input<typeof labeledDataSchema>;

/** A change of annotations that can be taken back for a while. */
export const annotationChangeSchema = z.object({
  id,
  /** `label`: labels were deleted, and their annotations with them. */
  kind: z.enum(['import', 'replace', 'clear', 'delete', 'label', 'take-back']),
  /** What taking it back does with the annotations that it kept: puts them in the place of the present ones (which are kept then), adds them, or hides those that it brought. */
  effect: z.enum(['replace', 'add', 'remove']),
  /** What was changed: a task, one job of it, or the labels of a project. */
  project_id: z.int().nullable(),
  task_id: z.int().nullable(),
  job_id: z.int().nullable(),
  user: basicUserSchema.nullable(),
  /** Annotations that come back, or go again. */
  object_count: z.int(),
  /** The imported file or the deleted labels; empty for others. */
  detail: z.string(),
  created_date: dateTimeSchema,
  /** Until when it can be taken back; newer changes may end this earlier. */
  expiry_date: dateTimeSchema,
});
export type AnnotationChange = z.infer<typeof annotationChangeSchema>;
export const takenBackSchema = z.object({
  /** What taking it back has made: taking that back undoes it. Null where no annotation was concerned. */
  change: annotationChangeSchema.nullable(),
});
