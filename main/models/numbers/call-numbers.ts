import type { Logger } from '../../platform/log.ts';
import type { MinuteRepository, MinuteRow } from './minute-repository.ts';
import { addToSteps, mergeSteps, type Steps } from './steps.ts';

export const keptDays = 30;
const minuteMs = 60_000;
const minutesOfDay = 24 * 60;
/** What a crash may lose. */
const flushMs = 10_000;

export interface CallTaken {
  readonly functionId: string;
  readonly version: number;
  readonly durationMs: number;
  /** Of that, until the function was sent what it was called with. */
  readonly queueMs: number;
  readonly isError: boolean;
}

/** What a container was seen to use. */
export interface UseSeen {
  readonly functionId: string;
  readonly version: number;
  readonly cpuCores: number | null;
  readonly memoryBytes: number;
  /** Of all cards; null where the driver does not say. */
  readonly gpuMemoryBytes: number | null;
}

interface Pending {
  readonly functionId: string;
  readonly version: number;
  readonly minute: number;
  calls: number;
  errors: number;
  readonly steps: Record<string, number>;
  totalMs: number;
  queueMs: number;
  /** The most of the minute. */
  cpuCores: number | null;
  memoryBytes: number | null;
  gpuMemoryBytes: number | null;
}

const most = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.max(a, b);

export type CallNumbers = ReturnType<typeof createCallNumbers>;

/** Counts calls of functions in memory, and writes them down some seconds later: a call costs no write. */
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
    const calls = { calls: 0, errors: 0, steps: {}, totalMs: 0, queueMs: 0 };
    const use = { cpuCores: null, memoryBytes: null, gpuMemoryBytes: null };
    const fresh: Pending = { functionId, version, minute, ...calls, ...use };
    pending.set(key, fresh);
    timer ??= setTimeout(() => {
      timer = null;
      flush();
    }, flushMs).unref();
    return fresh;
  }

  function write(one: Pending): void {
    const before = rows.get(one.functionId, one.version, one.minute);
    // Written here.
    const steps = before ? mergeSteps([JSON.parse(before.steps) as Steps, one.steps]) : one.steps;
    rows.put({
      function_id: one.functionId,
      version: one.version,
      minute: one.minute,
      call_count: (before?.call_count ?? 0) + one.calls,
      error_count: (before?.error_count ?? 0) + one.errors,
      steps: JSON.stringify(steps),
      total_ms: (before?.total_ms ?? 0) + one.totalMs,
      queue_ms: (before?.queue_ms ?? 0) + one.queueMs,
      cpu_cores: most(before?.cpu_cores ?? null, one.cpuCores),
      memory_bytes: most(before?.memory_bytes ?? null, one.memoryBytes),
      gpu_memory_bytes: most(before?.gpu_memory_bytes ?? null, one.gpuMemoryBytes),
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
      // They are tried again with the next ones; a function must not fail because nobody could count it.
      log.warn('Numbers of calls could not be written', { error });
    }
  }

  return {
    took({ functionId, version, durationMs, queueMs, isError }: CallTaken): void {
      const one = of(functionId, version);
      one.calls += 1;
      if (isError) {
        // How soon something failed says nothing of how long an answer takes.
        one.errors += 1;
        return;
      }
      addToSteps(one.steps, durationMs);
      one.totalMs += durationMs;
      one.queueMs += Math.min(queueMs, durationMs);
    },
    saw({ functionId, version, cpuCores, memoryBytes, gpuMemoryBytes }: UseSeen): void {
      const one = of(functionId, version);
      one.cpuCores = most(one.cpuCores, cpuCores);
      one.memoryBytes = most(one.memoryBytes, memoryBytes);
      one.gpuMemoryBytes = most(one.gpuMemoryBytes, gpuMemoryBytes);
    },
    /** Minutes of the last hours, with what is not written yet. */
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
