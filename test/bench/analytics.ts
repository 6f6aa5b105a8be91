import { join } from 'node:path';
import type { ActivityEvent } from '../../preload/contract/schema/activity.ts';
import { countEvents } from '../../main/analytics/count-events.ts';
import { openEvents } from '../../main/analytics/event-repository.ts';
import { below, createRandom } from '../support/random.ts';
import type { BenchOptions } from './support/options.ts';
import { asRatio, inMilliseconds, median } from './support/statistics.ts';
import { printNote, printTable } from './support/table.ts';
import { withWorkspace } from './support/workspace.ts';

const eventCount = 5_000_000;
const batchSize = 5000;
const days = 365;
const dayMs = 86_400_000;

/** Compares the numbers of the page, from one year of events, with one count of the raw rows. */
export async function bench({ scale, rounds }: BenchOptions): Promise<void> {
  await withWorkspace((folder) => {
    const count = Math.round(eventCount * scale);
    const startMs = Date.parse('2026-01-01');
    const file = join(folder, 'events.sqlite');
    const volume = openEvents(file);
    const make = makeEvent(startMs, count);
    const began = performance.now();
    for (let at = 0; at < count; at += batchSize) {
      volume.insert(Array.from({ length: Math.min(batchSize, count - at) }, (_, index) => make(at + index)));
    }
    const insertMs = performance.now() - began;
    const filter = { fromMs: startMs, toMs: startMs + (days + 1) * dayMs };
    const wanted = [
      { name: 'anchor: the raw rows, counted', run: () => void volume.extent() },
      {
        name: 'all numbers of the page, a year',
        run: () => countEvents(volume, { filter, timeZone: 'Europe/Berlin' }),
      },
      {
        name: 'of one project and one person',
        run: () => countEvents(volume, { filter: { ...filter, projectId: 1, userId: 1 }, timeZone: 'Europe/Berlin' }),
      },
      {
        name: 'of the last 30 days',
        run: () =>
          countEvents(volume, { filter: { ...filter, fromMs: filter.toMs - 31 * dayMs }, timeZone: 'Europe/Berlin' }),
      },
    ];
    const times = wanted.map(({ run }) =>
      Array.from({ length: rounds ?? 7 }, () => {
        const start = performance.now();
        run();
        return performance.now() - start;
      }),
    );
    const anchor = median(times[0] ?? []);
    const { bytes } = volume.extent();
    volume.close();
    printTable(
      `Analytics: ${count.toLocaleString('en-US')} events`,
      ['', 'p50', 'max', 'ratio'],
      wanted.map(({ name }, index) => {
        const all = times[index] ?? [];
        return [name, inMilliseconds(median(all)), inMilliseconds(Math.max(...all)), asRatio(median(all), anchor)];
      }),
    );
    printNote(
      `Kept in ${(insertMs / 1000).toFixed(0)} s, ${((1000 * insertMs) / count).toFixed(1)} µs an event; ` +
        `${Math.round(bytes / 1e6)} MB. 20 people, 10 projects, 8 labels.`,
    );
    return Promise.resolve();
  });
}

/** Events of users who each work on one project at a time, during working hours. */
function makeEvent(startMs: number, count: number): (index: number) => ActivityEvent {
  const random = createRandom(1);
  const kinds = ['rectangle', 'polygon', 'mask', 'points'];
  return (index) => {
    const day = Math.floor((index / count) * days);
    const user = 1 + below(random, 20);
    const common = {
      timestamp: new Date(startMs + day * dayMs + 8 * 3_600_000 + below(random, 9 * 3_600_000)).toISOString(),
      user_id: user,
      user_name: `person ${user}`,
      project_id: 1 + ((user + Math.floor(day / 7)) % 10),
      task_id: 1 + below(random, 100),
      job_id: 1 + below(random, 300),
      count: 1,
      duration: 0,
    };
    const kind = kinds[below(random, kinds.length)] ?? '';
    const what = below(random, 10);
    if (what < 3) return { ...common, scope: 'change:frame', source: 'client', duration: 200 };
    if (what < 5) return { ...common, scope: 'draw:object', source: 'client', obj_name: kind, duration: 4000 };
    if (what < 8) {
      const payload = JSON.stringify({
        label_id: 1 + below(random, 8),
        source: below(random, 3) === 0 ? 'auto' : 'manual',
      });
      return { ...common, scope: 'create:shapes', source: 'server', obj_name: kind, payload };
    }
    if (what === 8) return { ...common, scope: 'zoom:image', source: 'client' };
    return { ...common, scope: 'send:working_time', source: 'server', obj_name: 'working_time', obj_val: '12000' };
  };
}
