import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RetentionRepository } from '../store/retention-repository.ts';
import type { Logger } from '../../platform/log.ts';

/** Rows per transaction: few enough not to delay other writers noticeably. */
const rowsAtOnce = 200;
const keptDays = 90;
const dayMs = 24 * 60 * 60 * 1000;

/** Deletes removed webhooks with their logs, and messages that ended more than 90 days ago, in the background. */
export function createSweeper(dependencies: {
  readonly retention: RetentionRepository;
  readonly nowMs: () => number;
  readonly log: Logger;
}) {
  const { retention, nowMs, log } = dependencies;
  const stopping = new AbortController();
  const goesOn = () => !stopping.signal.aborted;
  let isWanted = false;
  let running: Promise<void> | null = null;

  async function sweep(): Promise<void> {
    while (isWanted && goesOn()) {
      isWanted = false;
      retention.discardDrained();
      while (goesOn() && retention.removeDiscarded(rowsAtOnce)) await nextTurn();
      while (goesOn() && retention.removeOld(nowMs() - keptDays * dayMs, rowsAtOnce)) await nextTurn();
    }
  }

  return {
    sweep(): void {
      isWanted = true;
      running ??= sweep()
        .catch((error: unknown) => log.warn('Old webhook deliveries could not be deleted', { error }))
        .finally(() => {
          running = null;
        });
    },
    async stop(): Promise<void> {
      stopping.abort();
      await running;
    },
  };
}
