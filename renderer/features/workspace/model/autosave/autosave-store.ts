import type { Command, Draft, ShapeRecord } from '../../../../canvas/types.ts';
import type { Collection } from '../saving/save-types.ts';

export interface AutosavedWork {
  readonly jobId: number;
  readonly owner: string;
  /** Time of the last change, milliseconds since 1970. */
  readonly at: number;
  /** The first `position` commands are applied, the others can be redone. */
  readonly position: number;
  /** Objects created here, with the ids that the service assigned. */
  readonly ids: readonly { readonly localId: string; readonly collection: Collection; readonly serverId: number }[];
  readonly draft: readonly (readonly [frame: number, shape: Draft])[];
  readonly unnamed?: readonly ShapeRecord[];
}

interface Row extends AutosavedWork {
  readonly commands: readonly number[];
}

const opened = (name: string): Promise<IDBDatabase> =>
  new Promise((resolve, reject) => {
    const request = indexedDB.open(name, 1);
    request.addEventListener('upgradeneeded', () => {
      request.result.createObjectStore('work', { keyPath: 'owner' });
      request.result.createObjectStore('commands');
    });
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () =>
      reject(request.error ?? new Error('Cannot open the browser database for unsaved work.')),
    );
  });

const answerOf = <Value>(request: IDBRequest<Value>): Promise<Value> =>
  new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () =>
      reject(request.error ?? new Error('Cannot read the browser database for unsaved work.')),
    );
  });

const ended = (transaction: IDBTransaction): Promise<void> =>
  new Promise((resolve, reject) => {
    transaction.addEventListener('complete', () => resolve());
    const fail = (): void =>
      reject(transaction.error ?? new Error('Cannot write to the browser database for unsaved work.'));
    transaction.addEventListener('error', fail);
    transaction.addEventListener('abort', fail);
  });

const ofOwner = (owner: string): IDBKeyRange => IDBKeyRange.bound([owner], [owner, []]);

/**
 * Undo histories and drafts by window in IndexedDB, so that they survive a crash of the page. Each command is written
 * once, because histories are long. Annotations are in the journal.
 */
export function openAutosaveStore(name = 'limner-work') {
  let database: IDBDatabase | null = null;
  const open = async (): Promise<IDBDatabase> => (database ??= await opened(name));
  /** Commands of this window that are already written. */
  const keys = new Map<Command, number>();
  let nextKey = 0;

  return {
    /** Entries of a job without commands, newest first. */
    async list(jobId: number): Promise<readonly AutosavedWork[]> {
      const transaction = (await open()).transaction('work');
      const rows = await answerOf<Row[]>(transaction.objectStore('work').getAll());
      return rows.filter((row) => row.jobId === jobId).toSorted((a, b) => b.at - a.at);
    },
    async commands(owner: string): Promise<readonly Command[]> {
      const transaction = (await open()).transaction(['work', 'commands']);
      const row = await answerOf<Row | undefined>(transaction.objectStore('work').get(owner));
      const found = transaction.objectStore('commands');
      return Promise.all((row?.commands ?? []).map((key) => answerOf<Command>(found.get([owner, key]))));
    },
    async write(work: AutosavedWork, commands: readonly Command[]): Promise<void> {
      // Avoids an await if possible, because the page may be closing.
      const transaction = (database ?? (await open())).transaction(['work', 'commands'], 'readwrite');
      const store = transaction.objectStore('commands');
      const kept = new Set(commands);
      for (const [command, key] of keys) {
        if (kept.has(command)) continue;
        store.delete([work.owner, key]);
        keys.delete(command);
      }
      for (const command of commands) {
        if (keys.has(command)) continue;
        keys.set(command, (nextKey += 1));
        store.put(command, [work.owner, nextKey]);
      }
      const row: Row = { ...work, commands: commands.map((command) => keys.get(command) ?? 0) };
      transaction.objectStore('work').put(row);
      transaction.commit();
      await ended(transaction);
    },
    async remove(owner: string): Promise<void> {
      const transaction = (await open()).transaction(['work', 'commands'], 'readwrite');
      transaction.objectStore('work').delete(owner);
      transaction.objectStore('commands').delete(ofOwner(owner));
      await ended(transaction);
    },
  };
}

export type AutosaveStore = ReturnType<typeof openAutosaveStore>;
