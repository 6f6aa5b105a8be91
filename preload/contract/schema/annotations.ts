import { z } from 'zod';
import { annotationSources, shapeTypes } from '../annotation-names.ts';
import { basicUserSchema, dateTimeSchema } from './common.ts';

export type { AnnotationSource, ShapeType } from '../annotation-names.ts';

/**
 * Annotation model of the service API (LabeledData).
 *
 * Coordinates are continuous image pixels: the origin is the top left corner of the top left pixel, x grows to the
 * right, y grows down. They are neither rounded nor clipped. `annotation-names.ts` describes the points of each type.
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

/** Fields common to shapes, elements of skeletons, and keyframes of tracks. */
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
/** Keyframe of a track; the path of the request names its frame. */
export const keyframeWriteSchema = trackedShapeSchema.omit({ id: true, frame: true });
export type KeyframeWrite = z.infer<typeof keyframeWriteSchema>;
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
  /** Computed where the track was cut or where a piece ends, not drawn by a user. Also valid on deleted frames. */
  border: z.literal(true).optional(),
});
const trackPieceSchema = trackSchema.extend({
  shapes: z.array(pieceKeyframeSchema),
  elements: z.array(subTrackSchema.extend({ shapes: z.array(pieceKeyframeSchema) })).default([]),
});

/** Tracks of a job, for Limner's own workspace. */
export const jobTracksSchema = z.object({ tracks: z.array(trackPieceSchema) });

/** Audio interval in milliseconds. Accepted and returned, but not shown by the canvas. */
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

/** Change of annotations that can be undone for a limited time. */
export const annotationChangeSchema = z.object({
  id,
  /**
   * `label`: labels were deleted together with their annotations. `frames`: images of frames were replaced, or removed
   * together with their annotations.
   */
  kind: z.enum(['import', 'replace', 'clear', 'delete', 'label', 'undo', 'frames']),
  /**
   * Effect of undoing the change on the saved annotations: replaces the current ones (which are saved in turn), adds
   * them, or hides those that the change added.
   */
  effect: z.enum(['replace', 'add', 'remove']),
  /** Changed object: a task, one of its jobs, or the labels of a project. */
  project_id: z.int().nullable(),
  task_id: z.int().nullable(),
  job_id: z.int().nullable(),
  user: basicUserSchema.nullable(),
  object_count: z.int(),
  /** Imported file, deleted labels or image names; otherwise empty. */
  detail: z.string(),
  created_date: dateTimeSchema,
  /** Date until which it can be undone; newer changes may end this earlier. */
  expiry_date: dateTimeSchema,
});
export type AnnotationChange = z.infer<typeof annotationChangeSchema>;
export const undoneChangeSchema = z.object({
  /** New change that undoing created, which can be undone in turn. Null if no annotation was affected. */
  change: annotationChangeSchema.nullable(),
});
