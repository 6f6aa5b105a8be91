import { z } from 'zod';
import {
  basicUserSchema,
  collectionSummarySchema,
  dateTimeSchema,
  labelsSummarySchema,
  cloudStorageId,
  storageSchema,
  storageWriteSchema,
} from './common.ts';
import { labelWriteSchema } from './labels.ts';

const statuses = ['annotation', 'validation', 'completed'] as const;
export const jobStages = ['annotation', 'validation', 'acceptance'] as const;
export const jobStates = ['new', 'in progress', 'completed', 'rejected'] as const;
export const jobTypes = ['annotation', 'ground_truth', 'consensus_replica'] as const;
const chunkTypes = ['video', 'imageset', 'audio_mp3'] as const;

const name = z.string().trim().min(1, 'This field may not be blank.').max(256);
const bugTracker = z.string().max(2000);
const optionalUser = basicUserSchema.nullable();

export const projectSchema = z.object({
  url: z.string(),
  id: z.int(),
  name: z.string(),
  owner: optionalUser,
  assignee: optionalUser,
  guide_id: z.int().nullable(),
  bug_tracker: z.string(),
  task_subsets: z.array(z.string()),
  created_date: dateTimeSchema,
  updated_date: dateTimeSchema,
  status: z.enum(statuses),
  dimension: z.string().nullable(),
  organization: z.int().nullable(),
  organization_id: z.int().nullable(),
  target_storage: storageSchema.nullable(),
  source_storage: storageSchema.nullable(),
  tasks: collectionSummarySchema,
  labels: labelsSummarySchema,
  assignee_updated_date: dateTimeSchema.nullable(),
});
export type Project = z.infer<typeof projectSchema>;

export const projectWriteSchema = z.object({
  name,
  labels: z.array(labelWriteSchema).default([]),
  owner_id: z.int().nullable().optional(),
  assignee_id: z.int().nullable().optional(),
  bug_tracker: bugTracker.default(''),
  target_storage: storageWriteSchema.nullable().optional(),
  source_storage: storageWriteSchema.nullable().optional(),
});
export const projectPatchSchema = projectWriteSchema
  .omit({ labels: true, bug_tracker: true })
  .extend({
    labels: z.array(labelWriteSchema),
    bug_tracker: bugTracker,
    organization_id: z.int().nullable(),
  })
  .partial();

export const taskSchema = z.object({
  url: z.string(),
  id: z.int(),
  name: z.string(),
  project_id: z.int().nullable(),
  project_name: z.string().nullable(),
  owner: optionalUser,
  assignee: optionalUser,
  bug_tracker: z.string(),
  created_date: dateTimeSchema,
  updated_date: dateTimeSchema,
  overlap: z.int().nullable(),
  segment_size: z.int(),
  status: z.enum(statuses),
  /** The next six keys are absent until the task has data. */
  data_chunk_size: z.int().nullable().optional(),
  data_compressed_chunk_type: z.enum(chunkTypes).optional(),
  data_original_chunk_type: z.enum(chunkTypes).optional(),
  size: z.int().optional(),
  image_quality: z.int().optional(),
  data_cloud_storage_id: z.int().nullable().optional(),
  guide_id: z.int().nullable(),
  data: z.int().nullable(),
  dimension: z.string(),
  mode: z.string(),
  media_type: z.string(),
  subset: z.string(),
  organization: z.int().nullable(),
  organization_id: z.int().nullable(),
  target_storage: storageSchema.nullable(),
  source_storage: storageSchema.nullable(),
  jobs: z.object({
    count: z.int(),
    completed: z.int(),
    validation: z.int(),
    /** Limner extension: in the annotation stage and started. */
    in_progress: z.int(),
    url: z.string(),
  }),
  labels: labelsSummarySchema,
  assignee_updated_date: dateTimeSchema.nullable(),
  validation_mode: z.string().nullable(),
  /** Clients of 2.74 and later read `initial_replicas` instead. */
  consensus_enabled: z.boolean(),
  initial_replicas: z.int(),
});
export type Task = z.infer<typeof taskSchema>;

/** Maximum number of replicas per annotation job. */
export const mostReplicas = 10;

const replicas = z
  .int()
  .min(0)
  .max(mostReplicas)
  .refine((count) => count !== 1, 'Send 0, or at least 2 replicas: a single one has nothing to be compared with.');

export const taskWriteSchema = z.object({
  name,
  project_id: z.int().nullable().optional(),
  labels: z.array(labelWriteSchema).default([]),
  owner_id: z.int().nullable().optional(),
  assignee_id: z.int().nullable().optional(),
  bug_tracker: bugTracker.default(''),
  overlap: z.int().nonnegative().nullable().optional(),
  segment_size: z.int().nonnegative().default(0),
  subset: z.string().max(64).default(''),
  target_storage: storageWriteSchema.nullable().optional(),
  source_storage: storageWriteSchema.nullable().optional(),
  consensus_replicas: replicas.optional(),
  /** Same as `consensus_replicas`, with the name that clients of 2.74 and later use. */
  initial_replicas: replicas.optional(),
});
export const taskPatchSchema = taskWriteSchema
  .omit({
    labels: true,
    bug_tracker: true,
    segment_size: true,
    subset: true,
    consensus_replicas: true,
    initial_replicas: true,
  })
  .extend({
    labels: z.array(labelWriteSchema),
    bug_tracker: bugTracker,
    subset: z.string().max(64),
    organization_id: z.int().nullable(),
  })
  .partial();

export const jobSchema = z.object({
  url: z.string(),
  id: z.int(),
  task_id: z.int(),
  task_name: z.string().nullable(),
  project_id: z.int().nullable(),
  project_name: z.string().nullable(),
  assignee: optionalUser,
  guide_id: z.int().nullable(),
  dimension: z.string(),
  mode: z.string(),
  media_type: z.string(),
  bug_tracker: z.string().nullable(),
  status: z.enum(statuses),
  stage: z.enum(jobStages),
  state: z.enum(jobStates),
  frame_count: z.int(),
  start_frame: z.int(),
  stop_frame: z.int(),
  data_chunk_size: z.int().nullable(),
  data_compressed_chunk_type: z.enum(chunkTypes),
  data_original_chunk_type: z.enum(chunkTypes),
  created_date: dateTimeSchema,
  updated_date: dateTimeSchema,
  issues: collectionSummarySchema,
  labels: labelsSummarySchema,
  type: z.enum(jobTypes),
  organization: z.int().nullable(),
  target_storage: storageSchema.nullable(),
  source_storage: storageSchema.nullable(),
  assignee_updated_date: dateTimeSchema.nullable(),
  parent_job_id: z.int().nullable(),
  consensus_replicas: z.int(),
  replicas_count: z.int(),
});
export type Job = z.infer<typeof jobSchema>;

export const jobPatchSchema = z
  .object({
    assignee: z.int().nullable(),
    stage: z.enum(jobStages),
    state: z.enum(jobStates),
  })
  .partial();

const frameSelectionMethods = ['random_uniform', 'random_per_job', 'manual'] as const;
const frameSelection = {
  frame_selection_method: z.enum(frameSelectionMethods).default('random_uniform'),
  frame_count: z.int().positive().optional(),
  frame_share: z.number().gt(0).max(1).optional(),
  frames_per_job_count: z.int().positive().optional(),
  frames_per_job_share: z.number().gt(0).max(1).optional(),
  random_seed: z.int().nonnegative().optional(),
};
/** Users create only ground-truth jobs: annotation jobs are created with a task's data. */
export const jobWriteSchema = z.object({
  type: z.enum(jobTypes),
  task_id: z.int(),
  assignee: z.int().nullable().optional(),
  stage: z.enum(jobStages).optional(),
  state: z.enum(jobStates).optional(),
  ...frameSelection,
  /** Task-relative frame numbers, for the method `manual`. */
  frames: z.array(z.int().nonnegative()).optional(),
});
export type JobWrite = z.infer<typeof jobWriteSchema>;

/** Initial validation of a task: a ground-truth job is created together with its data. */
const validationParamsSchema = z.object({
  mode: z.enum(['gt', 'gt_pool']),
  ...frameSelection,
  /** File names, for the method `manual`. */
  frames: z.array(z.string()).optional(),
});

const frameNumbers = z.array(z.int().nonnegative());
export const taskValidationLayoutSchema = z.object({
  mode: z.enum(['gt', 'gt_pool']).nullable(),
  frames_per_job_count: z.int().nullable().optional(),
  validation_frames: frameNumbers.optional(),
  disabled_frames: frameNumbers.optional(),
  honeypot_count: z.int().optional(),
  honeypot_frames: frameNumbers.optional(),
  honeypot_real_frames: frameNumbers.optional(),
});
export type TaskValidationLayout = z.infer<typeof taskValidationLayoutSchema>;
export const jobValidationLayoutSchema = z.object({
  honeypot_count: z.int(),
  honeypot_frames: frameNumbers,
  honeypot_real_frames: frameNumbers,
});
export const taskValidationPatchSchema = z.object({
  disabled_frames: frameNumbers.optional(),
  frame_selection_method: z.string().optional(),
  honeypot_real_frames: frameNumbers.optional(),
});
export const jobValidationPatchSchema = taskValidationPatchSchema.omit({ disabled_frames: true });

/** Deprecated; `/api/requests` has more details. */
export const taskStatusSchema = z.object({
  state: z.enum(['Queued', 'Started', 'Finished', 'Failed', 'Unknown']),
  message: z.string(),
  progress: z.number(),
});

const chapterSchema = z.object({
  id: z.int(),
  start: z.int(),
  stop: z.int(),
  metadata: z.object({ title: z.string() }),
});
export type Chapter = z.infer<typeof chapterSchema>;

/**
 * Limner extension, for images used in place: the file was replaced or is missing. `data/meta` gives the states of the
 * last check, which runs in the background.
 */
const frameStateSchema = z.enum(['replaced', 'missing']);
/** Limner extension: the image has not been read or sent and has no size, or its file is not an image. */
const listedStateSchema = z.enum([...frameStateSchema.options, 'unread', 'unsent', 'unusable']);

export const dataMetaSchema = z.object({
  chunks_updated_date: dateTimeSchema,
  chunk_size: z.int().nullable(),
  size: z.int(),
  image_quality: z.int(),
  start_frame: z.int(),
  stop_frame: z.int(),
  frame_filter: z.string(),
  frames: z
    .array(
      z.object({
        width: z.int(),
        height: z.int(),
        name: z.string(),
        related_files: z.int(),
        has_related_context: z.boolean(),
        limner_state: listedStateSchema.optional(),
      }),
    )
    .nullable(),
  deleted_frames: z.array(z.int()),
  included_frames: z.array(z.int()).nullable(),
  /** Chapters of the video file, by frame; null for images. */
  chapters: z.array(chapterSchema).nullable(),
  storage: z.enum(['cloud_storage', 'local', 'share']),
  cloud_storage_id: z.int().nullable(),
});
export type DataMeta = z.infer<typeof dataMetaSchema>;
export const dataMetaPatchSchema = z.object({
  deleted_frames: z.array(z.int().nonnegative()).optional(),
  /** Another cloud storage with the same objects, for a task whose images are in one. */
  cloud_storage_id: cloudStorageId,
});

/** Frames of a medium whose files have been read. */
export const readingProgressSchema = z.object({
  read: z.int(),
  total: z.int(),
  /** Images that have not been sent. */
  unsent: z.int(),
});

/** One frame of a job. Its file is read and checked when it is asked for. */
export const jobFrameSchema = z.object({
  frame: z.int(),
  name: z.string(),
  width: z.int(),
  height: z.int(),
  deleted: z.boolean(),
  /** `unsent`: the image was not sent yet. Width and height are 0. */
  limner_state: z.enum([...frameStateSchema.options, 'unsent']).optional(),
  /** Sentence that tells why the file is not an image. Width and height are 0. */
  problem: z.string().optional(),
});
export type JobFrame = z.infer<typeof jobFrameSchema>;
export const jobFramePatchSchema = z.object({ deleted: z.boolean() });

export const changedFramesSchema = z.object({
  results: z.array(z.object({ frame: z.int(), name: z.string(), limner_state: frameStateSchema })),
});
export type ChangedFrames = z.infer<typeof changedFramesSchema>;

/** Starts the preparation of a task's media (`Upload-Finish`, or a single request with everything). */
export const dataRequestSchema = z.object({
  image_quality: z.coerce.number().int().min(0).max(100).default(70),
  chunk_size: z.coerce.number().int().positive().nullable().optional(),
  start_frame: z.coerce.number().int().nonnegative().optional(),
  stop_frame: z.coerce.number().int().nonnegative().optional(),
  frame_filter: z
    .string()
    .regex(/^(step=[1-9]\d*)?$/, 'Enter a filter such as step=2.')
    .default(''),
  client_files: z.array(z.unknown()).optional(),
  /**
   * Paths below the share folder, or absolute paths on this computer; with `cloud_storage_id` keys, prefixes with a slash
   * at the end, and manifests. Used in place unless `copy_data` is set.
   */
  server_files: z.array(z.string()).default([]),
  remote_files: z.array(z.string()).default([]),
  server_files_exclude: z.array(z.string()).default([]),
  copy_data: z.coerce.boolean().default(false),
  /** Limner extension: accepts truncated and damaged images and videos as far as they can be read. */
  accept_damaged: z.coerce.boolean().default(false),
  /**
   * Limner extension: creates the frames and jobs of a local folder by the names of its files, and reads the files
   * afterwards. The request ends when all are read. A file that is not an image keeps its frame, marked as deleted;
   * truncated images are accepted. No effect on uploads, copies, archives and videos.
   */
  open_early: z.coerce.boolean().default(false),
  use_zip_chunks: z.coerce.boolean().default(false),
  use_cache: z.coerce.boolean().default(true),
  storage_method: z.enum(['cache', 'file_system']).optional(),
  storage: z
    .string()
    .optional()
    .refine((place) => place !== 'cloud_storage', 'Give cloud_storage_id instead of the storage "cloud_storage".'),
  sorting_method: z.enum(['lexicographical', 'natural', 'predefined', 'random']).default('lexicographical'),
  upload_file_order: z.array(z.string()).default([]),
  filename_pattern: z.string().nullable().optional(),
  job_file_mapping: z.array(z.array(z.string())).nullable().optional(),
  cloud_storage_id: z.coerce.number().int().nullable().optional(),
  validation_params: validationParamsSchema.nullable().optional(),
});

export type DataRequest = z.infer<typeof dataRequestSchema>;

/** Creates the frames and jobs of a task by the names of images that are sent afterwards. */
export const unsentImagesWriteSchema = z.strictObject({
  /** Names or relative paths of image files. Frames are numbered in natural order. */
  names: z.array(z.string().min(1).max(4096)).min(1).max(1_000_000),
  image_quality: z.int().min(0).max(100).default(70),
});
/** `rq_id`: the request that ends when all images have arrived. */
export const openedTaskSchema = z.object({ rq_id: z.string(), job_id: z.int() });
/** Frames whose images were not sent, and their names in the same order. */
export const unsentImagesSchema = z.object({
  /** All frames of the task. */
  total: z.int(),
  frames: z.array(z.int()),
  names: z.array(z.string()),
  /** The frame that the next part starts with; null if this is the last part. */
  next: z.int().nullable(),
});
/** Frames that have their image now, and the number of images that are not sent. */
export const sentImagesSchema = z.object({
  results: z.array(
    z.object({
      frame: z.int(),
      width: z.int(),
      height: z.int(),
      /** Sentence that tells why the file is not an image. */
      problem: z.string().optional(),
    }),
  ),
  unsent: z.int(),
});
export type SentImages = z.infer<typeof sentImagesSchema>;

/** Adds images behind the frames of a task that has data. Other fields are refused. */
export const addImagesSchema = z.strictObject({
  client_files: z.array(z.unknown()).optional(),
  /** Same as in `dataRequestSchema`. */
  server_files: z.array(z.string()).default([]),
  server_files_exclude: z.array(z.string()).default([]),
  copy_data: z.coerce.boolean().default(false),
  accept_damaged: z.coerce.boolean().default(false),
  /** Order of the added images among each other; default: the task's. */
  sorting_method: z.enum(['lexicographical', 'natural', 'predefined', 'random']).optional(),
  upload_file_order: z.array(z.string()).default([]),
  /** For an image whose name a frame of the task has: skip it, replace the frame's image, or add it as `name_2`. */
  existing_names: z.enum(['skip', 'replace', 'keep_both']).default('skip'),
  /** Frames per job from now on; 0: all added images in one job. Default: the task's, or 0 if it has one job. */
  segment_size: z.coerce.number().int().nonnegative().optional(),
  /** Every n-th frame of an added video becomes an image; 1: each frame. */
  every: z.coerce.number().int().positive().default(1),
});
export type AddImages = z.infer<typeof addImagesSchema>;

/** Folder whose new images join a task. */
export const watchedFolderWriteSchema = z.strictObject({ path: z.string().min(1).max(4096) });
export const watchedFolderSchema = z.object({
  /** Null: no folder is watched. */
  path: z.string().nullable(),
  added_count: z.int(),
  /** Files that are not images, cannot be read, or have the name of a frame. */
  ignored_count: z.int(),
  /** Sentence that tells why nothing is added now. */
  problem: z.string().nullable(),
});
export type WatchedFolder = z.infer<typeof watchedFolderSchema>;

/** Removes the images of frames, with their tags and shapes. The frames keep their numbers, as deleted frames. */
export const removeFramesSchema = z.strictObject({
  /** Default: all deleted frames. */
  frames: z.array(z.int().nonnegative()).min(1).optional(),
  /** Only counts what would be removed. */
  preview: z.boolean().default(false),
});
export type RemoveFrames = z.infer<typeof removeFramesSchema>;
export const removedFramesSchema = z.object({
  /** Frames whose images are removed; those without an image are not counted. */
  frame_count: z.int(),
  object_count: z.int(),
  /** Disk space of the files. It is free when the removal can no longer be undone. */
  bytes: z.int(),
  /** Images used in place: their files stay on disk. */
  files_in_place: z.int(),
  /** Null for a preview, and if undo is disabled. */
  change: z.int().nullable(),
});
export type RemovedFrames = z.infer<typeof removedFramesSchema>;

/** Presentation times of a job's frames in its video. */
export const videoTimesSchema = z.object({
  first: z.number().int().nonnegative(),
  /** From the first frame on, ascending; null if the video has no time for the frame. */
  seconds: z.array(z.number().nullable()),
  /** Ascending numbers of the video's keyframes, at which decoding can start. */
  keyframes: z.array(z.number().int()),
  /** Seconds: half the smallest distance between two frames. A time this close to a frame refers to it. */
  tolerance: z.number().nonnegative(),
});
export type VideoTimes = z.infer<typeof videoTimesSchema>;

/** Tile pyramid of a large image: level 0 has the full resolution, each further level half the width and height. */
export const imageTilesSchema = z.object({
  /** Size as displayed. */
  width: z.number().int().positive(),
  height: z.number().int().positive(),
  /** EXIF orientation. Tiles are not rotated, so the client applies it. */
  orientation: z.number().int().min(1).max(8),
  tile_side: z.number().int().positive(),
  levels: z.number().int().positive(),
});
export type ImageTiles = z.infer<typeof imageTilesSchema>;

/** Properties of an image file that has more bands or bits than a screen shows. */
export const displayFactsSchema = z.object({
  /** Number of bands without transparency; 1 if there is no choice. */
  bands: z.number().int().positive(),
  bits: z.number().int().positive(),
  kind: z.enum(['unsigned', 'signed', 'float']),
  /** Bands that are shown by default, from 0. */
  shown: z.array(z.number().int().nonnegative()),
  /** True if the percentiles for black and white can be chosen. */
  has_window: z.boolean(),
});
export type DisplayFacts = z.infer<typeof displayFactsSchema>;

const requestStatuses = ['queued', 'started', 'failed', 'finished'] as const;
export const requestSchema = z.object({
  id: z.string(),
  status: z.enum(requestStatuses),
  message: z.string(),
  operation: z.object({
    type: z.string(),
    target: z.string(),
    project_id: z.int().nullable(),
    task_id: z.int().nullable(),
    job_id: z.int().nullable(),
    org_id: z.int().nullable().optional(),
    format: z.string().nullable(),
    function_id: z.string().nullable(),
    lightweight: z.boolean().nullable(),
  }),
  progress: z.number().nullable(),
  created_date: dateTimeSchema,
  started_date: dateTimeSchema.nullable(),
  finished_date: dateTimeSchema.nullable(),
  expiry_date: dateTimeSchema.nullable(),
  owner: z.object({ id: z.int(), username: z.string() }).nullable(),
  result_url: z.string().nullable(),
  result_id: z.int().nullable(),
});
export type Request = z.infer<typeof requestSchema>;
