import type { Job } from '../../../../../preload/contract/schema/resources.ts';
import { call } from '../../../../api/client.ts';
import { useConnection } from '../../../../api/connection.ts';
import { claimJournal, createJobJournal, findJournals, forgetJournal, orphanJournals } from './save-journal.ts';
import { createSaveQueue, type SaveQueue } from './save-queue.ts';
import { createSaveTransport } from './save-transport.ts';
import type { CanvasEngine } from '../../../../canvas/canvas-engine.ts';
import { stopAll } from '../../../../canvas/emitter.ts';

interface SavedIdsParts {
  readonly engine: Pick<CanvasEngine, 'scene' | 'patchScene'>;
  readonly queue: Pick<SaveQueue, 'serverIdOf' | 'subscribe'>;
}

/** Shows the server id of a new object as soon as it is known in lists, timeline and canvas. */
export function showSavedIds({ engine, queue }: SavedIdsParts): () => void {
  const { scene, patchScene } = engine;
  const show = (): void => {
    const saved = scene.all().flatMap((record) => {
      // A deleted and restored object has a new server id.
      const serverId = queue.serverIdOf(record.clientId) ?? record.serverId;
      return serverId === undefined || serverId === record.serverId ? [] : [{ ...record, serverId }];
    });
    if (saved.length > 0) patchScene(saved);
  };
  const stops = [queue.subscribe(show), scene.subscribe(({ reset }) => reset && show())];
  return () => stopAll(stops);
}

/** The screen opens after this time even if recovered edits are still pending. */
const recoveryPatienceMs = 4_000;

const later = (task: () => void, delayMs: number): (() => void) => {
  const timer = setTimeout(task, delayMs);
  return () => clearTimeout(timer);
};

/** Identifies this page load. */
const pageId = String(performance.timeOrigin).replace('.', '-');

/** Waits for the last edits of a previous screen of the same job in this page. */
const settleEarlier = async (jobId: number, session: string): Promise<void> => {
  const until = Date.now() + recoveryPatienceMs;
  const busy = (): boolean =>
    findJournals(localStorage).some(
      (found) => found.jobId === jobId && found.key.includes(pageId) && !found.key.endsWith(session),
    );
  while (busy() && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 50));
};

/** Saving of an open job: queue, journal, and recovery of edits of earlier windows. */
export function createJobSaving(job: Job) {
  const session = `${pageId}-${crypto.randomUUID()}`;
  const journal = createJobJournal(localStorage, job.id, session);
  const queue = createSaveQueue({
    transport: createSaveTransport(job.id, session),
    journal,
    newKey: () => crypto.randomUUID(),
    later,
  });
  const release = claimJournal(navigator.locks, job.id, session);
  const guard = (event: BeforeUnloadEvent): void => {
    if (queue.status().state !== 'saved') event.preventDefault();
  };
  const flush = (): void => {
    if (document.visibilityState === 'hidden') queue.retry();
  };
  window.addEventListener('beforeunload', guard);
  document.addEventListener('visibilitychange', flush);

  let touched = job.state !== 'new';
  const stop = queue.subscribe((status) => {
    if (touched || status.state !== 'saving') return;
    touched = true;
    void call('updateJob', { params: { id: job.id }, body: { state: 'in progress' } }).catch(() => undefined);
  });

  const stopWatching = useConnection.subscribe((now, before) => {
    if (before.lost && !now.lost) queue.retry();
  });

  return {
    queue,
    /** Id of this window in the service. */
    window: session,
    journalKept: journal.kept,
    /**
     * Takes over edits that a closed or crashed window could not send. Resolves with their number once they are saved,
     * or with the number known so far if the service does not accept them; they stay in the queue.
     */
    async recover(): Promise<number> {
      await settleEarlier(job.id, session);
      const left = await orphanJournals(localStorage, navigator.locks, job.id);
      for (const { key, edits } of left) {
        queue.adopt(edits);
        forgetJournal(localStorage, key);
      }
      const count = queue.status().unsaved;
      if (count === 0) return 0;
      const patience = new Promise<void>((resolve) => setTimeout(resolve, recoveryPatienceMs));
      await Promise.race([queue.whenSaved().catch(() => undefined), patience]);
      return queue.status().unsaved === 0 ? count : 0;
    },
    close() {
      stop();
      stopWatching();
      window.removeEventListener('beforeunload', guard);
      document.removeEventListener('visibilitychange', flush);
      // Pending requests still complete; the rest is in the journal for the next window.
      queue.retry();
      void queue
        .whenSaved()
        .catch(() => undefined)
        .finally(() => {
          queue.close();
          release();
        });
    },
  };
}

export type JobSaving = ReturnType<typeof createJobSaving>;
