import { dirname } from 'node:path';

/**
 * File operations at once in a folder that is used in place. Each holds one of the threads that all file operations of
 * the process share until the disk answers, which a network disk may never do.
 */
const atOnce = 2;

interface Folder {
  running: number;
  readonly waiting: (() => void)[];
}

const folders = new Map<string, Folder>();

/** Runs `work` with a file when it is the turn of its folder. The latest caller is first: a user waits for its frame. */
export async function inTurn<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
  const name = dirname(file);
  const folder = folders.get(name) ?? { running: 0, waiting: [] };
  folders.set(name, folder);
  if (folder.running < atOnce) folder.running += 1;
  else await new Promise<void>((resolve) => folder.waiting.push(resolve));
  try {
    return await work();
  } finally {
    const next = folder.waiting.pop();
    if (next) next();
    else folder.running -= 1;
    if (folder.running === 0) folders.delete(name);
  }
}
