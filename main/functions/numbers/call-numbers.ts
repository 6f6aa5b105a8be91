import type { Logger } from '../../platform/log.ts';
import type { MinuteRepository, MinuteRow } from './minute-repository.ts';
import { addToSteps, mergeSteps, type Steps } from './duration-histogram.ts';

export const keptDays = 30;
const minuteMs = 60_000;
const minutesOfDay = 24 * 60;
/** Maximum time of statistics that a crash can lose. */
const flushMs = 10_000;

export interface CallTaken {
  readonly functionId: string;
  readonly version: number;
  readonly durationMs: number;
  /** Part of the time before the call was sent to the function. */
  readonly queueMs: number;
  readonly isError: boolean;
}

export interface UseSeen {
  readonly functionId: string;
  readonly version: number;
  readonly cpuCores: number | null;
  readonly memoryBytes: number;
  /** Over all GPUs; null if the driver does not report it. */
  readonly gpuMemoryBytes: number | null;
}

/** Unwritten part of a minute; maxima for resource use. */
type Pending = { -readonly [Name in keyof Omit<MinuteRow, 'steps'>]: MinuteRow[Name] } & {
  readonly steps: Record<string, number>;
};

const most = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.max(a, b);

export type CallNumbers = ReturnType<typeof createCallNumbers>;

/** Counts calls in memory and writes them some seconds later, so that a call causes no write. */
export function createCallNumbers({
  rows,
  log,
  nowMs = Date.now,
}: {
  readonly rows: MinuteRepository;
  readonly log: Logger;
  readonly nowMs?: () => number;
}) {
  const pending = new Map<string, Pending>();
  let timer: NodeJS.Timeout | null = null;

  const minuteNow = (): number => Math.floor(nowMs() / minuteMs);

  function of(functionId: string, version: number): Pending {
    const minute = minuteNow();
    const key = JSON.stringify([functionId, version, minute]);
    const known = pending.get(key);
    if (known) return known;
    const calls = { call_count: 0, error_count: 0, steps: {}, total_ms: 0, queue_ms: 0 };
    const use = { cpu_cores: null, memory_bytes: null, gpu_memory_bytes: null };
    const fresh: Pending = { function_id: functionId, version, minute, ...calls, ...use };
    pending.set(key, fresh);
    timer ??= setTimeout(() => {
      timer = null;
      flush();
    }, flushMs).unref();
    return fresh;
  }

  function write(one: Pending): void {
    const before = rows.get(one.function_id, one.version, one.minute);
    const steps = before ? mergeSteps([JSON.parse(before.steps) as Steps, one.steps]) : one.steps;
    const sum = (of: 'call_count' | 'error_count' | 'total_ms' | 'queue_ms') => (before?.[of] ?? 0) + one[of];
    const highest = (of: 'cpu_cores' | 'memory_bytes' | 'gpu_memory_bytes') => most(before?.[of] ?? null, one[of]);
    rows.put({
      ...one,
      call_count: sum('call_count'),
      error_count: sum('error_count'),
      steps: JSON.stringify(steps),
      total_ms: sum('total_ms'),
      queue_ms: sum('queue_ms'),
      cpu_cores: highest('cpu_cores'),
      memory_bytes: highest('memory_bytes'),
      gpu_memory_bytes: highest('gpu_memory_bytes'),
    });
  }

  function flush(): void {
    if (pending.size === 0) return;
    try {
      rows.together(() => {
        for (const one of pending.values()) write(one);
        rows.removeBefore(minuteNow() - keptDays * minutesOfDay);
      });
      pending.clear();
    } catch (error) {
      // Retried with the next write, because statistics must not make a function fail.
      log.warn('Call statistics could not be written', { error });
    }
  }

  return {
    took({ functionId, version, durationMs, queueMs, isError }: CallTaken): void {
      const one = of(functionId, version);
      one.call_count += 1;
      if (isError) {
        // Durations of failed calls would distort the latency.
        one.error_count += 1;
        return;
      }
      addToSteps(one.steps, durationMs);
      one.total_ms += durationMs;
      one.queue_ms += Math.min(queueMs, durationMs);
    },
    saw({ functionId, version, cpuCores, memoryBytes, gpuMemoryBytes }: UseSeen): void {
      const one = of(functionId, version);
      one.cpu_cores = most(one.cpu_cores, cpuCores);
      one.memory_bytes = most(one.memory_bytes, memoryBytes);
      one.gpu_memory_bytes = most(one.gpu_memory_bytes, gpuMemoryBytes);
    },
    /** Minutes of the last hours, including unwritten ones. */
    since(functionId: string, hours: number): MinuteRow[] {
      flush();
      return rows.since(functionId, minuteNow() - hours * 60);
    },
    forget(functionId: string): void {
      flush();
      rows.forget(functionId);
    },
    stop(): void {
      if (timer) clearTimeout(timer);
      timer = null;
      flush();
    },
  };
}
