import { z } from 'zod';
import { basicUserSchema, collectionSummarySchema, dateTimeSchema } from './common.ts';

export const issueSchema = z.object({
  id: z.int(),
  frame: z.int(),
  /** x, y pairs in image pixels. */
  position: z.array(z.number()),
  job: z.int(),
  owner: basicUserSchema.nullable(),
  assignee: basicUserSchema.nullable(),
  created_date: dateTimeSchema.nullable(),
  updated_date: dateTimeSchema.nullable(),
  resolved: z.boolean(),
  comments: collectionSummarySchema,
});
export type Issue = z.infer<typeof issueSchema>;

const position = z.array(z.number()).max(2000);
const message = z.string().trim().min(1, 'This field may not be blank.').max(65_536);

export const issueWriteSchema = z.object({
  frame: z.int().nonnegative(),
  position,
  job: z.int(),
  /** Becomes the first comment. */
  message,
  assignee: z.int().nullable().optional(),
  resolved: z.boolean().default(false),
});
export const issuePatchSchema = z.object({ position, assignee: z.int().nullable(), resolved: z.boolean() }).partial();

export const commentSchema = z.object({
  id: z.int(),
  issue: z.int(),
  owner: basicUserSchema.nullable(),
  message: z.string(),
  created_date: dateTimeSchema,
  updated_date: dateTimeSchema,
});
export type Comment = z.infer<typeof commentSchema>;
export const commentWriteSchema = z.object({ issue: z.int(), message });
export const commentPatchSchema = z.object({ message }).partial();

export const guideSchema = z.object({
  id: z.int(),
  task_id: z.int().nullable(),
  project_id: z.int().nullable(),
  created_date: dateTimeSchema,
  updated_date: dateTimeSchema,
  markdown: z.string(),
});
export type Guide = z.infer<typeof guideSchema>;
const markdown = z.string().max(1_000_000);
export const guideWriteSchema = z.object({
  task_id: z.int().nullable().optional(),
  project_id: z.int().nullable().optional(),
  markdown: markdown.default(''),
});
export const guidePatchSchema = z
  .object({
    markdown,
    /** Only the ids that the guide has, because a guide cannot be moved. */
    task_id: z.int().nullable(),
    project_id: z.int().nullable(),
    /**
     * Limner extension: `updated_date` of the text that the user edited. A newer text of another user is not
     * overwritten (409).
     */
    limner_based_on: dateTimeSchema,
  })
  .partial();

export const assetSchema = z.object({
  uuid: z.uuid(),
  filename: z.string(),
  created_date: dateTimeSchema,
  owner: basicUserSchema.nullable(),
  guide_id: z.int(),
});
export type Asset = z.infer<typeof assetSchema>;
