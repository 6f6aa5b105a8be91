import { randomUUID } from 'node:crypto';
import type { LabeledData } from '../../../preload/contract/schema/annotations.ts';
import type { Commits } from '../../db/store/commits.ts';
import { AppError } from '../../platform/errors.ts';

/** What became different in one job. */
export interface AnnotationNews {
  readonly jobId: number;
  /** Grows by one with every change of any job. */
  readonly number: number;
  /** Frames of changed shapes and tags, ascending; null: any frame may be concerned. */
  readonly frames: readonly number[] | null;
  /** Whether tracks, which reach over many frames, are among it. */
  readonly tracks: boolean;
  readonly userId: number | null;
  /** The window that did it, where it said so: it knows already. */
  readonly window: string | null;
}

type Heard = Omit<AnnotationNews, 'number'>;
/** Objects as `shapes 4`; null: all of the job. */
type Kept = AnnotationNews & { readonly objects: ReadonlySet<string> | null };
type Listener = (news: AnnotationNews) => void;

/** What a save did, to all that follow; other changes are replacements. */
type Deed = 'create' | 'update' | 'delete' | 'replace';
/** @param data what was changed; null: possibly everything of the job */
export type AnnotationFollower = (
  news: Pick<AnnotationNews, 'jobId' | 'userId'> & { readonly action: Deed },
  data: LabeledData | null,
) => void;

/** Who saves, and up to which version they know what others did. */
export interface SavingWindow {
  readonly window: string | null;
  /** Undefined: an ordinary client, whose last word counts. */
  readonly seen?: string | undefined;
}

const collections = ['shapes', 'tags', 'tracks'] as const;
const keptNews = 1000;
const keptObjects = 200_000;
/** More windows than anybody looks at; each costs a connection. */
const maxListeners = 64;

const objectsOf = (data: LabeledData): Set<string> =>
  new Set(collections.flatMap((name) => data[name].map(({ id }) => `${name} ${id}`)));

export type AnnotationNewsroom = ReturnType<typeof createAnnotationNews>;

/**
 * Tells windows what others changed, after the commit and once it is on the disk. The latest changes are kept, so that
 * a window that was away hears what it missed, and a save that knows too little is found out. A version is this
 * process' name and a number: one of an earlier process says nothing about what happened since.
 */
export function createAnnotationNews({ onDisk }: Pick<Commits, 'onDisk'>) {
  const epoch = randomUUID().slice(0, 8);
  const listeners = new Map<Listener, { readonly jobId: number; readonly end: () => void }>();
  const followers = new Set<AnnotationFollower>();
  const kept: Kept[] = [];
  let objectCount = 0;
  let number = 0;

  const version = (at = number): string => `${epoch}-${at}`;
  /** Null: from another process, or from before what is kept. */
  const numberOf = (seen: string): number | null => {
    const [its, digits = ''] = seen.split('-');
    const at = Number(digits);
    const isKnown =
      its === epoch && /^\d{1,15}$/.test(digits) && at <= number && at >= (kept[0]?.number ?? number + 1) - 1;
    return isKnown ? at : null;
  };
  const since = (at: number, jobId: number): readonly Kept[] =>
    kept.filter((news) => news.number > at && news.jobId === jobId);

  const trim = (): void => {
    while (kept.length > keptNews || (objectCount > keptObjects && kept.length > 1)) {
      objectCount -= kept.shift()?.objects?.size ?? 0;
    }
  };
  const tell = (news: AnnotationNews, deed: Parameters<AnnotationFollower>[0], data: LabeledData | null): void => {
    for (const [listener, { jobId }] of listeners) if (jobId === news.jobId) listener(news);
    for (const follow of followers) follow(deed, data);
  };

  /**
   * After the transaction, or inside it where it ends at once.
   * @param data what was changed; null: possibly everything of the job
   * @param anyFrame the frames in `data` are not those where the objects were
   */
  function changed(
    { action = 'replace', ...heard }: Omit<Heard, 'frames' | 'tracks'> & { readonly action?: Deed },
    data: LabeledData | null,
    anyFrame = false,
  ): void {
    const frames = anyFrame
      ? null
      : data && [...new Set([...data.shapes, ...data.tags].map(({ frame }) => frame))].sort((a, b) => a - b);
    const objects = data && objectsOf(data);
    const news: Kept = {
      ...heard,
      number: (number += 1),
      frames,
      tracks: data === null || data.tracks.length > 0,
      objects,
    };
    kept.push(news);
    objectCount += objects?.size ?? 0;
    trim();
    // What the disk refused is lost at the next start: nobody is told of it.
    void onDisk().then(
      () => tell(news, { ...heard, action }, data),
      () => undefined,
    );
  }

  return {
    changed,
    /** Told of every change of any job, once it is on the disk. */
    follow: (follower: AnnotationFollower): void => void followers.add(follower),
    version,
    /**
     * Inside the transaction, before anything is written.
     * @throws AppError 409 where somebody else changed one of the objects after the version that the window has seen
     */
    requireSeen({ window, seen }: SavingWindow, jobId: number, data: LabeledData): void {
      if (seen === undefined) return;
      const at = numberOf(seen);
      const ours = objectsOf(data);
      const theirs = at === null ? null : since(at, jobId).filter((news) => window === null || news.window !== window);
      const isStale =
        theirs?.some(({ objects }) => objects === null || [...ours].some((one) => objects.has(one))) ?? true;
      if (ours.size === 0 || !isStale) return;
      const message =
        'Some of these annotations were changed elsewhere meanwhile. Nothing of this save was applied: look at what ' +
        'changed and save again.';
      throw new AppError('conflict', message, { detail: message, version: version() });
    },
    /**
     * @param after the version that the listener has seen; what came later is told at once
     * @param end the house closes
     * @returns whether what came after `after` is complete, and how to stop
     * @throws AppError 503 where too many listen
     */
    listen(jobId: number, after: string | null, listener: Listener, end: () => void) {
      if (listeners.size >= maxListeners) {
        throw new AppError(
          'unavailable',
          `${maxListeners} windows are told of changes already. Close some; this one goes on, and shows what others do when it is loaded anew.`,
        );
      }
      const at = after === null ? null : numberOf(after);
      listeners.set(listener, { jobId, end });
      return {
        isComplete: at !== null,
        missed: at === null ? [] : since(at, jobId),
        stop: () => void listeners.delete(listener),
      };
    },
    listenerCount: () => listeners.size,
    /** Ends all listening: the server waits for its answers when it closes. */
    close() {
      for (const { end } of listeners.values()) end();
      listeners.clear();
    },
  };
}
