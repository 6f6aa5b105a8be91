export interface RemoteChanges {
  /** Null means that any frame may be affected. */
  readonly frames: readonly number[] | null;
  readonly tracks: boolean;
}

export type Feed = Pick<EventSource, 'addEventListener' | 'close' | 'readyState'>;

interface FollowOptions {
  readonly jobId: number;
  /** Id of this window, which receives no events about its own saves. */
  readonly window: string;
  /** Reports if remote changes arrive. */
  readonly onReach: (reached: boolean) => void;
  /** Called when all changes up to this version of the job are loaded. */
  readonly onTaken: (version: string) => void;
  readonly open?: (address: string) => Feed;
}

type TakeIn = (news: RemoteChanges) => Promise<void>;

const patienceMs = 1_000;
/** Delay before a refused stream is opened again. */
const retryMs = 5_000;
const closedState = 2;
const everything: RemoteChanges = { frames: null, tracks: true };

const joined = (a: RemoteChanges | null, b: RemoteChanges): RemoteChanges => ({
  frames: a === null ? b.frames : a.frames && b.frames && [...new Set([...a.frames, ...b.frames])],
  tracks: a?.tracks === true || b.tracks,
});

/**
 * Receives changes to a job by other windows and clients. Changes during a load are loaded together afterwards. After a
 * gap (another process, too many changes) everything is loaded. A hidden window closes the connection, because browsers
 * allow few per service.
 */
export function followRemoteChanges({ jobId, window: name, onReach, onTaken, open = openSource }: FollowOptions) {
  let takeIn: TakeIn | null = null;
  let feed: Feed | null = null;
  let seen: string | null = null;
  let waiting: RemoteChanges | null = null;
  let isTakingIn = false;
  let retry: ReturnType<typeof setTimeout> | undefined;
  const first = Promise.withResolvers<void>();
  const patience = setTimeout(() => first.resolve(), patienceMs);
  let isFirst = true;
  void first.promise.then(() => (isFirst = false));

  const work = async (): Promise<void> => {
    const take = takeIn;
    if (take === null || isTakingIn) return;
    isTakingIn = true;
    while (waiting !== null) {
      const news = waiting;
      const version = seen;
      waiting = null;
      try {
        await take(news);
        if (version !== null) onTaken(version);
      } catch {
        // Still missing; everything is loaded as soon as the service answers.
        seen = null;
        reopenLater();
        break;
      }
    }
    isTakingIn = false;
  };
  const hear = (news: RemoteChanges): void => {
    waiting = joined(waiting, news);
    void work();
  };
  const reopenLater = (): void => {
    stop();
    onReach(false);
    retry = setTimeout(connect, retryMs);
  };
  const stop = (): void => {
    clearTimeout(retry);
    feed?.close();
    feed = null;
  };
  const connect = (): void => {
    stop();
    const query = new URLSearchParams({ window: name, ...(seen === null ? {} : { after: seen }) });
    const mine = open(`/api/limner/jobs/${jobId}/changes?${query}`);
    feed = mine;
    mine.addEventListener('hello', (event) => {
      const { version, complete } = parse<{ version: string; complete: boolean }>(event);
      onReach(true);
      if (!complete) {
        seen = version;
        if (isFirst) onTaken(version);
        else hear(everything);
      }
      first.resolve();
    });
    mine.addEventListener('change', (event) => {
      const { version, ...news } = parse<RemoteChanges & { version: string }>(event);
      seen = version;
      hear(news);
    });
    mine.addEventListener('error', () => {
      if (feed !== mine) return;
      first.resolve();
      onReach(false);
      if (mine.readyState === closedState) reopenLater();
    });
  };
  const onVisibility = (): void => (document.visibilityState === 'hidden' ? stop() : connect());

  return {
    /** Opens the connection. Separate, because the parts that take in changes await `ready` before they load. */
    start(given: TakeIn) {
      takeIn = given;
      document.addEventListener('visibilitychange', onVisibility);
      connect();
    },
    /** Resolves when no later change is missed. Data loaded afterwards is as new as the events. */
    ready: first.promise,
    hear,
    close() {
      clearTimeout(patience);
      document.removeEventListener('visibilitychange', onVisibility);
      stop();
      first.resolve();
    },
  };
}

const openSource = (address: string): Feed => new EventSource(address);

// The route of the service defines these messages.
const parse = <Message>(event: Event): Message => JSON.parse((event as MessageEvent<string>).data) as Message;
