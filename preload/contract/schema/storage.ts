import { z } from 'zod';

/** As the specification calls them. */
export const volumeKinds = ['database', 'media', 'keys', 'logs', 'events'] as const;
export type VolumeKind = (typeof volumeKinds)[number];

const volumeKindSchema = z.enum(volumeKinds);

export const volumeSchema = z.object({
  name: volumeKindSchema,
  /** Absolute path on this computer. */
  folder: z.string(),
  /** Whether it lives outside of the data directory. */
  moved: z.boolean(),
  files: z.int(),
  size_bytes: z.int(),
  /** Of its disk; null where that cannot be told. */
  free_bytes: z.number().nullable(),
});

const moveOutcomeSchema = z.object({
  volume: volumeKindSchema,
  folder: z.string(),
  date: z.string(),
  succeeded: z.boolean(),
  /** What became of it, in a sentence. */
  message: z.string(),
});

/** Files of this computer that tasks use where they are. */
export const imageFolderSchema = z.object({
  /** The deepest folder that holds all of them. */
  folder: z.string(),
  files: z.int(),
  /** Those that are not there. */
  missing: z.int(),
  tasks: z.array(z.object({ id: z.int(), name: z.string(), missing: z.int() })),
});

export const storageSchema = z.object({
  data_directory: z.string(),
  free_bytes: z.number().nullable(),
  /** Those that are there: events only while analytics is on. */
  volumes: z.array(volumeSchema),
  in_place: z.array(imageFolderSchema),
  running: z
    .object({ volume: volumeKindSchema, folder: z.string(), progress: z.number(), message: z.string() })
    .nullable(),
  last: moveOutcomeSchema.nullable(),
});

/** What a move is asked about while it goes on. */
export const storageMoveSchema = storageSchema.pick({ running: true, last: true });

const folder = z.string().min(1).max(4096);

/** The data directory itself as the folder brings a volume back. */
export const moveVolumeSchema = z.object({ volume: volumeKindSchema, folder });

export const relinkImagesSchema = z.object({
  /** The folder that the files were in. */
  from: folder,
  /** The folder that they are in now: at the same places below it, or anywhere below it by what they hold. */
  to: folder,
});

export const relinkedSchema = z.object({
  found: z.int(),
  /** Those of them that were found by what they hold. */
  by_content: z.int(),
  missing: z.int(),
  /** Other images lie at these places, so they were not taken. */
  other: z.int(),
  message: z.string(),
});

export type Storage = z.output<typeof storageSchema>;
export type StorageMove = z.output<typeof storageMoveSchema>;
export type Volume = z.output<typeof volumeSchema>;
export type ImageFolder = z.output<typeof imageFolderSchema>;
export type Relinked = z.output<typeof relinkedSchema>;
