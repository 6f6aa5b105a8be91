import { z } from 'zod';
import { dateTimeSchema } from './common.ts';

/** CVAT server of a user. The access token is never returned. */
export const remoteServerSchema = z.object({
  id: z.int(),
  name: z.string(),
  address: z.string(),
  /** True if the server's certificate is checked with an own certificate authority. */
  has_certificate: z.boolean(),
  /** Product version and user name that the server gave at the last check. */
  version: z.string(),
  username: z.string(),
  created_date: dateTimeSchema,
  /** Number of jobs of this workbench that follow a job of the server. */
  job_count: z.int(),
  /** Disk space of the frames that were checked out from all servers. */
  frame_bytes: z.int(),
});
export type RemoteServer = z.infer<typeof remoteServerSchema>;
export const remoteServersSchema = z.object({ results: z.array(remoteServerSchema) });

export const remoteServerWriteSchema = z.object({
  name: z.string().trim().min(1, 'This field may not be blank.').max(64),
  /** For example `https://cvat.example.org`. */
  address: z.string().trim().min(1).max(2000),
  /** Personal access token of the server's user. */
  token: z.string().trim().min(1, 'This field may not be blank.').max(4096),
  /** Certificate authority in PEM, besides those of this computer. */
  certificate: z.string().max(100_000).default(''),
});
export type RemoteServerWrite = z.infer<typeof remoteServerWriteSchema>;
export const remoteServerPatchSchema = remoteServerWriteSchema
  .omit({ certificate: true })
  .extend({
    certificate: z.string().max(100_000),
  })
  .partial();
export type RemoteServerPatch = z.infer<typeof remoteServerPatchSchema>;

export const remoteItemKinds = ['organization', 'project', 'task', 'job'] as const;
export const remoteItemsQuerySchema = z.object({
  kind: z.enum(remoteItemKinds),
  /** Slug of an organization; empty: only personal ones. Absent: all. */
  organization: z.string().optional(),
  project_id: z.string().regex(/^\d+$/, 'Enter a number.').optional(),
  task_id: z.string().regex(/^\d+$/, 'Enter a number.').optional(),
  search: z.string().optional(),
  /** JSON Logic, as the server takes it. */
  filter: z.string().optional(),
  sort: z.string().optional(),
  page: z
    .string()
    .regex(/^[1-9]\d*$/, 'Enter a number.')
    .default('1'),
  page_size: z
    .string()
    .regex(/^[1-9]\d{0,2}$/, 'Enter a number up to 999.')
    .default('100'),
});
export type RemoteItemsQuery = z.infer<typeof remoteItemsQuerySchema>;

export const remoteItemSchema = z.object({
  kind: z.enum(remoteItemKinds),
  id: z.int(),
  name: z.string(),
  /** Short name of an organization. */
  slug: z.string().nullable(),
  project_id: z.int().nullable(),
  task_id: z.int().nullable(),
  /** Number of tasks of a project, or of jobs of a task. */
  child_count: z.int().nullable(),
  frame_count: z.int().nullable(),
  start_frame: z.int().nullable(),
  stop_frame: z.int().nullable(),
  stage: z.string().nullable(),
  state: z.string().nullable(),
  /** Type of a job, for example `annotation`. */
  type: z.string().nullable(),
  assignee: z.string().nullable(),
  updated_date: z.string().nullable(),
  /** Sentence that tells why it cannot be checked out; null if it can. */
  refusal: z.string().nullable(),
  /** Job of this workbench that follows it; see `listRemoteJobs`. */
  remote_job_id: z.int().nullable(),
});
export type RemoteItem = z.infer<typeof remoteItemSchema>;
export const remoteItemsSchema = z.object({ count: z.int(), results: z.array(remoteItemSchema) });

const targetKinds = ['project', 'task', 'job'] as const;
export const remoteCheckoutWriteSchema = z.object({
  kind: z.enum(targetKinds),
  /** Id on the server. */
  id: z.int().positive(),
  /** Most disk space in bytes of the frames that were checked out from all servers, including earlier ones. */
  budget_bytes: z.int().positive(),
});
export type RemoteCheckoutWrite = z.infer<typeof remoteCheckoutWriteSchema>;

export const remotePublicationWriteSchema = z.object({
  kind: z.enum(['project', 'task']),
  /** Local id. */
  id: z.int().positive(),
  /** Slug of an organization of the server; empty: personal. */
  org: z.string().max(64).default(''),
});
export type RemotePublicationWrite = z.infer<typeof remotePublicationWriteSchema>;

/** Job of this workbench that follows a job of a server. */
export const remoteJobSchema = z.object({
  id: z.int(),
  server_id: z.int(),
  name: z.string(),
  remote_job_id: z.int(),
  remote_task_id: z.int(),
  remote_project_id: z.int().nullable(),
  task_id: z.int(),
  /** Null until the frames are here. */
  job_id: z.int().nullable(),
  frame_count: z.int(),
  stored_frame_count: z.int(),
  frame_bytes: z.int(),
  /** `checking_out`: frames or annotations are missing; check out again to continue. */
  state: z.enum(['checking_out', 'out']),
  /** True if a push was interrupted. The next comparison, pull or push finds out what the server has. */
  is_push_interrupted: z.boolean(),
  pulled_date: dateTimeSchema.nullable(),
  pushed_date: dateTimeSchema.nullable(),
});
export type RemoteJob = z.infer<typeof remoteJobSchema>;
export const remoteJobsQuerySchema = z.object({ server_id: z.string().regex(/^\d+$/, 'Enter a number.').optional() });
export const remoteJobsSchema = z.object({ results: z.array(remoteJobSchema) });

const differenceSchema = z.object({
  added: z.int(),
  changed: z.int(),
  removed: z.int(),
  /** Issues and comments. */
  issues: z.int(),
  /** New stage and state, for example `validation, new`; null if unchanged. */
  stage: z.string().nullable(),
});
export type RemoteDifference = z.infer<typeof differenceSchema>;

/** The object as of one end, with names instead of ids; null if it is missing there. */
const sideSchema = z.record(z.string(), z.unknown()).nullable();
export const remoteConflictSchema = z.object({
  uid: z.string(),
  kind: z.enum(['tag', 'shape', 'track', 'issue', 'comment', 'job']),
  /** Local frame number; null for the stage. */
  frame: z.int().nullable(),
  label: z.string().nullable(),
  base: sideSchema,
  mine: sideSchema,
  theirs: sideSchema,
  /** Names both versions. A decision repeats it, so that it never applies to a version that the user did not see. */
  version: z.string(),
});
export type RemoteConflict = z.infer<typeof remoteConflictSchema>;

export const remoteComparisonSchema = z.object({
  job: remoteJobSchema,
  state: z.enum(['out', 'changed_here', 'changed_there', 'both']),
  here: differenceSchema,
  there: differenceSchema,
  conflicts: z.array(remoteConflictSchema),
});
export type RemoteComparison = z.infer<typeof remoteComparisonSchema>;

export const remoteDecisionSchema = z.enum(['mine', 'theirs', 'both']);
export const remotePullWriteSchema = z.object({
  /** Only counts the changes. */
  dry_run: z.boolean().default(false),
  decisions: z
    .array(z.object({ uid: z.string().max(200), version: z.string().max(100), decision: remoteDecisionSchema }))
    .max(300_000)
    .default([]),
});
export type RemotePullWrite = z.infer<typeof remotePullWriteSchema>;
export const remotePushWriteSchema = z.object({ dry_run: z.boolean().default(false) });
export type RemotePushWrite = z.infer<typeof remotePushWriteSchema>;

/** Result of a pull or a push, which are background requests. */
export const remoteResultSchema = z.object({
  action: z.enum(['pull', 'push']),
  job: remoteJobSchema,
  /**
   * Changes of the end that was written to: the local job of a pull, the server's job of a push. All are zero while there
   * are conflicts. After an interrupted push, only the rest counts.
   */
  changed: differenceSchema,
  /** Changes of other users, which a push leaves unchanged. */
  kept: differenceSchema,
  /** Objects that changed on both ends without a decision. */
  conflicts: z.array(remoteConflictSchema),
});
export type RemoteResult = z.infer<typeof remoteResultSchema>;
