import type { ActivityEvent } from '../../../preload/contract/schema/activity.ts';
import { openEvents, type EventRepository } from './event-repository.ts';
import { countEvents, type Counted, type CountJob } from './count-events.ts';

/** Whole days, so that no day on the page is halved. */
const dayMs = 24 * 3_600_000;

function withEvents<Result>(file: string, use: (events: EventRepository) => Result): Result {
  const events = openEvents(file);
  try {
    return use(events);
  } finally {
    events.close();
  }
}

/** Makes the volume where it is not there. */
export const keepEvents = ({ file, events }: { readonly file: string; readonly events: readonly ActivityEvent[] }) =>
  withEvents(file, (volume) => volume.insert(events));

export type EventExtent = ReturnType<EventRepository['extent']>;
export const measureEvents = ({ file }: { readonly file: string }): EventExtent =>
  withEvents(file, (volume) => volume.extent());

export const countEventsOf = ({ file, ...job }: CountJob & { readonly file: string }): Counted =>
  withEvents(file, (volume) => countEvents(volume, job));

export interface TrimJob {
  readonly file: string;
  readonly nowMs: number;
  readonly keptDays: number;
  readonly maxBytes: number;
}

/** The oldest days go, until the rest is neither too old nor too large; today stays. Answers how many days went. */
export const trimEvents = ({ file, nowMs, keptDays, maxBytes }: TrimJob): number =>
  withEvents(file, (volume) => {
    const today = Math.floor(nowMs / dayMs);
    for (let days = 0; ; days += 1) {
      const { first, bytes } = volume.extent();
      const oldest = first === null ? today : Math.floor(first / dayMs);
      if (oldest >= today || (oldest >= today - keptDays && bytes <= maxBytes)) return days;
      while (volume.removeBefore((oldest + 1) * dayMs));
    }
  });
