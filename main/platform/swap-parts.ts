import { existsSync, readdirSync, readFileSync, rmdirSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { createDurableFiles, replaceFileSync, syncFolderSync } from './durable-files.ts';
import { homeOf, homesOf } from './volumes.ts';

const journalSchema = z.object({
  /** `back`: the new parts could not be put in, and the old ones return. */
  direction: z.enum(['forward', 'back']),
  parts: z.array(z.string().regex(/^[a-z]+$/)),
  /** Those of them that were not there before. */
  absent: z.array(z.string()),
  /** Folder below the root that takes up the old parts. */
  aside: z.string().regex(/^set-aside\/[\w:-]+$/),
});
type Journal = z.infer<typeof journalSchema>;

const stagingFolder = (root: string): string => join(root, 'restore');
/** Where a new part waits until all of them are whole. On the disk that it goes to, so that it only changes its name. */
export const stagedPart = (root: string, part: string): string => join(stagingFolder(homeOf(root, part)), 'new', part);
const journalFile = (root: string): string => join(stagingFolder(root), 'journal.json');

/**
 * Puts the staged parts of a data directory in the place of those that are there, all or none. From the moment at which
 * the journal is on the disk a crash changes nothing any more: the next start goes on (`finishSwap`). The staged parts
 * have to be on the disk. What was there before lies in `aside` afterwards.
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
 * At a start, before anything is read: ends a swap that was interrupted, and removes parts that were staged for one that
 * never began. Call with the lock only.
 */
export async function finishSwap(root: string): Promise<void> {
  const journal = readJournal(root);
  if (journal) await carryOut(root, journal);
  else await unstage(root);
}

/** Removes what was staged. */
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
  if (journal.direction === 'back') return takeBack(root, journal);
  try {
    for (const home of homesOf(root)) await mkdir(join(home, journal.aside), { recursive: true, mode: 0o700 });
    for (const part of journal.parts) await putIn(root, journal, part);
  } catch (error) {
    // Another program holds a file (Windows), or a part is a disk of its own.
    replaceFileSync(journalFile(root), JSON.stringify({ ...journal, direction: 'back' }));
    await takeBack(root, journal);
    throw error;
  }
  await end(root);
}

async function takeBack(root: string, journal: Journal): Promise<void> {
  for (const part of journal.parts.toReversed()) await putBack(root, journal, part);
  await end(root);
}

/** The journal first: what is left of the staging folder means nothing then. */
async function end(root: string): Promise<void> {
  await rm(journalFile(root));
  syncFolderSync(stagingFolder(root));
  await unstage(root);
}

function placesOf(root: string, { aside }: Journal, part: string) {
  const home = homeOf(root, part);
  return { staged: stagedPart(root, part), place: join(home, part), kept: join(home, aside, part) };
}

/** As long as the staged part is there, it is not in. */
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
  // It never left its place.
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

/** Whoever starts makes missing parts as empty folders before it comes to this. */
function emptyPlace(place: string): void {
  if (existsSync(place)) rmdirSync(place);
}

async function move(from: string, to: string): Promise<void> {
  const files = createDurableFiles();
  await files.rename(from, to);
  await files.sync();
}
