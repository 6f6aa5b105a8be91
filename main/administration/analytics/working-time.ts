import type { ActivityEvent } from '../../../preload/contract/schema/activity.ts';
import { workingTimeScope } from './hourly-row.ts';

/** A longer pause is none of the work. */
const longestPauseMs = 100_000;
/** Its duration counts, too: many of them are told as one. */
const lastingScope = 'change:frame';

const startOf = ({ timestamp }: ActivityEvent): number => Date.parse(timestamp);
const endOf = (event: ActivityEvent): number =>
  startOf(event) + (event.scope === lastingScope ? Math.max(0, event.duration) : 0);
const placeOf = ({ job_id: job, task_id: task, project_id: project }: ActivityEvent) =>
  [job ?? null, task ?? null, project ?? null] as const;

/**
 * How long somebody worked, from the times of what they did, as CVAT computes it: the pause before an event counts for
 * where the event before it happened, if it is shorter than 100 s.
 */
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
