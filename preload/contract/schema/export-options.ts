import { z } from 'zod';

/** Kinds of objects that an export can convert. Rectangles with and without a rotation are separate kinds. */
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

export const arrangedTargets = ['rectangle', 'polygon', 'mask', 'leave_out'] as const;
export type ArrangedTarget = (typeof arrangedTargets)[number];

/** Frames that stay in the same part of a split. */
export const togetherChoices = ['frame', 'folder', 'name', 'job', 'task'] as const;
export type TogetherChoice = (typeof togetherChoices)[number];

const splitSchema = z.strictObject({
  /** Subsets with their shares of the frames; 80 and 20 is the same as 4 and 1. */
  parts: z
    .array(z.strictObject({ name: z.string().min(1).max(64), share: z.number().positive().max(1_000_000) }))
    .min(1)
    .max(20),
  /** With the same seed the same frames are always split in the same way. */
  seed: z.int().min(0).max(4_294_967_295).optional(),
  keep_together: z.enum(togetherChoices).optional(),
  /** With `name`: a regular expression. Names with the same first group (or match) stay together. */
  name_pattern: z.string().max(200).optional(),
  stratified: z.boolean().optional(),
});

const partialKinds = z.strictObject(
  // A separate object, so that the OpenAPI document names each kind.
  Object.fromEntries(arrangedKinds.map((kind) => [kind, z.enum(arrangedTargets).optional()])) as Record<
    ArrangedKind,
    z.ZodOptional<z.ZodEnum<{ [Target in ArrangedTarget]: Target }>>
  >,
);

/** Limner extension: export options, which apply before the format writes the data. */
export const exportOptionsSchema = z.strictObject({
  /** Frame numbers and ranges of a task or job, such as `0-100:10, 250`. */
  frames: z.string().max(10_000).optional(),
  subsets: z.array(z.string().max(64)).min(1).max(1000).optional(),
  /** Default: frames stay in their subsets. */
  split: splitSchema.optional(),
  /** Exported labels in this order, optionally renamed. Several labels may be merged under one name. */
  labels: z
    .array(z.strictObject({ name: z.string().min(1).max(64), as: z.string().min(1).max(64).optional() }))
    .min(1)
    .max(10_000)
    .optional(),
  /** Number of the first class, for formats with class numbers. */
  first_class_id: z.int().min(0).max(1).optional(),
  shapes: partialKinds.optional(),
  /** Minimum area in square pixels. Smaller objects are left out. */
  minimum_area: z.number().min(0).max(1e12).optional(),
  images: z
    .strictObject({
      /** Maximum length of the longer side. Larger images are scaled down together with their objects. */
      longest_side: z.int().min(16).max(65_535).optional(),
      format: z.enum(['jpeg', 'png']).optional(),
      quality: z.int().min(1).max(100).optional(),
      /** Images with an EXIF orientation are written upright; `original` leaves their files unchanged. */
      orientation: z.enum(['upright', 'original']).optional(),
    })
    .optional(),
  names: z.enum(['kept', 'numbered']).optional(),
});
export type DatasetExportOptions = z.infer<typeof exportOptionsSchema>;

export const exportPreviewRequestSchema = z.object({
  format: z.string(),
  export_options: exportOptionsSchema.optional(),
  only_annotated_frames: z.boolean().default(false),
});

/** Limner extension: counts of an export, without writing it. */
export const exportPreviewSchema = z.object({
  frames: z.object({ total: z.int(), written: z.int() }),
  /**
   * Objects per frame, with a track counted on each of its frames. `unfit` objects are of kinds that the format does
   * not support.
   */
  objects: z.object({ total: z.int(), written: z.int(), unfit: z.int() }),
  subsets: z.array(z.object({ name: z.string(), frames: z.int(), objects: z.int() })),
  /** All labels, with their objects on the selected frames. */
  labels: z.array(z.object({ name: z.string(), color: z.string(), objects: z.int() })),
  /**
   * Kinds of the selected objects; `fits` is true if the format supports the kind, null if its plug-in does not declare
   * it.
   */
  kinds: z.array(z.object({ kind: z.string(), objects: z.int(), fits: z.boolean().nullable() })),
  /** Selected options that the format does not support. */
  notes: z.array(z.string()),
});
export type ExportPreview = z.infer<typeof exportPreviewSchema>;
