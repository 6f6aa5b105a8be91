import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import { harmlessCell } from '../../platform/spreadsheet-cells.ts';
import type { JobRun } from '../../platform/worker-job.ts';
import { eventColumns, openEvents, type EventFilter } from './event-repository.ts';

export interface ExportEventsJob {
  readonly file: string;
  readonly filter: EventFilter;
  readonly destination: string;
}

const columns = eventColumns.flatMap((name) => (name === 'source' ? ([name, 'timestamp'] as const) : [name]));

/** Writes the events that the filter lets through as CSV; answers how many. */
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

/** RFC 4180. People open it in spreadsheets. */
function csvField(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return String(value);
  const harmless = harmlessCell(String(value));
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
