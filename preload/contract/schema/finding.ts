import { z } from 'zod';

/** JSON Logic over the fields of `object-filter/filter-fields.ts`; null or nothing: every object passes. */
export const frameSearchSchema = z.object({ filter: z.record(z.string(), z.unknown()).nullable().optional() });
export type FrameSearch = z.output<typeof frameSearchSchema>;

/** Frames with objects that pass, by rising number, without deleted ones. */
export const frameMatchesSchema = z.object({
  frames: z.array(z.int()),
  /** How many objects pass on each of these frames; a track counts on every frame that shows it. */
  counts: z.array(z.int()),
  /** Objects in all, counted on each of their frames. */
  total: z.int(),
});
export type FrameMatches = z.infer<typeof frameMatchesSchema>;
