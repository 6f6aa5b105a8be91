import { randomUUID } from 'node:crypto';
import type { LabeledData } from '../../../preload/contract/schema/annotations.ts';
import type { Store } from '../../db/store.ts';
import { AppError } from '../../platform/errors.ts';

export interface AnnotationChangeNotice {
  readonly jobId: number;
  /** Counter over all changes. The jobs of one change have the same number. */
  readonly number: number;
  /** Frames of changed shapes and tags, ascending; null: any frame may have changed. */
  readonly frames: readonly number[] | null;
  /** True if tracks changed. Tracks span many frames. */
  readonly tracks: boolean;
  readonly userId: number | null;
  /** The window that made the change, if it gave its name; it is not notified. */
  readonly window: string | null;
}

interface JobPart extends Pick<AnnotationChangeNotice, 'frames' | 'tracks'> {
  /** Numbers that combine id and collection, as text would take three times the memory; null: all objects. */
  readonly objects: readonly number[] | null;
}
/** A change of one or more jobs. */
interface Kept extends Pick<AnnotationChangeNotice, 'number' | 'userId' | 'window'> {
  /** By the id of the job. */
  readonly parts: ReadonlyMap<number, JobPart>;
  /** Objects and jobs. */
  readonly sizes: number;
}
type Listener = (news: AnnotationChangeNotice) => void;

/** Action as sent to all followers; changes other than saves are replacements. */
type FeedAction = 'create' | 'update' | 'delete' | 'replace';
/** @param data what was changed; null: possibly everything of the job */
export type AnnotationFollower = (
  news: Pick<AnnotationChangeNotice, 'jobId' | 'userId'> & { readonly action: FeedAction },
  data: LabeledData | null,
) => void;

/** A change of annotations by a user. */
export interface ChangeOfJobs {
  readonly userId: number | null;
  readonly window: string | null;
  readonly action?: FeedAction | undefined;
  /** True if the objects may have been on other frames than the data says. */
  readonly anyFrame?: boolean;
}

/** Changed objects by the id of their job; null: possibly all objects of the job. */
export type ChangedObjects = ReadonlyMap<number, LabeledData | null>;

/** Jobs of which every object may have changed. */
export const everythingOf = (jobIds: Iterable<number>): ChangedObjects => new Map([...jobIds].map((id) => [id, null]));

export interface SavingWindow {
  readonly window: string | null;
  /** Undefined for plain API clients: their writes always win. */
  readonly seen?: string | undefined;
}

export interface SaveHead extends Partial<SavingWindow> {
  /** Idempotency key: the save is applied once, even if sent repeatedly. */
  readonly key?: string;
}

export interface SavedHow {
  readonly window?: string | null;
  readonly action?: 'create' | 'update' | 'delete';
  readonly anyFrame?: boolean;
}

const collections = ['shapes', 'tags', 'tracks'] as const;
const keptNews = 1000;
/** Limit for all kept changes together. A large change is kept alone. */
const keptSizes = 200_000;
/** More windows than users realistically open; each costs a connection. */
const maxListeners = 64;

const objectsOf = (data: LabeledData): number[] =>
  collections.flatMap((name, index) => data[name].map(({ id = -1 }) => id * collections.length + index));

function partOf(data: LabeledData | null, anyFrame: boolean): JobPart {
  if (data === null) return { frames: null, tracks: true, objects: null };
  const frames = anyFrame ? null : [...new Set([...data.shapes, ...data.tags].map(({ frame }) => frame))];
  return { frames: frames && frames.sort((a, b) => a - b), tracks: data.tracks.length > 0, objects: objectsOf(data) };
}

/** Jobs with the same data share their part. */
function partsOf(changed: ChangedObjects, anyFrame: boolean): Pick<Kept, 'parts' | 'sizes'> {
  const known = new Map<LabeledData | null, JobPart>();
  const parts = new Map<number, JobPart>();
  for (const [jobId, data] of changed) {
    const part = known.get(data) ?? partOf(data, anyFrame);
    known.set(data, part);
    parts.set(jobId, part);
  }
  const sizes = [...known.values()].reduce((sum, { objects }) => sum + (objects?.length ?? 0), parts.size);
  return { parts, sizes };
}

const noticeOf = ({ number, userId, window, parts }: Kept, jobId: number): AnnotationChangeNotice[] => {
  const part = parts.get(jobId);
  return part ? [{ jobId, number, userId, window, frames: part.frames, tracks: part.tracks }] : [];
};

export type AnnotationFeed = ReturnType<typeof createAnnotationFeed>;

/**
 * Notifies windows of other users' changes after the commit is on the disk. Keeps the latest changes: a window that was
 * disconnected receives those it missed, and a save based on an outdated version is detected. A version is a process id
 * and a number. A version of an earlier process is treated as unknown.
 */
export function createAnnotationFeed(database: Pick<Store, 'onDisk'>) {
  const epoch = randomUUID().slice(0, 8);
  const listeners = new Map<Listener, { readonly jobId: number; readonly end: () => void }>();
  const followers = new Set<AnnotationFollower>();
  const kept: Kept[] = [];
  const latest = new Map<number, number>();
  let sizes = 0;
  let number = 0;

  const version = (at = number): string => `${epoch}-${at}`;
  /** Null for a version of another process, or one older than the kept changes. */
  const numberOf = (seen: string): number | null => {
    const [its, digits = ''] = seen.split('-');
    const at = Number(digits);
    const isKnown =
      its === epoch && /^\d{1,15}$/.test(digits) && at <= number && at >= (kept[0]?.number ?? number + 1) - 1;
    return isKnown ? at : null;
  };
  const since = (at: number, jobId: number): readonly Kept[] =>
    kept.filter((news) => news.number > at && news.parts.has(jobId));

  const trim = (): void => {
    while (kept.length > keptNews || (sizes > keptSizes && kept.length > 1)) sizes -= kept.shift()?.sizes ?? 0;
  };
  const tell = (news: Kept, action: FeedAction, changes: ChangedObjects): void => {
    for (const [listener, { jobId }] of listeners) noticeOf(news, jobId).forEach(listener);
    for (const follow of followers)
      for (const [jobId, data] of changes) follow({ jobId, userId: news.userId, action }, data);
  };

  /** Call after the transaction, or inside one that ends immediately. */
  function changed(
    { userId, window, action = 'replace', anyFrame = false }: ChangeOfJobs,
    changes: ChangedObjects,
  ): void {
    const news: Kept = { number: (number += 1), userId, window, ...partsOf(changes, anyFrame) };
    kept.push(news);
    for (const jobId of changes.keys()) latest.set(jobId, number);
    sizes += news.sizes;
    trim();
    // A commit that the disk refuses is lost at the next start, so no one is notified of it.
    void database.onDisk().then(
      () => tell(news, action, changes),
      () => undefined,
    );
  }

  return {
    changed,
    /** Notifies the follower of every change of any job, once it is on the disk. */
    follow: (follower: AnnotationFollower): void => void followers.add(follower),
    version,
    /** Number of the latest change of any of the jobs in this process; 0 if there was none. */
    latestOf: (jobIds: readonly number[]): number => jobIds.reduce((at, id) => Math.max(at, latest.get(id) ?? 0), 0),
    /**
     * Call inside the transaction, before the first write.
     * @throws AppError 409 if another user changed one of the objects after the version that the window has seen
     */
    requireSeen({ window, seen }: SavingWindow, jobId: number, data: LabeledData): void {
      if (seen === undefined) return;
      const at = numberOf(seen);
      const ours = new Set(objectsOf(data));
      const theirs = at === null ? null : since(at, jobId).filter((news) => window === null || news.window !== window);
      const isOurs = ({ objects }: JobPart) => objects === null || objects.some((one) => ours.has(one));
      const isStale = theirs?.some(({ parts }) => isOurs(parts.get(jobId)!)) ?? true;
      if (ours.size === 0 || !isStale) return;
      const message =
        'Cannot save: some of these annotations were changed elsewhere. Nothing of this save was applied. Review the ' +
        'changes and save again.';
      throw new AppError('conflict', message, { detail: message, version: version() });
    },
    /**
     * @param after the version that the listener has seen; later changes are sent immediately
     * @param end called when the server closes
     * @returns whether everything after `after` was sent, and a function that stops listening
     * @throws AppError 503 if there are too many listeners
     */
    listen(jobId: number, after: string | null, listener: Listener, end: () => void) {
      if (listeners.size >= maxListeners) {
        throw new AppError(
          'unavailable',
          `Cannot notify this window of changes: ${maxListeners} windows are already connected. Close some, then reload this one.`,
        );
      }
      const at = after === null ? null : numberOf(after);
      listeners.set(listener, { jobId, end });
      return {
        isComplete: at !== null,
        missed: at === null ? [] : since(at, jobId).flatMap((news) => noticeOf(news, jobId)),
        stop: () => void listeners.delete(listener),
      };
    },
    listenerCount: () => listeners.size,
    /** Ends all listening: on close the server waits for open responses. */
    close() {
      for (const { end } of listeners.values()) end();
      listeners.clear();
    },
  };
}
