import { z } from 'zod';
import { dateTimeSchema } from './common.ts';

const text = (maxLength: number) => z.string().max(maxLength).nullable().optional();
const number = z.int().nullable().optional();

/** Events that clients may send; the service records all others. */
export const clientScopes: ReadonlySet<string> = new Set(
  (
    'load:cvat load:job save:job restore:job upload:annotations send:exception send:task_info draw:object ' +
    'paste:object copy:object propagate:object drag:object resize:object delete:object lock:object merge:objects ' +
    'split:objects group:objects slice:object join:objects change:attribute change:label change:frame zoom:image ' +
    'fit:image rotate:image action:undo action:redo debug:info run:annotations_action click:element'
  ).split(' '),
);

export const activityEventSchema = z.object({
  /** For example `draw:object`. */
  scope: z.string().min(1, 'This field may not be blank.').max(128),
  obj_name: text(128),
  obj_id: number,
  obj_val: text(4096),
  source: text(128),
  timestamp: dateTimeSchema,
  count: number,
  duration: z.int().default(0),
  project_id: number,
  task_id: number,
  job_id: number,
  user_id: number,
  user_name: text(256),
  user_email: text(256),
  org_id: number,
  org_slug: text(256),
  /** JSON text. */
  payload: text(65_536),
});
export type ActivityEvent = z.infer<typeof activityEventSchema>;

export const clientEventsSchema = z.object({
  events: z.array(activityEventSchema).max(10_000).default([]),
  timestamp: dateTimeSchema,
});
export type ClientEvents = z.infer<typeof clientEventsSchema>;
export const clientEventsWriteSchema = clientEventsSchema.extend({
  previous_event: activityEventSchema.nullable().optional(),
});

export const startedEventsSchema = z.object({ query_id: z.string() });
