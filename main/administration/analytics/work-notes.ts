import type { LabeledData } from '../../../preload/contract/schema/annotations.ts';
import type { Actor } from '../../people/access/actor.ts';
import type { RequestRepository } from '../../requests/request-repository.ts';
import type { AnnotationFollower } from '../../work/annotations/annotation-news.ts';
import type { JobRepository } from '../../work/jobs/job-repository.ts';
import type { EventMaker } from './event-maker.ts';

type Body = Readonly<Record<string, unknown>>;

/** Events of annotations, requests and calls of functions. */
export function createWorkNotes({
  isOn,
  add,
  event,
  jobs,
}: EventMaker & { readonly jobs: Pick<JobRepository, 'get'> }) {
  /** One event for objects of a job that are alike in kind, label and source. */
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
          payload: JSON.stringify({ label_id: labelId, source }),
        }),
      ),
    );
  };

  return {
    aboutAnnotations,
    /** The repository, with an event for each request that ends. */
    ofRequests: (requests: RequestRepository): RequestRepository => ({
      ...requests,
      end(id, end) {
        const answer = requests.end(id, end);
        const row = isOn() ? requests.get(id) : undefined;
        if (row) {
          const place = { project_id: row.project_id, task_id: row.task_id, job_id: row.job_id };
          const where = { ...place, org_id: row.organization_id, obj_name: row.type };
          const duration = row.started_date === null ? 0 : Math.max(0, Date.now() - Date.parse(row.started_date));
          const failure = event('send:exception', row.owner_id, {
            ...where,
            payload: JSON.stringify({ message: end.message.slice(0, 2000) }),
          });
          add([
            event('complete:request', row.owner_id, { ...where, obj_val: end.status, duration }),
            ...(end.status === 'failed' ? [failure] : []),
          ]);
        }
        return answer;
      },
    }),
    /** The call of a function, with an event for each. */
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
  /** Null: a tag. */
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
