import type { Command, HalfDrawn, ShapeRecord } from '../../../canvas/types.ts';
import type { Collection } from '../saving/save-types.ts';

/** What a window has of a job beside its edits. */
export interface KeptWork {
  readonly jobId: number;
  /** The window that it is of. */
  readonly owner: string;
  /** Milliseconds since 1970, of the last change. */
  readonly at: number;
  /** The first `position` of the commands are in force, the rest can be made again. */
  readonly position: number;
  /** Objects that were made here, under the names that the service knows them by. */
  readonly ids: readonly { readonly localId: string; readonly collection: Collection; readonly serverId: number }[];
  /** Half-drawn shapes by frame. */
  readonly halfDrawn: readonly (readonly [frame: number, shape: HalfDrawn])[];
  /** Shapes that wait for a name. */
  readonly unnamed?: readonly ShapeRecord[];
}

interface Row extends KeptWork {
  /** Keys of the commands, in their order. */
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
    request.addEventListener('error', () => reject(request.error ?? new Error('The store does not open.')));
  });

const answerOf = <Value>(request: IDBRequest<Value>): Promise<Value> =>
  new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('The store does not answer.')));
  });

const ended = (transaction: IDBTransaction): Promise<void> =>
  new Promise((resolve, reject) => {
    transaction.addEventListener('complete', () => resolve());
    const fail = (): void => reject(transaction.error ?? new Error('The store did not take it.'));
    transaction.addEventListener('error', fail);
    transaction.addEventListener('abort', fail);
  });

const ofOwner = (owner: string): IDBKeyRange => IDBKeyRange.bound([owner], [owner, []]);

/**
 * Undo histories and half-drawn shapes on this computer's disk, by window: a crash of the page does not take them.
 * Commands are written once each, since histories are long. Nothing of it is an annotation; that is the journal's part.
 */
export function openWorkStore(name = 'limner-work') {
  let database: IDBDatabase | null = null;
  const open = async (): Promise<IDBDatabase> => (database ??= await opened(name));
  /** Commands of this window that are written already. */
  const keys = new Map<Command, number>();
  let nextKey = 0;

  return {
    /** Of a job, the newest first; without the commands. */
    async list(jobId: number): Promise<readonly KeptWork[]> {
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
    /** The window's work as it is now. Rejects where the disk does not take it. */
    async write(work: KeptWork, commands: readonly Command[]): Promise<void> {
      // Without a wait where it can be: the page may be on its way out.
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

export type WorkStore = ReturnType<typeof openWorkStore>;
