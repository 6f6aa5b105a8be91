import { z } from 'zod';

/** Kinds of objects that an export may turn into another: a rectangle with a rotation counts apart from a straight one. */
export const arrangedKinds = [
  'rectangle',
  'rotated rectangle',
  'polygon',
  'polyline',
  'points',
  'ellipse',
  'mask',
  'cuboid',
  'skeleton',
  'tag',
] as const;
export type ArrangedKind = (typeof arrangedKinds)[number];

/** What a kind may become. */
export const arrangedTargets = ['rectangle', 'polygon', 'mask', 'leave_out'] as const;
export type ArrangedTarget = (typeof arrangedTargets)[number];

/** Frames that stay in one part of a split. */
export const togetherChoices = ['frame', 'folder', 'name', 'job', 'task'] as const;
export type TogetherChoice = (typeof togetherChoices)[number];

const splitSchema = z.strictObject({
  /** Subsets, each with its share of the frames: 80 and 20 is the same as 4 and 1. */
  parts: z
    .array(z.strictObject({ name: z.string().min(1).max(64), share: z.number().positive().max(1_000_000) }))
    .min(1)
    .max(20),
  /** The same seed splits the same frames in the same way. */
  seed: z.int().min(0).max(4_294_967_295).optional(),
  keep_together: z.enum(togetherChoices).optional(),
  /** With `name`: a regular expression. Names whose first group (or whole match) is the same stay together. */
  name_pattern: z.string().max(200).optional(),
  /** Every part gets its share of each label, too. */
  stratified: z.boolean().optional(),
});

const partialKinds = z.strictObject(
  // As an object of its own, so that the document of the API names each kind.
  Object.fromEntries(arrangedKinds.map((kind) => [kind, z.enum(arrangedTargets).optional()])) as Record<
    ArrangedKind,
    z.ZodOptional<z.ZodEnum<{ [Target in ArrangedTarget]: Target }>>
  >,
);

/** Limner's own: what an export makes of the data before its format writes them. */
export const arrangementSchema = z.strictObject({
  /** Numbers and ranges of a task or job, such as `0-100:10, 250`. */
  frames: z.string().max(10_000).optional(),
  /** Only frames of these subsets. */
  subsets: z.array(z.string().max(64)).min(1).max(1000).optional(),
  /** Without it frames stay in their subsets. */
  split: splitSchema.optional(),
  /** The labels that are written, in this order, under their own name or another; two may become one. */
  labels: z
    .array(z.strictObject({ name: z.string().min(1).max(64), as: z.string().min(1).max(64).optional() }))
    .min(1)
    .max(10_000)
    .optional(),
  /** Number of the first class, in formats that have numbers. */
  first_class_id: z.int().min(0).max(1).optional(),
  shapes: partialKinds.optional(),
  /** Objects with an area below so many square pixels are left out. */
  minimum_area: z.number().min(0).max(1e12).optional(),
  images: z
    .strictObject({
      /** Larger pictures are scaled down to it, with their objects. */
      longest_side: z.int().min(16).max(65_535).optional(),
      format: z.enum(['jpeg', 'png']).optional(),
      /** Of JPEG. */
      quality: z.int().min(1).max(100).optional(),
      /** Images that EXIF turns are written upright; `original` leaves their files unchanged. */
      orientation: z.enum(['upright', 'original']).optional(),
    })
    .optional(),
  names: z.enum(['kept', 'numbered']).optional(),
});
export type Arrangement = z.infer<typeof arrangementSchema>;

export const exportPreviewRequestSchema = z.object({
  format: z.string(),
  arrangement: arrangementSchema.optional(),
  only_annotated_frames: z.boolean().default(false),
});

/** Limner's own: what an export would write, counted without writing it. */
export const exportPreviewSchema = z.object({
  /** All, and those that are written. */
  frames: z.object({ total: z.int(), written: z.int() }),
  /** Objects on the frames as they are seen, one for each frame that a track is on; `unfit` are of kinds that the format lacks. */
  objects: z.object({ total: z.int(), written: z.int(), unfit: z.int() }),
  subsets: z.array(z.object({ name: z.string(), frames: z.int(), objects: z.int() })),
  /** All labels, with their objects on the chosen frames. */
  labels: z.array(z.object({ name: z.string(), color: z.string(), objects: z.int() })),
  /** Kinds of the chosen labels' objects on the chosen frames; whether the format has each, null where it does not say. */
  kinds: z.array(z.object({ kind: z.string(), objects: z.int(), fits: z.boolean().nullable() })),
  /** What the format cannot do of what was chosen. */
  notes: z.array(z.string()),
});
export type ExportPreview = z.infer<typeof exportPreviewSchema>;
