import type { LabeledData } from '../../preload/contract/schema/annotations.ts';
import type { Actor } from '../users/access/actor.ts';
import type { RequestEndListener } from '../background-requests/request-repository.ts';
import type { AnnotationFollower } from '../work/annotations/annotation-feed.ts';
import type { JobRepository } from '../work/tables/job-repository.ts';
import type { ActivityEvent } from '../../preload/contract/schema/activity.ts';
import { defined } from '../platform/defined.ts';
import { causingRequest } from '../platform/causing-request.ts';
import { nameIn, sortedByKind, type ChangeListener } from '../db/changes.ts';
import { eventResources, type EventResource } from '../webhooks/events/event-recorder.ts';
import type { UserRepository, UserRow } from '../users/accounts/user-repository.ts';

type Body = Readonly<Record<string, unknown>>;

export function createWorkNotes({ isOn, add, by, jobs }: EventMaker & { readonly jobs: Pick<JobRepository, 'get'> }) {
  /** Creates one event for objects of a job with the same kind, label and source. */
  const aboutAnnotations: AnnotationFollower = ({ jobId, userId, action }, data) => {
    if (!isOn() || data === null) return;
    const job = jobs.get(jobId);
    if (!job) return;
    const place = {
      project_id: job.project_id,
      task_id: job.task_id,
      job_id: jobId,
      org_id: job.organization_id,
    };
    const event = by(userId);
    add(
      alike(data).map(({ collection, type, labelId, source, count }) =>
        event(`${action}:${collection}`, {
          ...place,
          obj_name: type,
          count,
          payload: { label_id: labelId, source },
        }),
      ),
    );
  };

  /** Records an event for each background request that ends. */
  const aboutRequests: RequestEndListener = (row, { status, message }) => {
    if (!isOn()) return;
    const place = { project_id: row.project_id, task_id: row.task_id, job_id: row.job_id };
    const where = { ...place, org_id: row.organization_id, obj_name: row.type };
    const duration = row.started_date === null ? 0 : Math.max(0, Date.now() - Date.parse(row.started_date));
    const event = by(row.owner_id);
    const events = [event('complete:request', { ...where, obj_val: status, duration })];
    if (status === 'failed')
      events.push(event('send:exception', { ...where, payload: { message: message.slice(0, 2000) } }));
    add(events);
  };

  return {
    aboutAnnotations,
    aboutRequests,
    aboutAccessToken(
      action: 'create' | 'update' | 'delete',
      userId: number,
      token: { id: number; name: string },
    ): void {
      if (!isOn()) return;
      add([by(userId)(`${action}:accesstoken`, { obj_id: token.id, obj_name: token.name })]);
    },
    /** Wraps function calls: records an event for each. */
    ofCalls:
      <Rest extends unknown[], Answer>(
        call: (actor: Actor, id: string, body: Body, ...rest: Rest) => Promise<Answer>,
      ) =>
      async (actor: Actor, id: string, body: Body, ...rest: Rest): Promise<Answer> => {
        if (!isOn()) return call(actor, id, body, ...rest);
        const startMs = Date.now();
        let outcome = 'failed';
        try {
          const answer = await call(actor, id, body, ...rest);
          outcome = 'finished';
          return answer;
        } finally {
          const job = jobs.get(Number(body['job']));
          add([
            by(actor.userId)('call:function', {
              obj_name: id.slice(0, 128),
              obj_val: outcome,
              duration: Math.max(0, Date.now() - startMs),
              project_id: job?.project_id ?? null,
              task_id: job?.task_id ?? (Number.isInteger(body['task']) ? Number(body['task']) : null),
              job_id: job?.id ?? null,
              org_id: job?.organization_id ?? null,
            }),
          ]);
        }
      },
  };
}

interface Alike {
  readonly collection: 'shapes' | 'tags' | 'tracks';
  /** Null for a tag. */
  readonly type: string | null;
  readonly labelId: number;
  readonly source: string;
  count: number;
}

function alike({ shapes, tags, tracks }: LabeledData): Alike[] {
  const found = new Map<string, Alike>();
  const note = (collection: Alike['collection'], type: string | null, labelId: number, source: string) => {
    const key = `${collection} ${type} ${labelId} ${source}`;
    const known = found.get(key);
    if (known) known.count += 1;
    else found.set(key, { collection, type, labelId, source, count: 1 });
  };
  for (const shape of shapes) note('shapes', shape.type, shape.label_id, shape.source);
  for (const tag of tags) note('tags', null, tag.label_id, tag.source);
  for (const track of tracks) note('tracks', track.shapes[0]?.type ?? null, track.label_id, track.source);
  return [...found.values()];
}

/**
 * Listener that records events of domain changes, so that services do not depend on analytics. Nothing is read while
 * analytics is off.
 */
export const createChangeNotes = ({ isOn, add, by }: EventMaker): ChangeListener<EventResource> => ({
  // Accounts are not work, and their changes would store e-mail addresses.
  wants: ({ onlyDates, kind }) => onlyDates !== true && kind !== 'user' && isOn(),
  record({ userId }, changes) {
    if (!isOn()) return undefined;
    const event = by(userId);
    const events = sortedByKind(changes, eventResources).flatMap(({ action, kind, id, snapshot, update }) => {
      if (kind === 'user') return [];
      const { projectId, organizationId, taskId, jobId } = snapshot.place();
      const place = { project_id: projectId, org_id: organizationId, task_id: taskId, job_id: jobId };
      if (update) {
        return Object.entries(update.columns)
          .filter(([name]) => name !== 'updated_date')
          .map(([name, { from, to }]) =>
            event(`update:${kind}`, {
              ...place,
              obj_name: name,
              obj_val: text(to),
              payload: { old_value: from ?? null },
            }),
          );
      }
      const fields = {
        ...place,
        obj_id: typeof id === 'number' ? id : null,
        obj_name: nameIn(snapshot).slice(0, 128) || null,
      };
      return [event(`${action}:${kind}`, fields)];
    });
    return events.length === 0 ? undefined : () => add(events);
  },
});

const text = (value: unknown): string =>
  (typeof value === 'string' ? value : JSON.stringify(value ?? null)).slice(0, 4096);

export type Fields = Partial<Omit<ActivityEvent, 'scope' | 'timestamp' | 'payload'>> & { readonly payload?: object };

/** Creates events for listeners of domain changes. */
export interface EventMaker {
  /** While false, nothing is read. */
  readonly isOn: () => boolean;
  readonly add: (events: readonly ActivityEvent[]) => void;
  /** Reads the user once for all of their events. */
  readonly by: (userId: number | null) => (scope: string, fields: Fields) => ActivityEvent;
}

/** Creates server events with the current time. Their payload names the causing HTTP request. */
export const createEventMaker =
  (users: Pick<UserRepository, 'get'>): EventMaker['by'] =>
  (userId) => {
    let user: UserRow | undefined;
    return (scope, { payload, ...fields }) => {
      if (userId !== null) user ??= users.get(userId);
      const request = causingRequest();
      const told = { ...payload, ...defined({ request: request === undefined ? undefined : { id: request } }) };
      return {
        scope,
        timestamp: new Date(Date.now()).toISOString(),
        source: 'server',
        count: 1,
        duration: 0,
        user_id: userId,
        user_name: user?.username ?? null,
        user_email: user?.email || null,
        ...fields,
        payload: JSON.stringify(told),
      };
    };
  };
