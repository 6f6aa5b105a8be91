import { z } from 'zod';
import { shapeTypes } from '../annotation-names.ts';
import { arrangedKinds, exportPreviewRequestSchema } from './export-options.ts';

/** Enough to see the effect on each kind of object. */
export const maxPreviewedFrames = 50;

export const framePreviewRequestSchema = exportPreviewRequestSchema.extend({
  options: z.record(z.string(), z.unknown()).default({}),
  /** Index among the frames with objects, from 0. */
  place: z
    .int()
    .min(0)
    .max(maxPreviewedFrames - 1)
    .default(0),
});

const elementSchema = z.object({ label: z.string(), points: z.array(z.number()), outside: z.boolean() });

const writtenObjectSchema = z.object({
  type: z.enum([...shapeTypes, 'tag']),
  /** In pixels of the exported image. */
  points: z.array(z.number()),
  rotation: z.number(),
  label: z.string(),
  color: z.string(),
  elements: z.array(elementSchema),
});
export type WrittenObject = z.infer<typeof writtenObjectSchema>;

/** Limner extension: preview of one exported frame. */
export const framePreviewSchema = z.object({
  place: z.int(),
  has_next: z.boolean(),
  /** Null if no exported frame has an object. */
  frame: z
    .object({
      task_id: z.int(),
      frame: z.int(),
      name: z.string(),
      /** Name in the exported file, and its subset; null if the format has no subsets. */
      written_name: z.string(),
      subset: z.string().nullable(),
      width: z.int(),
      height: z.int(),
      objects: z.int(),
    })
    .nullable(),
  objects: z.array(writtenObjectSchema),
  /** Objects beyond the limit of the preview. */
  more_objects: z.int(),
  /** True if the objects were read back from the exported file, false if they are the exporter's input. */
  is_read_back: z.boolean(),
  left_out: z.array(
    z.object({
      kind: z.enum(arrangedKinds),
      label: z.string(),
      count: z.int(),
      reason: z.enum(['label', 'kind', 'size']),
    }),
  ),
  /** Losses that the format reports; `is_written` if the object itself is in the file. */
  losses: z.array(
    z.object({ type: z.string(), label: z.string(), count: z.int(), rule: z.string(), is_written: z.boolean() }),
  ),
});
export type FramePreview = z.infer<typeof framePreviewSchema>;
