import { z } from 'zod';
import { annotationSources, shapeTypes } from '../annotation-names.ts';

/** Objects of one label that are drawn in one way, or its tags. */
export const kindCountSchema = z.object({
  type: z.enum([...shapeTypes, 'tag']),
  /** Shapes that stand on one frame, or tags. */
  objects: z.int(),
  tracks: z.int(),
  /** Of the tracks: frames on which a keyframe shows them. */
  keyframes: z.int(),
  /** Of the tracks: frames on which they are shown between or after keyframes. */
  interpolated: z.int(),
});
export type KindCount = z.infer<typeof kindCountSchema>;

export const attributeCountSchema = z.object({
  id: z.int(),
  name: z.string(),
  /** The most frequent first; a track counts once for each value that it shows. */
  values: z.array(z.object({ value: z.string(), count: z.int() })),
  /** Values that are not listed, and how many objects have one of them. */
  further_values: z.int(),
  further_count: z.int(),
});

export const labelStatisticsSchema = z.object({
  id: z.int(),
  name: z.string(),
  color: z.string(),
  kinds: z.array(kindCountSchema),
  attributes: z.array(attributeCountSchema),
});
export type LabelStatistics = z.infer<typeof labelStatisticsSchema>;

/** How far a project is, without looking at what is annotated. */
export const projectProgressSchema = z.object({
  /** Counts of jobs; those that are nothing else have not begun. */
  jobs: z.object({
    count: z.int(),
    completed: z.int(),
    validation: z.int(),
    in_progress: z.int(),
    rejected: z.int(),
  }),
  frames: z.int(),
  /** Those with most frames first; the empty name is of tasks without one. */
  subsets: z.array(z.object({ name: z.string(), tasks: z.int(), frames: z.int() })),
});
export type ProjectProgress = z.infer<typeof projectProgressSchema>;

/** How far a job is: on how many of its frames there is something; nothing of deleted ones. */
export const jobProgressSchema = z.object({
  frames: z.int(),
  /** With a shape, a tag or a track that is seen. */
  annotated: z.int(),
});
export type JobProgress = z.infer<typeof jobProgressSchema>;

/** What a job, a task or a project holds; nothing of deleted frames. Skeletons count, their elements do not. */
export const statisticsSchema = z.object({
  frames: z.object({
    /** Without deleted ones. */
    total: z.int(),
    deleted: z.int(),
    /** With a shape, a tag or a track that is seen. */
    with_objects: z.int(),
  }),
  /** All labels, those without objects too. */
  labels: z.array(labelStatisticsSchema),
  /** Shapes, tags and tracks, each once. */
  sources: z.array(z.object({ source: z.enum(annotationSources), count: z.int() })),
});
export type Statistics = z.infer<typeof statisticsSchema>;
