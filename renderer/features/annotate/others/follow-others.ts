/** What others changed. */
export interface OthersNews {
  /** Null: any frame may be concerned. */
  readonly frames: readonly number[] | null;
  readonly tracks: boolean;
}

/** The part of EventSource that is used here. */
export type Feed = Pick<EventSource, 'addEventListener' | 'close' | 'readyState'>;

interface FollowOptions {
  readonly jobId: number;
  /** This window's name: it is not told of its own saves. */
  readonly window: string;
  /** Brings what is on screen to what the service has. */
  readonly takeIn: (news: OthersNews) => Promise<void>;
  /** Whether what others do arrives at present. */
  readonly onReach: (reached: boolean) => void;
  /** Everything up to this version of the job is taken in. */
  readonly onTaken: (version: string) => void;
  readonly open?: (address: string) => Feed;
}

const patienceMs = 1_000;
/** A feed that was refused is asked for again. */
const retryMs = 5_000;
const closedState = 2;
const everything: OthersNews = { frames: null, tracks: true };

/** One of both: what concerns either. */
const joined = (a: OthersNews | null, b: OthersNews): OthersNews => ({
  frames: a === null ? b.frames : a.frames && b.frames && [...new Set([...a.frames, ...b.frames])],
  tracks: a?.tracks === true || b.tracks,
});

/**
 * Hears from the service what other windows and clients do to a job. What is heard while something is being taken in is
 * taken in together afterwards; what was missed (another process answers, or too much happened) is caught up with whole.
 * A window that nobody sees holds no connection: browsers open few of them to one service.
 */
export function followOthers({ jobId, window: name, takeIn, onReach, onTaken, open = openSource }: FollowOptions) {
  let feed: Feed | null = null;
  let seen: string | null = null;
  let waiting: OthersNews | null = null;
  let isTakingIn = false;
  let retry: ReturnType<typeof setTimeout> | undefined;
  const first = Promise.withResolvers<void>();
  const patience = setTimeout(() => first.resolve(), patienceMs);
  let isFirst = true;
  void first.promise.then(() => (isFirst = false));

  const work = async (): Promise<void> => {
    if (isTakingIn) return;
    isTakingIn = true;
    while (waiting !== null) {
      const news = waiting;
      const version = seen;
      waiting = null;
      try {
        await takeIn(news);
        if (version !== null) onTaken(version);
      } catch {
        // It is missing still: whole, as soon as the service answers again.
        seen = null;
        reopenLater();
        break;
      }
    }
    isTakingIn = false;
  };
  const hear = (news: OthersNews): void => {
    waiting = joined(waiting, news);
    void work();
  };
  const reopenLater = (): void => {
    stop();
    onReach(false);
    retry = setTimeout(start, retryMs);
  };
  const stop = (): void => {
    clearTimeout(retry);
    feed?.close();
    feed = null;
  };
  const start = (): void => {
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
      const { version, ...news } = parse<OthersNews & { version: string }>(event);
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
  const onVisibility = (): void => (document.visibilityState === 'hidden' ? stop() : start());
  document.addEventListener('visibilitychange', onVisibility);
  start();

  return {
    /** From then on nothing is missed: what is loaded later is as new as what is heard. */
    ready: first.promise,
    /** As if somebody had changed this. */
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

// The service's own messages: see its route.
const parse = <Message>(event: Event): Message => JSON.parse((event as MessageEvent<string>).data) as Message;
