import { z } from 'zod';
import { labelSchema } from '../../preload/contract/schema/labels.ts';
import { jobStages, jobStates } from '../../preload/contract/schema/resources.ts';

/** The parts of a server's answers in use. Other keys differ between versions and are ignored. */
const user = z.object({ username: z.string() }).nullish();
const optionalId = z.int().nullish();
const media = { dimension: z.string().nullish(), media_type: z.string().nullish(), mode: z.string().nullish() };

export const aboutAnswer = z.object({ version: z.string() });
export const selfAnswer = z.object({ id: z.int(), username: z.string() });
export const organizationAnswer = z.object({
  id: z.int(),
  slug: z.string(),
  name: z.string().nullish(),
  updated_date: z.string().nullish(),
});
export const projectAnswer = z.object({
  ...media,
  id: z.int(),
  name: z.string(),
  assignee: user,
  updated_date: z.string(),
  tasks: z.object({ count: z.int() }),
  guide_id: optionalId,
  status: z.string().nullish(),
});
export const taskAnswer = z.object({
  ...media,
  id: z.int(),
  name: z.string(),
  project_id: optionalId,
  project_name: z.string().nullish(),
  assignee: user,
  updated_date: z.string(),
  size: z.int().nullish(),
  jobs: z.object({ count: z.int() }),
  status: z.string().nullish(),
});
export const jobAnswer = z.object({
  ...media,
  id: z.int(),
  task_id: z.int(),
  task_name: z.string().nullish(),
  project_id: optionalId,
  project_name: z.string().nullish(),
  assignee: user,
  guide_id: optionalId,
  updated_date: z.string(),
  stage: z.enum(jobStages),
  state: z.enum(jobStates),
  type: z.string(),
  start_frame: z.int(),
  stop_frame: z.int(),
  frame_count: z.int().nullish(),
});
export type JobAnswer = z.output<typeof jobAnswer>;
export const metaAnswer = z.object({
  size: z.int(),
  start_frame: z.int(),
  stop_frame: z.int(),
  frames: z.array(z.object({ name: z.string(), related_files: z.int().nullish() })).nullable(),
  deleted_frames: z.array(z.int()),
  included_frames: z.array(z.int()).nullish(),
});
export type MetaAnswer = z.output<typeof metaAnswer>;
export const labelAnswer = labelSchema.extend({
  parent_id: z
    .int()
    .nullish()
    .transform((id) => id ?? null),
});
export const issueAnswer = z.object({
  id: z.int(),
  frame: z.int(),
  position: z.array(z.number()),
  resolved: z.boolean(),
});
export const commentAnswer = z.object({ id: z.int(), issue: z.int(), message: z.string(), owner: user });
export const guideAnswer = z.object({ markdown: z.string() });
export const requestAnswer = z.object({ status: z.string(), message: z.string().nullish() });
export const startedAnswer = z.object({ rq_id: z.string() });
export const createdAnswer = z.object({ id: z.int() });
export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ count: z.int(), next: z.string().nullish(), results: z.array(item) });
