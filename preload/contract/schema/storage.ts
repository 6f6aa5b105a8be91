import { z } from 'zod';

/** Names as in the specification. */
export const volumeKinds = ['database', 'media', 'keys', 'logs', 'events'] as const;
export type VolumeKind = (typeof volumeKinds)[number];

const volumeKindSchema = z.enum(volumeKinds);

export const volumeSchema = z.object({
  name: volumeKindSchema,
  /** Absolute path on this computer. */
  folder: z.string(),
  /** True if it is outside the data directory. */
  moved: z.boolean(),
  files: z.int(),
  size_bytes: z.int(),
  /** Free space on its disk; null if unknown. */
  free_bytes: z.number().nullable(),
});

const moveOutcomeSchema = z.object({
  volume: volumeKindSchema,
  folder: z.string(),
  date: z.string(),
  succeeded: z.boolean(),
  message: z.string(),
});

/** Files of this computer that tasks use in place. */
export const imageFolderSchema = z.object({
  folder: z.string(),
  files: z.int(),
  missing: z.int(),
  tasks: z.array(z.object({ id: z.int(), name: z.string(), missing: z.int() })),
});

export const storageSchema = z.object({
  data_directory: z.string(),
  free_bytes: z.number().nullable(),
  /** Existing volumes: events only while analytics is on. */
  volumes: z.array(volumeSchema),
  in_place: z.array(imageFolderSchema),
  running: z
    .object({ volume: volumeKindSchema, folder: z.string(), progress: z.number(), message: z.string() })
    .nullable(),
  last: moveOutcomeSchema.nullable(),
});

/** Progress of a move, for polling. */
export const storageMoveSchema = storageSchema.pick({ running: true, last: true });

const folder = z.string().min(1).max(4096);

/** If the folder is the data directory itself, the volume moves back. */
export const moveVolumeSchema = z.object({ volume: volumeKindSchema, folder });

export const relinkImagesSchema = z.object({
  from: folder,
  /** Current folder of the files: at the same relative paths, or anywhere below it with the same content. */
  to: folder,
});

export const relinkedSchema = z.object({
  found: z.int(),
  /** Number of files found by their content. */
  by_content: z.int(),
  missing: z.int(),
  /** Number of paths with different images, which were not used. */
  other: z.int(),
  message: z.string(),
});

export type Storage = z.output<typeof storageSchema>;
export type StorageMove = z.output<typeof storageMoveSchema>;
export type Volume = z.output<typeof volumeSchema>;
export type ImageFolder = z.output<typeof imageFolderSchema>;
export type Relinked = z.output<typeof relinkedSchema>;
