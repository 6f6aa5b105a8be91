import { z } from 'zod';

/** Limner extension: frames of a task to convert to images. Default: all that are not deleted. */
const selectionFields = {
  /** Frame numbers and ranges of the task, optionally with a step: `0-100:10, 250`; `300-` means to the end. */
  frames: z.string().max(100_000).optional(),
  /** Step for all frames, or for each range without its own step. */
  every: z.int('A whole number is required.').min(1, 'Enter 1 for every frame, 10 for every tenth.').optional(),
  annotated: z.boolean().default(false),
};

/** Sent as a body even for queries, because a list of frames may be too long for a URL. */
export const frameSelectionSchema = z.object(selectionFields);
export type FrameSelection = z.output<typeof frameSelectionSchema>;

export const frameCountSchema = z.object({
  count: z.int(),
  /** Frames of the task or job that are not deleted. */
  total: z.int(),
  /** Selected frames that are left out because they are deleted. */
  deleted: z.int(),
});
export type FrameCount = z.infer<typeof frameCountSchema>;

const imageFields = {
  image_format: z.enum(['jpeg', 'png']).default('jpeg'),
  /** JPEG quality; default 95. */
  image_quality: z.int().min(1).max(100).optional(),
};
const hasQuality = ({
  image_format: format,
  image_quality: quality,
}: {
  image_format: string;
  image_quality?: unknown;
}) => format === 'jpeg' || quality === undefined;
const noQuality = { path: ['image_quality'], message: 'PNG has no quality setting. Leave this out.' };

export const framesToFilesSchema = z
  .object({ ...selectionFields, ...imageFields, filename: z.string().max(200).optional() })
  .refine(hasQuality, noQuality);

export const framesToTaskSchema = z
  .object({
    ...selectionFields,
    ...imageFields,
    name: z.string().trim().min(1).max(256),
    /**
     * True if the new task belongs to the video's project and uses its labels; otherwise it gets copies of the labels.
     */
    same_project: z.boolean().default(true),
    /** True to copy the annotations of the frames. Tracks become one shape per frame. */
    annotations: z.boolean().default(true),
    /** True if shapes from one track form a group. */
    track_groups: z.boolean().default(true),
  })
  .refine(hasQuality, noQuality);
export type FrameImages = Pick<z.output<typeof framesToTaskSchema>, keyof typeof imageFields>;
