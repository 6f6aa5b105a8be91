import { existsSync, readdirSync, readFileSync, rmdirSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { createDurableFiles, replaceFileSync, syncFolderSync } from './durable-files.ts';
import { homeOf, homesOf } from './volumes.ts';

const journalSchema = z.object({
  /** `back`: the new parts could not be put in, and the old ones are restored. */
  direction: z.enum(['forward', 'back']),
  parts: z.array(z.string().regex(/^[a-z]+$/)),
  /** Parts that did not exist before. */
  absent: z.array(z.string()),
  /** Folder below the root for the old parts. */
  aside: z.string().regex(/^set-aside\/[\w:-]+$/),
});
type Journal = z.infer<typeof journalSchema>;

const stagingFolder = (root: string): string => join(root, 'restore');
/**
 * Location of a new part until all parts are complete. It is on the disk of its destination, so that it can be renamed.
 */
export const stagedPart = (root: string, part: string): string => join(stagingFolder(homeOf(root, part)), 'new', part);
const journalFile = (root: string): string => join(stagingFolder(root), 'journal.json');

/**
 * Replaces parts of a data directory by the staged ones, all or none. Once the journal is on the disk, the swap
 * survives a crash: the next start continues (`finishSwap`). The staged parts must be synced. The old parts are moved
 * to `aside`.
 */
export async function swapParts(root: string, parts: readonly string[], aside: string): Promise<void> {
  const absent = parts.filter((part) => !existsSync(join(root, part)));
  const journal: Journal = { direction: 'forward', parts: [...parts], absent, aside };
  const files = createDurableFiles();
  for (const home of homesOf(root)) await files.makeFolder(join(home, aside));
  await files.makeFolder(stagingFolder(root));
  await files.sync();
  replaceFileSync(journalFile(root), JSON.stringify(journal));
  await carryOut(root, journal);
}

/**
 * Call at a start, before any read, with the lock: completes an interrupted swap, and removes parts that were staged
 * for one that never began.
 */
export async function finishSwap(root: string): Promise<void> {
  const journal = readJournal(root);
  if (journal) await carryOut(root, journal);
  else await unstage(root);
}

export async function unstage(root: string): Promise<void> {
  for (const home of homesOf(root)) await rm(stagingFolder(home), { recursive: true, force: true });
}

function readJournal(root: string): Journal | null {
  try {
    return journalSchema.parse(JSON.parse(readFileSync(journalFile(root), 'utf8')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

async function carryOut(root: string, journal: Journal): Promise<void> {
  if (journal.direction === 'back') return revert(root, journal);
  try {
    for (const home of homesOf(root)) await mkdir(join(home, journal.aside), { recursive: true, mode: 0o700 });
    for (const part of journal.parts) await putIn(root, journal, part);
  } catch (error) {
    // Another program has a file open (Windows), or a part is a mount point.
    replaceFileSync(journalFile(root), JSON.stringify({ ...journal, direction: 'back' }));
    await revert(root, journal);
    throw error;
  }
  await end(root);
}

async function revert(root: string, journal: Journal): Promise<void> {
  for (const part of journal.parts.toReversed()) await putBack(root, journal, part);
  await end(root);
}

/** Removes the journal first, because the staging folder has no meaning without it. */
async function end(root: string): Promise<void> {
  await rm(journalFile(root));
  syncFolderSync(stagingFolder(root));
  await unstage(root);
}

function placesOf(root: string, { aside }: Journal, part: string) {
  const home = homeOf(root, part);
  return { staged: stagedPart(root, part), place: join(home, part), kept: join(home, aside, part) };
}

/** While the staged part exists, it is not in place yet. */
async function putIn(root: string, journal: Journal, part: string): Promise<void> {
  const { staged, place, kept } = placesOf(root, journal, part);
  if (!existsSync(staged)) return;
  if (existsSync(place) && !existsSync(kept) && !journal.absent.includes(part)) await move(place, kept);
  emptyPlace(place);
  await move(staged, place);
}

async function putBack(root: string, journal: Journal, part: string): Promise<void> {
  const { staged, place, kept } = placesOf(root, journal, part);
  if (!existsSync(kept) && !journal.absent.includes(part)) return;
  // It was never moved.
  if (existsSync(staged) && isFilled(place)) return;
  if (existsSync(place) && !existsSync(staged)) {
    await mkdir(dirname(staged), { recursive: true });
    await move(place, staged);
  }
  if (!existsSync(kept)) return;
  emptyPlace(place);
  await move(kept, place);
}

const isFilled = (folder: string): boolean => existsSync(folder) && readdirSync(folder).length > 0;

/** The start creates missing parts as empty folders before this runs. */
function emptyPlace(place: string): void {
  if (existsSync(place)) rmdirSync(place);
}

async function move(from: string, to: string): Promise<void> {
  const files = createDurableFiles();
  await files.rename(from, to);
  await files.sync();
}
