import { z } from 'zod';

const option = { name: z.string(), title: z.string(), description: z.string().optional() };

export const formatOptionSchema = z.discriminatedUnion('kind', [
  z.object({ ...option, kind: z.literal('boolean'), default: z.boolean() }),
  z.object({
    ...option,
    kind: z.literal('number'),
    minimum: z.number(),
    maximum: z.number(),
    default: z.number().optional(),
  }),
  z.object({
    ...option,
    kind: z.literal('choice'),
    /** The first is the default. */
    choices: z.array(z.object({ value: z.string(), title: z.string() })),
  }),
  z.object({ ...option, kind: z.literal('text') }),
]);
export type FormatOptionField = z.infer<typeof formatOptionSchema>;

const describedFormatSchema = z.object({
  name: z.string(),
  ext: z.string(),
  /** True if objects of the format can be masks; null if its plug-in does not declare it. */
  masks: z.boolean().nullable(),
  /** True if images are independent, so that some may be left out; null if its plug-in does not declare it. */
  stills: z.boolean().nullable(),
  /** Kinds of objects that it supports at least partly; null if its plug-in does not declare it. */
  carries: z.array(z.string()).nullable(),
  /** True if the number of its first class can be 0 or 1. */
  numbers_classes: z.boolean(),
  options: z.array(formatOptionSchema),
});

/** Limner extension: options of each format, and plug-ins that cannot be used. */
export const formatOptionsSchema = z.object({
  importers: z.array(describedFormatSchema),
  exporters: z.array(describedFormatSchema),
  broken: z.array(z.object({ file: z.string(), reason: z.string() })),
});
export type FormatOptions = z.infer<typeof formatOptionsSchema>;

/** Formats that a file may have, the most likely first. */
export const formatCandidatesSchema = z.object({
  candidates: z.array(z.object({ name: z.string(), reason: z.string(), confidence: z.number() })),
});

/** Preview of an import: contents of a file, without importing it. */
export const importPreviewSchema = z.object({
  labels: z.array(
    z.object({
      name: z.string(),
      count: z.int(),
      types: z.array(z.string()),
      known: z.boolean(),
      /** Attributes in the file that the task's label lacks. */
      unknownAttributes: z.array(z.string()),
    }),
  ),
  subsets: z.array(z.string()),
  frames: z.object({
    matching: z.enum(['auto', 'name', 'number', 'order']),
    total: z.int(),
    /** Number of images that the file names; 0 if it uses frame numbers. */
    stated: z.int(),
    /** Frames of the task that the file refers to. */
    matched: z.int(),
    /** Number of matches with each way of matching. */
    fitting: z.object({ auto: z.int(), name: z.int(), number: z.int(), order: z.int() }),
    /** Images without a frame: their number, and the first names. */
    unmatchedCount: z.int(),
    unmatched: z.array(z.string()),
    /** The first images with their matching frames. */
    pairs: z.array(z.object({ file: z.string(), frame: z.string() })),
    /** Frames of the task that the file does not refer to. */
    silentCount: z.int(),
    silent: z.array(z.string()),
  }),
});
export type ImportPreview = z.infer<typeof importPreviewSchema>;
