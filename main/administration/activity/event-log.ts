import { createReadStream } from 'node:fs';
import { appendFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { ActivityEvent } from '../../../preload/contract/schema/activity.ts';
import { createDurableFiles } from '../../platform/durable-files.ts';

const fileName = /^(\d{4}-\d{2}-\d{2})\.jsonl$/;

/** Where an event goes: one file a day, by the day on which it happened (UTC). */
const eventFile = (timestamp: string): string => `${new Date(timestamp).toISOString().slice(0, 10)}.jsonl`;

/** Appends events to the files of their days below `folder`, as JSON lines. They are on the disk then. */
export async function appendEvents(folder: string, events: readonly ActivityEvent[]): Promise<void> {
  if (events.length === 0) return;
  const disk = createDurableFiles();
  await disk.makeFolder(folder);
  for (const [name, ofDay] of Map.groupBy(events, ({ timestamp }) => eventFile(timestamp))) {
    const lines = ofDay.map((event) => `${JSON.stringify(event)}\n`).join('');
    await appendFile(join(folder, name), lines, { mode: 0o600 });
    disk.written(join(folder, name));
  }
  await disk.sync();
}

export interface EventPeriod {
  readonly fromMs: number;
  readonly toMs: number;
}

/** The events of a period, file by file and line by line. A line that a crash cut off is passed over. */
export async function* readEvents(folder: string, { fromMs, toMs }: EventPeriod): AsyncGenerator<ActivityEvent> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => isOfPeriod(name, { fromMs, toMs })).sort();
  for (const name of names) {
    const lines = createInterface({ input: createReadStream(join(folder, name)), crlfDelay: Infinity });
    for await (const line of lines) {
      const event = parsed(line);
      const timeMs = event === null ? Number.NaN : Date.parse(event.timestamp);
      if (event !== null && timeMs >= fromMs && timeMs <= toMs) yield event;
    }
  }
}

const dayMs = 24 * 60 * 60 * 1000;

function isOfPeriod(name: string, { fromMs, toMs }: EventPeriod): boolean {
  const day = fileName.exec(name)?.[1];
  if (day === undefined) return false;
  const startMs = Date.parse(day);
  return startMs <= toMs && startMs + dayMs > fromMs;
}

function parsed(line: string): ActivityEvent | null {
  try {
    // Written by `appendEvents`.
    return JSON.parse(line) as ActivityEvent;
  } catch {
    return null;
  }
}
