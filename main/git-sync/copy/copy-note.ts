import { createHash } from 'node:crypto';
import { z } from 'zod';
import { gitLossSchema, type GitLoss } from '../../../preload/contract/schema/git.ts';
import { noteFile, ownFile } from '../annotation-files.ts';
import type { Files, Listing } from '../git-store.ts';

/**
 * A folder can contain a copy of the annotations in another format, for programs that clone the repository. Only
 * Limner's own files are merged and restored. The note contains the copy's format and digests of its source and its
 * files, which reveal changes by other programs.
 */
const noteSchema = z.object({
  kind: z.literal('limner-export'),
  version: z.literal(1),
  format: z.string(),
  /** Digests of Limner's own files and of the copy's files. */
  own: z.string(),
  files: z.string(),
  losses: z.array(gitLossSchema),
});
type CopyNote = z.output<typeof noteSchema>;

const copyFolder = 'export/';
export const isOfCopy = (path: string): boolean => path.startsWith(copyFolder);
/** True if a path in the project's folder belongs to the copy of one of its tasks. */
export const isOfTaskCopy = (path: string): boolean => isOfCopy(path.replace(/^[^/]+\//, ''));
export const inCopy = (path: string): string => copyFolder + path;
export const belowCopy = (path: string): string => path.slice(copyFolder.length);

/** Copy in a folder of the repository: own files with the note, and the copy's listing. */
export interface CopyState {
  readonly files: Files;
  readonly listing: Listing;
}

/** Null if there is no note, or none that this program understands. */
export function noteIn(files: Files): CopyNote | null {
  const text = files.get(noteFile);
  if (text === undefined) return null;
  try {
    return noteSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

/** @param own Limner's own files, written together with the note */
export function noteText(format: string, own: Files, listing: Listing, losses: readonly GitLoss[]): string {
  const note: CopyNote = {
    kind: 'limner-export',
    version: 1,
    format,
    own: digestOfOwn(own),
    files: digestOf(listing),
    losses: [...losses],
  };
  return `${JSON.stringify(note, null, 1)}\n`;
}

/** True if another program has changed the copy. */
export function isExternal({ files, listing }: CopyState): boolean {
  const note = noteIn(files);
  return note !== null && note.files !== digestOf(listing);
}

/** True if a push would write the copy differently, even without local changes. */
export function isOld(format: string | null, { files, listing }: CopyState): boolean {
  const note = noteIn(files);
  if (format === null || note === null) return format !== (note?.format ?? null);
  return note.format !== format || note.files !== digestOf(listing) || note.own !== digestOfOwn(files);
}

/** Merges the choice of a format: a local choice since `base` wins, then a remote one. */
export const formatAfter = (mine: string | null, base: Files, theirs: Files): string | null =>
  mine === (noteIn(base)?.format ?? null) ? (noteIn(theirs)?.format ?? null) : mine;

export const blobName = (bytes: Buffer): string =>
  createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');

export const isSameListing = (a: Listing, b: Listing): boolean => digestOf(a) === digestOf(b);

const digestOf = (listing: Listing): string =>
  digest([...listing].map(([path, name]) => `${name} ${path}\n`).toSorted());
const digestOfOwn = (files: Files): string =>
  digest(
    [...files]
      .filter(([path]) => ownFile.test(path) && path !== noteFile)
      .map(([path, text]) => `${path}\n${text}`)
      .toSorted(),
  );

function digest(lines: readonly string[]): string {
  const hash = createHash('sha256');
  for (const line of lines) hash.update(line);
  return hash.digest('hex');
}
