import { z } from 'zod';
import { dateTimeSchema } from './common.ts';

const historyActions = ['create', 'update', 'delete'] as const;
export const historyKinds = [
  'project',
  'task',
  'job',
  'issue',
  'comment',
  'organization',
  'membership',
  'invitation',
] as const;

const id = z.coerce.number().int().positive();

export const historyQuerySchema = z.object({
  project_id: id.optional(),
  /** Includes the task's jobs, issues and comments. */
  task_id: id.optional(),
  job_id: id.optional(),
  user_id: id.optional(),
  kind: z.enum(historyKinds).optional(),
  action: z.enum(historyActions).optional(),
  /** Part of the name of the changed object or of the user. */
  search: z.string().trim().max(200).optional(),
  /** Only entries older than this one. */
  before: id.optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});
export type HistoryQuery = z.output<typeof historyQuerySchema>;

export const historyEntrySchema = z.object({
  id: z.int(),
  created_date: dateTimeSchema,
  /** Null for background work of a user who no longer exists. */
  user_id: z.int().nullable(),
  username: z.string(),
  action: z.enum(historyActions),
  kind: z.enum(historyKinds),
  object_id: z.string(),
  name: z.string(),
  project_id: z.int().nullable(),
  task_id: z.int().nullable(),
  job_id: z.int().nullable(),
  organization_id: z.int().nullable(),
  /** Changed fields of an update. Users are given by name: `assignee`, not `assignee_id`. */
  changes: z.array(z.object({ field: z.string(), from: z.unknown(), to: z.unknown() })),
});
export type HistoryEntry = z.infer<typeof historyEntrySchema>;
export type HistoryKind = HistoryEntry['kind'];
export type HistoryAction = HistoryEntry['action'];

export const historySchema = z.object({
  /** Newest first. */
  results: z.array(historyEntrySchema),
  more: z.boolean(),
});
export type History = z.infer<typeof historySchema>;
