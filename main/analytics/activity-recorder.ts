import type { LabeledData } from '../../preload/contract/schema/annotations.ts';
import type { Actor } from '../users/access/actor.ts';
import type { RequestRunner } from '../background-requests/request-queue.ts';
import type { RequestRepository } from '../background-requests/request-repository.ts';
import type { AnnotationFollower } from '../work/annotations/annotation-feed.ts';
import type { JobRepository } from '../work/jobs/job-repository.ts';
import type { ActivityEvent } from '../../preload/contract/schema/activity.ts';
import { causedBy, causingRequest } from '../platform/causing-request.ts';
import { withListener, type ChangeActor, type Changes, type Id, type Look, type Sight } from '../db/changes.ts';
import type { UserRepository } from '../users/accounts/user-repository.ts';

type Body = Readonly<Record<string, unknown>>;

export function createWorkNotes({
  isOn,
  add,
  event,
  jobs,
}: EventMaker & { readonly jobs: Pick<JobRepository, 'get'> }) {
  /** HTTP request ids by background request; lost on restart. */
  const causes = new Map<string, string | undefined>();
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
    add(
      alike(data).map(({ collection, type, labelId, source, count }) =>
        event(`${action}:${collection}`, userId, {
          ...place,
          obj_name: type,
          count,
          payload: { label_id: labelId, source },
        }),
      ),
    );
  };

  return {
    aboutAnnotations,
    aboutAccessToken(
      action: 'create' | 'update' | 'delete',
      userId: number,
      token: { id: number; name: string },
    ): void {
      if (!isOn()) return;
      add([event(`${action}:accesstoken`, userId, { obj_id: token.id, obj_name: token.name })]);
    },
    /** Wraps the repository: records an event for each request that ends. */
    ofRequests: (requests: RequestRepository): RequestRepository => ({
      ...requests,
      put(request) {
        causes.set(request.id, causingRequest());
        requests.put(request);
      },
      end(id, end) {
        const answer = requests.end(id, end);
        const row = isOn() ? requests.get(id) : undefined;
        if (row) {
          const place = { project_id: row.project_id, task_id: row.task_id, job_id: row.job_id };
          const where = { ...place, org_id: row.organization_id, obj_name: row.type };
          const duration = row.started_date === null ? 0 : Math.max(0, Date.now() - Date.parse(row.started_date));
          const told: EventMaker['event'] = (...of) => causedBy(causes.get(id), () => event(...of));
          const failure = told('send:exception', row.owner_id, {
            ...where,
            payload: { message: end.message.slice(0, 2000) },
          });
          add([
            told('complete:request', row.owner_id, { ...where, obj_val: end.status, duration }),
            ...(end.status === 'failed' ? [failure] : []),
          ]);
        }
        causes.delete(id);
        return answer;
      },
    }),
    /** Wraps the runners: their events name the HTTP request that started them. */
    ofRunners: (runners: Readonly<Record<string, RequestRunner>>): Record<string, RequestRunner> =>
      Object.fromEntries(
        Object.entries(runners).map(([type, runner]) => [
          type,
          (request, run) => causedBy(causes.get(request.id), () => runner(request, run)),
        ]),
      ),
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
            event('call:function', actor.userId, {
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

/** Timestamps change with every update; ignored. */
const dates: ReadonlySet<string> = new Set(['updated_date']);

interface Parts<Kind extends string> extends EventMaker {
  readonly looks: Readonly<Record<Kind, Look>>;
}

/**
 * Events of domain changes, recorded by a listener, so that services do not depend on analytics. Nothing is read while
 * analytics is off.
 */
export function createChangeNotes<Kind extends string>({ isOn, add, event, looks }: Parts<Kind>) {
  const numbered = (id: Id): number | null => (typeof id === 'number' ? id : null);
  const placeOf = ({ place }: Sight): Fields => ({
    project_id: place.projectId,
    org_id: place.organizationId,
    task_id: place.taskId,
    job_id: place.jobId,
  });
  const nameOf = ({ columns }: Sight): string | null => {
    const name = columns['name'] ?? columns['slug'] ?? columns['message'];
    return typeof name === 'string' ? name.slice(0, 128) : null;
  };
  /** Runs after the current transaction. `isSo` is false if the transaction was rolled back. */
  const afterwards = (isSo: () => boolean, events: readonly ActivityEvent[]): void =>
    queueMicrotask(() => {
      if (events.length > 0 && isSo()) add(events);
    });

  function updated({ userId }: ChangeActor, kind: Kind, id: Id, before: Sight, after: Sight): void {
    const changed = Object.entries(after.columns).filter(
      ([name, value]) => !dates.has(name) && JSON.stringify(value) !== JSON.stringify(before.columns[name]),
    );
    const place = placeOf(after);
    const events = changed.map(([name, value]) =>
      event(`update:${kind}`, userId, {
        ...place,
        obj_name: name,
        obj_val: text(value),
        payload: { old_value: before.columns[name] ?? null },
      }),
    );
    const isSo = () => {
      const now = looks[kind](id);
      return now === undefined || changed.every(([name, value]) => text(now.columns[name]) === text(value));
    };
    afterwards(isSo, events);
  }

  function told(action: 'create' | 'delete', actor: ChangeActor, kind: Kind, ids: readonly Id[]): void {
    for (const id of ids) {
      const sight = looks[kind](id);
      if (!sight) continue;
      if (action === 'delete') {
        // The kinds of parts are keys of the same snapshot table.
        for (const [part, partIds] of sight.parts?.() ?? []) told('delete', actor, part as Kind, partIds);
      }
      const fields = { ...placeOf(sight), obj_id: numbered(id), obj_name: nameOf(sight) };
      const isSo = () => (looks[kind](id) === undefined) === (action === 'delete');
      afterwards(isSo, [event(`${action}:${kind}`, actor.userId, fields)]);
    }
  }

  return {
    /** Wraps `changes` so that they are recorded as well. */
    listener: (changes: Changes<Kind>): Changes<Kind> => withListener({ isOn, looks, told, updated }, changes),
  };
}

const text = (value: unknown): string =>
  (typeof value === 'string' ? value : JSON.stringify(value ?? null)).slice(0, 4096);

export type Fields = Partial<Omit<ActivityEvent, 'scope' | 'timestamp' | 'payload'>> & { readonly payload?: object };

/** Creates events for listeners of domain changes. */
export interface EventMaker {
  /** While false, nothing is read. */
  readonly isOn: () => boolean;
  readonly add: (events: readonly ActivityEvent[]) => void;
  readonly event: (scope: string, userId: number | null, fields: Fields) => ActivityEvent;
}

/** Creates server events with the current time. Their payload names the causing HTTP request. */
export function createEventMaker(users: Pick<UserRepository, 'get'>): EventMaker['event'] {
  const by = (userId: number | null): Fields => {
    const user = userId === null ? undefined : users.get(userId);
    return { user_id: userId, user_name: user?.username ?? null, user_email: user?.email || null };
  };
  return (scope, userId, { payload, ...fields }) => {
    const request = causingRequest();
    const told = { ...payload, ...(request === undefined ? {} : { request: { id: request } }) };
    return {
      scope,
      timestamp: new Date(Date.now()).toISOString(),
      source: 'server',
      count: 1,
      duration: 0,
      ...by(userId),
      ...fields,
      payload: JSON.stringify(told),
    };
  };
}
