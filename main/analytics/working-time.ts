import type { ActivityEvent } from '../../preload/contract/schema/activity.ts';
import { workingTimeScope } from './hourly-row.ts';

/** A longer pause does not count as working time. */
const longestPauseMs = 100_000;
/** Its duration counts as well, because one event stands for many frame changes. */
const lastingScope = 'change:frame';

const startOf = ({ timestamp }: ActivityEvent): number => Date.parse(timestamp);
const endOf = (event: ActivityEvent): number =>
  startOf(event) + (event.scope === lastingScope ? Math.max(0, event.duration) : 0);
const placeOf = ({ job_id: job, task_id: task, project_id: project }: ActivityEvent) =>
  [job ?? null, task ?? null, project ?? null] as const;

/** Computes working time as CVAT does: a pause of less than 100 s counts for the place of the event before it. */
export function workingTime(events: readonly ActivityEvent[], previous: ActivityEvent | null): ActivityEvent[] {
  const [first] = events;
  if (first === undefined) return [];
  let reached = previous ? endOf(previous) : startOf(first);
  let place = placeOf(previous ?? first);
  const found = new Map<string, { ms: number; readonly place: typeof place; readonly first: ActivityEvent }>();
  for (const event of events) {
    const pauseMs = startOf(event) - reached;
    const sum = found.get(place.join()) ?? { ms: 0, place, first: event };
    if (pauseMs > 0 && pauseMs < longestPauseMs) sum.ms += pauseMs;
    reached = Math.max(reached, startOf(event));
    sum.ms += Math.max(0, endOf(event) - reached);
    reached = Math.max(reached, endOf(event));
    found.set(place.join(), sum);
    place = placeOf(event);
  }
  return [...found.values()].flatMap(({ ms, place: [job, task, project], first: event }): ActivityEvent[] => {
    if (ms === 0) return [];
    const { timestamp, user_id, user_name, user_email, org_id, org_slug } = event;
    return [
      {
        scope: workingTimeScope,
        obj_name: 'working_time',
        obj_val: String(ms),
        source: 'server',
        timestamp,
        count: 1,
        duration: 0,
        job_id: job,
        task_id: task,
        project_id: project,
        user_id,
        user_name,
        user_email,
        org_id,
        org_slug,
      },
    ];
  });
}
