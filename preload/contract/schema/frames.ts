import { z } from 'zod';

/** Limner's own: which frames of a task become images. All that are not deleted, where nothing is said. */
const selectionFields = {
  /** Frame numbers of the task and ranges of them, with a step or without: `0-100:10, 250`; `300-` goes to the end. */
  frames: z.string().max(100_000).optional(),
  /** Of all frames, or of each range that states no step of its own, every so many. */
  every: z.int('A whole number is required.').min(1, 'Take every frame with 1, every tenth with 10.').optional(),
  /** Of these only the frames on which something is annotated. */
  annotated: z.boolean().default(false),
};

/** A body, also where it only asks: a list of frames may be longer than an address can be. */
export const frameSelectionSchema = z.object(selectionFields);
export type FrameSelection = z.output<typeof frameSelectionSchema>;

/** What a selection comes to. */
export const frameCountSchema = z.object({
  count: z.int(),
  /** Frames of the task or job that are not deleted. */
  total: z.int(),
  /** Frames that were asked for and are left out, because they are deleted. */
  deleted: z.int(),
});
export type FrameCount = z.infer<typeof frameCountSchema>;

const imageFields = {
  image_format: z.enum(['jpeg', 'png']).default('jpeg'),
  /** Of a JPEG; 95 without it. */
  image_quality: z.int().min(1).max(100).optional(),
};
const hasQuality = ({
  image_format: format,
  image_quality: quality,
}: {
  image_format: string;
  image_quality?: unknown;
}) => format === 'jpeg' || quality === undefined;
const noQuality = { path: ['image_quality'], message: 'PNG keeps every pixel: it has no quality. Leave this out.' };

export const framesToFilesSchema = z
  .object({ ...selectionFields, ...imageFields, filename: z.string().max(200).optional() })
  .refine(hasQuality, noQuality);

export const framesToTaskSchema = z
  .object({
    ...selectionFields,
    ...imageFields,
    name: z.string().trim().min(1).max(256),
    /** Whether the new task is in the project of the video's, with its labels; otherwise it gets copies of the labels. */
    same_project: z.boolean().default(true),
    /** Whether the annotations of the frames come along. What a track shows on a frame becomes a shape. */
    annotations: z.boolean().default(true),
    /** Whether shapes that were one track are one group. */
    track_groups: z.boolean().default(true),
  })
  .refine(hasQuality, noQuality);
export type FrameImages = Pick<z.output<typeof framesToTaskSchema>, keyof typeof imageFields>;
