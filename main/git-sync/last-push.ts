import { hash } from 'node:crypto';
import { z } from 'zod';
import type { AnnotationDigests } from '../work/annotations/annotation-digest-repository.ts';
import type { TaskFacts } from './annotation-files.ts';
import type { GitStore } from './git-store.ts';

/**
 * State of a task at its last push, beside the local repository. The next push reads only what changed since. Without
 * it, a push reads everything.
 */
export interface LastPush {
  /** Git's hash of the folder. */
  readonly tree: string;
  readonly facts: string;
  readonly digests: AnnotationDigests;
}

const schema = z.object({
  version: z.literal(1),
  tree: z.string(),
  facts: z.string(),
  tracks: z.string(),
  frames: z.array(z.tuple([z.int(), z.string()])),
});

const nameOf = (taskId: number): string => `limner-push-${taskId}.json`;

/** Everything besides annotations that the files of a task contain: all of them change with it. */
export const digestOfFacts = ({ size, labels }: TaskFacts): string =>
  hash('sha256', JSON.stringify([size, labels]), 'base64');

/** Null if there is none that this program understands. */
export async function readLastPush(store: GitStore, taskId: number): Promise<LastPush | null> {
  const text = await store.readNote(nameOf(taskId));
  if (text === null) return null;
  try {
    const { tree, facts, tracks, frames } = schema.parse(JSON.parse(text));
    return { tree, facts, digests: { frames: new Map(frames), tracks } };
  } catch {
    return null;
  }
}

export async function keepLastPush(store: GitStore, taskId: number, { tree, facts, digests }: LastPush): Promise<void> {
  const { frames, tracks } = digests;
  await store.writeNote(nameOf(taskId), JSON.stringify({ version: 1, tree, facts, tracks, frames: [...frames] }));
}
