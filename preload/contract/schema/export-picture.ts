import { z } from 'zod';
import { shapeTypes } from '../annotation-names.ts';
import { arrangedKinds, exportPreviewRequestSchema } from './arrangement.ts';

/** A few frames are looked at: enough to see what becomes of each kind. */
export const maxExportPictures = 50;

export const exportPictureRequestSchema = exportPreviewRequestSchema.extend({
  /** Of the format. */
  options: z.record(z.string(), z.unknown()).default({}),
  /** Which of the frames with objects, from 0. */
  place: z
    .int()
    .min(0)
    .max(maxExportPictures - 1)
    .default(0),
});

const elementSchema = z.object({ label: z.string(), points: z.array(z.number()), outside: z.boolean() });

const writtenObjectSchema = z.object({
  type: z.enum([...shapeTypes, 'tag']),
  /** In pixels of the picture as it is written. */
  points: z.array(z.number()),
  rotation: z.number(),
  label: z.string(),
  color: z.string(),
  elements: z.array(elementSchema),
});
export type WrittenObject = z.infer<typeof writtenObjectSchema>;

/** Limner's own: one frame as an export writes it. */
export const exportPictureSchema = z.object({
  place: z.int(),
  has_next: z.boolean(),
  /** Null where no frame that is written has an object. */
  frame: z
    .object({
      task_id: z.int(),
      frame: z.int(),
      name: z.string(),
      /** Its name in the file, and its part; null where the format has no subsets. */
      written_name: z.string(),
      subset: z.string().nullable(),
      /** Of the picture that is written. */
      width: z.int(),
      height: z.int(),
      /** All objects of the frame. */
      objects: z.int(),
    })
    .nullable(),
  objects: z.array(writtenObjectSchema),
  /** More than a picture shows. */
  more_objects: z.int(),
  /** Whether the objects come from the file that the format wrote; otherwise they are what it is given. */
  is_read_back: z.boolean(),
  /** Left out by a choice. */
  left_out: z.array(
    z.object({
      kind: z.enum(arrangedKinds),
      label: z.string(),
      count: z.int(),
      reason: z.enum(['label', 'kind', 'size']),
    }),
  ),
  /** What the format says that it cannot carry; `is_written` where the object itself is in the file. */
  losses: z.array(
    z.object({ type: z.string(), label: z.string(), count: z.int(), rule: z.string(), is_written: z.boolean() }),
  ),
});
export type ExportPicture = z.infer<typeof exportPictureSchema>;
