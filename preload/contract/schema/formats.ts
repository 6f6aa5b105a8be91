import { z } from 'zod';

const option = { name: z.string(), title: z.string(), description: z.string().optional() };

/** An option of a format, as its plug-in declares it. */
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
    /** The first is taken where nothing is said. */
    choices: z.array(z.object({ value: z.string(), title: z.string() })),
  }),
  z.object({ ...option, kind: z.literal('text') }),
]);
export type FormatOptionField = z.infer<typeof formatOptionSchema>;

const describedFormatSchema = z.object({
  name: z.string(),
  ext: z.string(),
  /** Whether objects of the format may be masks; null where its plug-in does not say. */
  masks: z.boolean().nullable(),
  /** Whether each image stands by itself, so that others may be left out; null where its plug-in does not say. */
  stills: z.boolean().nullable(),
  /** Kinds of objects that it carries, some of them only in part; null where its plug-in does not say. */
  carries: z.array(z.string()).nullable(),
  /** Whether its first class may have the number 0 or 1. */
  numbers_classes: z.boolean(),
  options: z.array(formatOptionSchema),
});

/** Limner's own: what a person may choose for each format, and the plug-ins that cannot be used. */
export const formatOptionsSchema = z.object({
  importers: z.array(describedFormatSchema),
  exporters: z.array(describedFormatSchema),
  broken: z.array(z.object({ file: z.string(), reason: z.string() })),
});
export type FormatOptions = z.infer<typeof formatOptionsSchema>;

/** The formats that a file may be in, the likeliest first. */
export const formatCandidatesSchema = z.object({
  candidates: z.array(z.object({ name: z.string(), reason: z.string(), confidence: z.number() })),
});

/** What a file holds, found without writing anything: the preview of an import. */
export const importSurveySchema = z.object({
  /** Labels of the file's objects, as the file calls them. */
  labels: z.array(
    z.object({
      name: z.string(),
      count: z.int(),
      types: z.array(z.string()),
      /** Whether the task has a label of this name. */
      known: z.boolean(),
      /** Attributes that the file gives it and the task's label does not have. */
      unknownAttributes: z.array(z.string()),
    }),
  ),
  subsets: z.array(z.string()),
  frames: z.object({
    matching: z.enum(['auto', 'name', 'number', 'order']),
    /** Frames of the task. */
    total: z.int(),
    /** Images that the file names; 0 where it counts frames. */
    stated: z.int(),
    /** Frames of the task that the file speaks of. */
    matched: z.int(),
    /** How many frames each way of matching would find. */
    fitting: z.object({ auto: z.int(), name: z.int(), number: z.int(), order: z.int() }),
    /** Images without a frame: all, and the first of them by name. */
    unmatchedCount: z.int(),
    unmatched: z.array(z.string()),
    /** The first images with the frame that each would go to. */
    pairs: z.array(z.object({ file: z.string(), frame: z.string() })),
    /** Frames of the task that the file says nothing of. */
    silentCount: z.int(),
    silent: z.array(z.string()),
  }),
});
export type ImportSurvey = z.infer<typeof importSurveySchema>;
