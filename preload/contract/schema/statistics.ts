import { z } from 'zod';
import { annotationSources, shapeTypes } from '../annotation-names.ts';

export const kindCountSchema = z.object({
  type: z.enum([...shapeTypes, 'tag']),
  /** Shapes on a single frame, or tags. */
  objects: z.int(),
  tracks: z.int(),
  /** Frames with a visible keyframe of a track. */
  keyframes: z.int(),
  /** Frames with an interpolated or continued shape of a track. */
  interpolated: z.int(),
});
export type KindCount = z.infer<typeof kindCountSchema>;

export const attributeCountSchema = z.object({
  id: z.int(),
  name: z.string(),
  /** Most frequent first; a track counts once for each of its values. */
  values: z.array(z.object({ value: z.string(), count: z.int() })),
  /** Number of values that are not listed, and of objects with one of them. */
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

/** Progress of a project, from the states of its jobs and without reading annotations. */
export const projectProgressSchema = z.object({
  /** Numbers of jobs by state; the rest has not been started. */
  jobs: z.object({
    count: z.int(),
    completed: z.int(),
    validation: z.int(),
    in_progress: z.int(),
    rejected: z.int(),
  }),
  frames: z.int(),
  /** Most frames first; the empty name is for tasks without a subset. */
  subsets: z.array(z.object({ name: z.string(), tasks: z.int(), frames: z.int() })),
});
export type ProjectProgress = z.infer<typeof projectProgressSchema>;

export const jobProgressSchema = z.object({
  frames: z.int(),
  /** Frames with a shape, a tag or a visible track. */
  annotated: z.int(),
});
export type JobProgress = z.infer<typeof jobProgressSchema>;

/** Statistics of a job, task or project, without deleted frames. Skeletons count, their elements do not. */
export const statisticsSchema = z.object({
  frames: z.object({
    /** Without deleted ones. */
    total: z.int(),
    deleted: z.int(),
    /** Frames with a shape, a tag or a visible track. */
    with_objects: z.int(),
  }),
  /** All labels, including those without objects. */
  labels: z.array(labelStatisticsSchema),
  sources: z.array(z.object({ source: z.enum(annotationSources), count: z.int() })),
});
export type Statistics = z.infer<typeof statisticsSchema>;
