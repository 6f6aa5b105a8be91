import { z } from 'zod';
import { jobStages, jobStates, jobTypes, mostReplicas } from '../../../../preload/contract/schema/resources.ts';
import { textPromptsSchema } from '../../../../preload/contract/schema/text-prompts.ts';
import { labelWriteSchema } from '../../../../preload/contract/schema/labels.ts';

/**
 * The files of a backup in CVAT's layout (api.md §3.11). A task is `task.json`, `annotations.json` and `data/` with its
 * media and `manifest.jsonl`. A project is `project.json` and a folder `task_<n>` per task. Limner's additions are
 * under separate keys or in separate files, which other readers ignore.
 */
export const backupVersion = '1.0';
export const backupFiles = {
  project: 'project.json',
  task: 'task.json',
  annotations: 'annotations.json',
  data: 'data',
  manifest: 'manifest.jsonl',
  guide: 'annotation_guide.md',
  assets: 'assets',
  issues: 'issues.json',
} as const;

const count = z.int().nonnegative();
/** Backups omit empty values or write null. */
const text = (maxLength: number) =>
  z
    .string()
    .max(maxLength)
    .nullish()
    .transform((value) => value ?? '');

const jobSchema = z.object({
  start_frame: count,
  stop_frame: count,
  /**
   * Frame numbers relative to the task, if the job does not have all frames from start to stop. Otherwise CVAT writes
   * an empty list.
   */
  frames: z
    .array(count)
    .nullish()
    .transform((frames) => (frames && frames.length > 0 ? frames : null)),
  status: z.string().nullish(),
  /** Missing in backups older than ground truth jobs. */
  type: z.enum(jobTypes).default('annotation'),
  stage: z.enum(jobStages).optional(),
  state: z.enum(jobStates).optional(),
  disabled_frames: z.array(count).optional(),
  /** Files of the job below `data`, if each job has its own selection or the task has a validation pool. */
  files: z.array(z.string().max(4096)).optional(),
});
export type BackupJob = z.output<typeof jobSchema>;

/** CVAT writes it for tasks with a validation pool. Other ground truth is a job with its own frames. */
const validationLayoutSchema = z.object({
  mode: z.enum(['gt', 'gt_pool']),
  /** Files of the pool below `data`. */
  frames: z
    .array(z.string().max(4096))
    .nullish()
    .transform((frames) => frames ?? []),
  frames_per_job_count: count.nullish(),
});

const dataSchema = z.object({
  chunk_size: z.int().positive().nullish(),
  image_quality: z.int().min(0).max(100).default(70),
  start_frame: count.nullish(),
  stop_frame: count.nullish(),
  frame_filter: z
    .string()
    .regex(/^(step\s*=\s*[1-9]\d*)?$/)
    .nullish(),
  sorting_method: z.enum(['lexicographical', 'natural', 'predefined', 'random']).default('lexicographical'),
  deleted_frames: z.array(count).default([]),
  chunk_type: z.string().nullish(),
  custom_segments: z.boolean().default(false),
  validation_layout: validationLayoutSchema.nullish(),
});

/** Original frame numbers: a backup holds only the frames of the task. */
const originSchema = z.object({
  start_frame: count,
  stop_frame: count,
  frame_filter: z.string().regex(/^(step=[1-9]\d*)?$/),
});

const labelSchema = labelWriteSchema.omit({ id: true, deleted: true });

/** Limner's storages. Unknown locations are ignored. */
const storage = z.object({ location: z.string() }).nullish();
const textPrompts = { text_prompts: textPromptsSchema.shape.prompts.default([]) };
const storages = { target_storage: storage, source_storage: storage };

export const taskFileSchema = z.object({
  version: z.literal(backupVersion),
  name: z.string().trim().min(1).max(256),
  bug_tracker: text(2000),
  subset: text(64),
  /** Number of replicas per annotation job. */
  consensus_replicas: count
    .max(mostReplicas)
    .nullish()
    .transform((replicas) => replicas ?? 0),
  labels: z.array(labelSchema).default([]),
  /** Null for a task without data. */
  data: dataSchema.nullish(),
  jobs: z.array(jobSchema).default([]),
  limner: z
    .object({
      segment_size: count,
      overlap: count.nullable(),
      ...storages,
      ...textPrompts,
      origin: originSchema.optional(),
      /** Frames whose images were removed: their files are gray. */
      removed_frames: z.array(z.number().int().nonnegative()).default([]),
      /** Files below `data` by image name, for names that are invalid in an archive. */
      files: z.record(z.string(), z.string()).default({}),
    })
    .optional(),
});
export type TaskFile = z.output<typeof taskFileSchema>;

export const projectFileSchema = z.object({
  version: z.literal(backupVersion),
  name: z.string().trim().min(1).max(256),
  bug_tracker: text(2000),
  labels: z.array(labelSchema).default([]),
  limner: z.object({ ...storages, ...textPrompts }).optional(),
});
export type ProjectFile = z.output<typeof projectFileSchema>;

const date = z.iso.datetime({ offset: true });
const person = z.string().nullable();
export const issuesFileSchema = z.array(
  z.object({
    job: count,
    frame: count,
    position: z.array(z.number()).max(2000),
    resolved: z.boolean(),
    owner: person,
    assignee: person,
    created_date: date,
    updated_date: date,
    comments: z.array(
      z.object({ owner: person, message: z.string().min(1).max(65_536), created_date: date, updated_date: date }),
    ),
  }),
);
export type IssuesFile = z.output<typeof issuesFileSchema>;
