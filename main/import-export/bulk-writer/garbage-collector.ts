import type { Logger } from '../../platform/log.ts';
import type { WorkerPool } from '../../platform/worker-pool.ts';
import type { WorkerPaths } from './worker-context.ts';

const quietMs = 1000;

/** Empties discarded annotation sets and media in a worker thread, one run at a time, after a short delay. */
export function createGarbageCollector(dependencies: {
  readonly workers: WorkerPool;
  readonly paths: WorkerPaths;
  readonly log: Logger;
}) {
  const { workers, paths, log } = dependencies;
  const controller = new AbortController();
  let timer: NodeJS.Timeout | null = null;
  let running: Promise<void> | null = null;
  let again = false;

  async function run(): Promise<void> {
    do {
      again = false;
      try {
        await workers.run('collectGarbage', paths, { signal: controller.signal });
      } catch (error) {
        if (!controller.signal.aborted)
          log.warn('Cannot delete old annotations and frames; the next start tries again', { error });
      }
    } while (again && !controller.signal.aborted);
    running = null;
  }

  return {
    collect(): void {
      if (controller.signal.aborted || timer) return;
      timer = setTimeout(() => {
        timer = null;
        if (running) again = true;
        else running = run();
      }, quietMs);
      timer.unref();
    },
    async stop(): Promise<void> {
      if (timer) clearTimeout(timer);
      controller.abort();
      await running;
    },
  };
}
