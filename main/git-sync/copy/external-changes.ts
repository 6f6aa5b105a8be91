import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { GitCopyChanges } from '../../../preload/contract/schema/git.ts';
import type { FormatSummary, Loss } from '../../formats/kit/report.ts';
import { AppError } from '../../platform/errors.ts';
import { inPortions } from '../../platform/portions.ts';
import type { TaskRow } from '../../work/tables/task-table.ts';
import { noteFile } from '../annotation-files.ts';
import type { GitStore, Listing } from '../git-store.ts';
import { difference, type State } from '../merge.ts';
import { joinedPath } from '../project-folders.ts';
import { newUid } from '../task-objects.ts';
import { belowCopy, isExternal, isOfCopy, isSameListing, noteIn, type CopyState } from './copy-note.ts';
import { matchCopy } from './match-objects.ts';
import type { ReadCopyJob } from './read-copy-job.ts';
import { withFolder, type CopyDependencies } from './write-copy.ts';

/** Changes of another program to a task's copy, and the annotations with these changes. */
export interface ExternalChanges {
  readonly changes: Omit<GitCopyChanges, 'task_id' | 'task_name'>;
  readonly state: State;
}

/** A folder of the repository at the fetched commit, and its last common state. */
interface Place {
  readonly store: GitStore;
  readonly there: string;
  /** Folder of the task, relative to the root of the repository. */
  readonly folder: string;
  readonly found: CopyState;
  /** Null if nothing was pulled or pushed yet. */
  readonly before: Listing | null;
}

const noChange = { added: 0, changed: 0, removed: 0 };
const shownReasons = 3;

export type ReadExternalChanges = ReturnType<typeof createReadExternalChanges>;

export function createReadExternalChanges({ workers, formats, databaseFile, dataDirectory }: CopyDependencies) {
  /** @param listing complete folder of the task */
  async function read(task: TaskRow, place: Place, listing: Listing, format: string, signal: AbortSignal) {
    return withFolder(dataDirectory, async (folder) => {
      for (const [path, bytes] of await place.store.readBytes(listing)) {
        requireSafe(path);
        const file = join(folder, belowCopy(path));
        await mkdir(dirname(file), { recursive: true });
        await writeFile(file, bytes);
      }
      const file = { path: folder, name: 'export' };
      const importer = (await formats.importer(format))?.display_name ?? (await formats.detect(file))[0]?.name;
      if (importer === undefined) throw new AppError('invalid', `No importer for ${format}.`);
      const plugin = await formats.importerPlugin(importer);
      const target = { kind: 'task', id: task.id } as const;
      const job: ReadCopyJob = { databaseFile, dataDirectory, target, format: importer, plugin, file };
      return workers.run('readCopy', job, { signal });
    });
  }

  /** The copy as Limner wrote it, from the last commit that changed the note. */
  async function writtenListing({ store, there, folder, found }: Place): Promise<Listing> {
    const commit = await store.lastChange(there, joinedPath(folder, noteFile));
    const listing = commit === null ? new Map<string, string>() : await store.list(commit, folder, isOfCopy);
    if (isExternal({ files: found.files, listing }))
      throw new AppError('invalid', 'The history of the repository does not contain the files as Limner wrote them.');
    return listing;
  }

  /**
   * Returns null if no other program has changed the copy since the last pull or push.
   * @param state of Limner's own remote files
   */
  return async function readExternalChanges(
    task: TaskRow,
    place: Place,
    { state, signal }: { readonly state: State; readonly signal: AbortSignal },
  ): Promise<ExternalChanges | null> {
    const { found, before } = place;
    const format = noteIn(found.files)?.format;
    if (format === undefined || !isExternal(found)) return null;
    // The user has decided on these changes already.
    if (before !== null && isSameListing(before, found.listing)) return null;
    try {
      const was = await read(task, place, await writtenListing(place), format, signal);
      const is = await read(task, place, found.listing, format, signal);
      requireReadable(was.summary, is.summary);
      const matched = matchCopy(state, { before: was.objects, after: is.objects }, newUid);
      const steps = await inPortions(difference(state, matched.state));
      const changed = { added: steps.added.length, changed: steps.changed.length, removed: steps.removed.length };
      return { changes: { format, changed, unmatched: matched.unmatched, reason: null }, state: matched.state };
    } catch (error) {
      if (!(error instanceof AppError) || signal.aborted) throw error;
      return { changes: { format, changed: noChange, unmatched: 0, reason: error.message }, state };
    }
  };
}

/** Rejects unreadable changes, because objects that the importer skips would look deleted. */
function requireReadable(was: FormatSummary, is: FormatSummary): void {
  const key = ({ type, label, rule }: Loss): string => JSON.stringify([type, label, rule]);
  const known = new Map(was.dropped.map((loss) => [key(loss), loss.count]));
  const lost = is.dropped.filter((loss) => loss.count > (known.get(key(loss)) ?? 0));
  const reasons = [
    ...is.invalid.map(({ file, at, reason }) => `${file}, ${at}: ${reason}`),
    ...lost.map(({ type, label, rule }) => `${type} ${label}: ${rule}`),
  ];
  if (reasons.length > 0)
    throw new AppError('invalid', `Some of it cannot be read. ${reasons.slice(0, shownReasons).join(' ')}`.trim());
}

function requireSafe(path: string): void {
  if (path.split(/[/\\]/).some((part) => part === '' || part === '.' || part === '..'))
    throw new AppError('invalid', `${path} is not a valid file name.`);
}

/** Rejects changes of other programs that cannot be taken over, before anything is changed. */
export function requireTakeable(found: readonly GitCopyChanges[]): void {
  const refused = found.find(({ reason }) => reason !== null);
  if (refused === undefined) return;
  const message = `Cannot apply the changes of another program to the ${refused.format} of ${refused.task_name}: ${refused.reason} Nothing was changed. Fix the files in the repository, or leave them: the next push overwrites them.`;
  throw new AppError('conflict', message);
}
