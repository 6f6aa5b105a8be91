import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openNewStore } from '../../support/new-store.ts';
import { createCallNumbers } from '../../../main/functions/numbers/call-numbers.ts';
import { createMinuteRepository } from '../../../main/functions/numbers/minute-repository.ts';
import { presentNumbers } from '../../../main/functions/numbers/present-numbers.ts';
import { createSilentLogger } from '../../../main/platform/log.ts';
import { createRandom } from '../../support/random.ts';
import { sharedFolder } from '../../support/temporary-folder.ts';

let nowMs = Date.parse('2026-06-01T12:00:00.000Z');
const database = openNewStore(join(sharedFolder(), 'store.sqlite'));
afterAll(() => database.close());

const open = () =>
  createCallNumbers({ rows: createMinuteRepository(database), log: createSilentLogger(), nowMs: () => nowMs });
const within = (value: number | null, exact: number, share: number): void =>
  expect(Math.abs((value ?? 0) / exact - 1)).toBeLessThan(share);

test('percentiles of calls are accurate to 3 %, by version, across a restart', () => {
  const random = createRandom(7);
  const times = Array.from({ length: 5000 }, () => 5 * Math.exp(3 * random()));
  let numbers = open();
  for (const [place, durationMs] of times.entries()) {
    if (place === 2500) {
      numbers.stop();
      numbers = open();
    }
    numbers.took({ functionId: 'eye', version: 2, durationMs, queueMs: 1, isError: false });
  }
  numbers.took({ functionId: 'eye', version: 2, durationMs: 0.2, queueMs: 0, isError: true });
  numbers.took({ functionId: 'eye', version: 1, durationMs: 40, queueMs: 30, isError: false });
  numbers.took({ functionId: 'other', version: 1, durationMs: 9, queueMs: 0, isError: false });
  numbers.saw({ functionId: 'eye', version: 2, cpuCores: null, memoryBytes: 100, gpuMemoryBytes: 900 });
  numbers.saw({ functionId: 'eye', version: 2, cpuCores: 1.5, memoryBytes: 70, gpuMemoryBytes: null });
  const { versions, points } = presentNumbers('eye', 1, numbers.since('eye', 1));
  const sorted = times.toSorted((a, b) => a - b);
  const [second, first] = versions;
  expect(second).toMatchObject({
    version: 2,
    call_count: 5001,
    error_count: 1,
    cpu_cores: 1.5,
    memory_bytes: 100,
    gpu_memory_bytes: 900,
  });
  within(second!.p50_ms, sorted[2499]!, 0.03);
  within(second!.p95_ms, sorted[4749]!, 0.03);
  within(second!.p99_ms, sorted[4949]!, 0.03);
  within(second!.mean_ms, times.reduce((sum, one) => sum + one, 0) / times.length, 1e-9);
  expect(second!.queue_ms).toBeCloseTo(1, 9);
  expect(first).toMatchObject({ version: 1, call_count: 1, queue_ms: 30, memory_bytes: null, gpu_memory_bytes: null });
  expect(points.map(({ version }) => version)).toEqual([1, 2]);
});

test('a point of a longer plot covers more time, and numbers are deleted after 30 days', () => {
  const numbers = open();
  for (let hour = 0; hour < 48; hour += 1) {
    numbers.took({ functionId: 'long', version: 1, durationMs: 10, queueMs: 0, isError: hour % 2 === 0 });
    nowMs += 3_600_000;
  }
  const shown = (hours: number) => presentNumbers('long', hours, numbers.since('long', hours));
  expect(shown(1)).toMatchObject({ step_minutes: 1, points: [{ call_count: 1 }] });
  expect(shown(24)).toMatchObject({ step_minutes: 15, versions: [{ call_count: 24, error_count: 12 }] });
  const month = shown(720);
  expect(month.points.length).toBeLessThanOrEqual(120);
  expect(month.points.reduce((sum, { call_count: count }) => sum + count, 0)).toBe(48);
  nowMs += 29 * 86_400_000;
  numbers.took({ functionId: 'other', version: 1, durationMs: 10, queueMs: 0, isError: false });
  expect(shown(720).versions).toMatchObject([{ call_count: 24 }]);
  nowMs += 2 * 86_400_000;
  numbers.took({ functionId: 'other', version: 1, durationMs: 10, queueMs: 0, isError: false });
  numbers.stop();
  expect(database.query("SELECT count(*) FROM model_minute WHERE function_id = 'long'").pluck().get()).toBe(0);
  numbers.forget('other');
  expect(numbers.since('other', 720)).toEqual([]);
});
