import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

const dayMs = 24 * 60 * 60 * 1000;
/** After this long nobody continues an upload. */
const openMs = dayMs;
/** After this long, work that took files over has ended without removing them. */
const claimedMs = 7 * dayMs;

/** Removes uploads that were left behind below the folder of the upload store. */
export async function removeAbandonedUploads(directory: string, nowMs: number): Promise<void> {
  const removeIfOlder = async (path: string, ageMs: number) => {
    if ((await lastChangeMs(path)) < nowMs - ageMs) await rm(path, { recursive: true, force: true });
  };
  for (const path of await childrenOf(join(directory, 'open'))) await removeIfOlder(path, openMs);
  const claimed = await childrenOf(join(directory, 'claimed'));
  const takenOver = (await childrenOf(directory)).filter((path) => !/[\\/](open|claimed)$/.test(path));
  for (const path of [...claimed, ...takenOver]) await removeIfOlder(path, claimedMs);
}

async function childrenOf(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.map((name) => join(folder, name));
}

/**
 * Of a folder: the latest of its own and its files' times. A person's file that got a second name here may have been
 * written long ago: what counts is when it got that.
 */
async function lastChangeMs(path: string): Promise<number> {
  const times = await Promise.all(
    [path, ...(await childrenOf(path))].map(async (one) => {
      const found = await stat(one).catch(() => undefined);
      return Math.max(found?.mtimeMs ?? 0, found?.ctimeMs ?? 0);
    }),
  );
  return Math.max(...times);
}
