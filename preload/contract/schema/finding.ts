import { z } from 'zod';

/** JSON Logic over the fields of `object-filter/filter-fields.ts`; null or absent: every object matches. */
export const frameSearchSchema = z.object({ filter: z.record(z.string(), z.unknown()).nullable().optional() });
export type FrameSearch = z.output<typeof frameSearchSchema>;

/** Frames with matching objects in ascending order, without deleted ones. */
export const frameMatchesSchema = z.object({
  frames: z.array(z.int()),
  /** Matching objects on each of these frames; a track counts on every frame where it is visible. */
  counts: z.array(z.int()),
  total: z.int(),
});
export type FrameMatches = z.infer<typeof frameMatchesSchema>;
