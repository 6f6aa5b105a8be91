import { setTimeout as sleep } from 'node:timers/promises';
import type { TestClient } from '../../support/client.ts';
import type { World } from './world.ts';

/** Work in the background that began. */
interface Begun {
  /** Resolves when the work is in the middle, or has ended. */
  readonly running: (client: TestClient) => Promise<unknown>;
  /** Waits for its end after an interruption, and checks the result. */
  readonly ended: (client: TestClient) => Promise<void>;
}

export interface Work {
  readonly name: string;
  /** Types of the queue of background requests; none for other work. */
  readonly types: readonly string[];
  readonly begin: (client: TestClient, world: World) => Promise<Begun>;
}

const pollMs = 10;
export async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(pollMs);
}

export const shapesOf = async (client: TestClient, kind: 'tasks' | 'jobs', id: number): Promise<number> =>
  (await client.annotations(kind, id)).shapes.length;
