import type { ActivityEvent } from '../../preload/contract/schema/activity.ts';
import { openEvents, eventColumns, type EventRepository, type EventFilter } from './event-repository.ts';
import { countEvents, type Counted, type CountJob } from './count-events.ts';
import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import { harmlessCell } from '../platform/spreadsheet-cells.ts';
import type { JobRun } from '../platform/worker-job.ts';

/** Complete days, so that the page shows no partial day. */
const dayMs = 24 * 3_600_000;

function withEvents<Result>(file: string, use: (events: EventRepository) => Result): Result {
  const events = openEvents(file);
  try {
    return use(events);
  } finally {
    events.close();
  }
}

/** Creates the volume if it does not exist. */
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

/**
 * Deletes the oldest days until the rest is within the age and size limits; today is kept. Returns the number of
 * deleted days.
 */
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

export interface ExportEventsJob {
  readonly file: string;
  readonly filter: EventFilter;
  readonly destination: string;
}

const columns = eventColumns.flatMap((name) => (name === 'source' ? ([name, 'timestamp'] as const) : [name]));

/** Exports matching events as CSV. Returns their number. */
export async function exportEvents({ file, filter, destination }: ExportEventsJob, run: JobRun): Promise<number> {
  const out = createWriteStream(destination, { mode: 0o600 });
  const put = async (fields: readonly unknown[]) => {
    if (!out.write(`${fields.map(csvField).join(',')}\r\n`)) await once(out, 'drain');
  };
  const events = openEvents(file);
  let count = 0;
  try {
    await put(columns);
    for (const event of events.read(filter)) {
      run.checkCancelled();
      count += 1;
      await put(columns.map((column) => event[column]));
    }
  } finally {
    events.close();
    out.end();
    await finished(out);
  }
  return count;
}

/** RFC 4180. Protects against formulas, because users open the file in spreadsheets. */
function csvField(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return String(value);
  const harmless = harmlessCell(String(value));
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
