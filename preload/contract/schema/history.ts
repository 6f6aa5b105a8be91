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
  /** With its jobs, issues and comments. */
  task_id: id.optional(),
  job_id: id.optional(),
  /** Who did it. */
  user_id: id.optional(),
  kind: z.enum(historyKinds).optional(),
  action: z.enum(historyActions).optional(),
  /** A part of the name of what was changed, or of who did it. */
  search: z.string().trim().max(200).optional(),
  /** Entries older than this one. */
  before: id.optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});
export type HistoryQuery = z.output<typeof historyQuerySchema>;

export const historyEntrySchema = z.object({
  id: z.int(),
  created_date: dateTimeSchema,
  /** Null for what was done in the background for somebody who was gone. */
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
  /** Of an update. People stand by their user names: `assignee`, not `assignee_id`. */
  changes: z.array(z.object({ field: z.string(), from: z.unknown(), to: z.unknown() })),
});
export type HistoryEntry = z.infer<typeof historyEntrySchema>;
export type HistoryKind = HistoryEntry['kind'];
export type HistoryAction = HistoryEntry['action'];

export const historySchema = z.object({
  /** The newest first. */
  results: z.array(historyEntrySchema),
  /** There are older ones. */
  more: z.boolean(),
});
export type History = z.infer<typeof historySchema>;
