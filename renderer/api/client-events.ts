import type { ActivityEvent } from '../../preload/contract/schema/activity.ts';
import { call } from './client.ts';
import { organizationContext } from './organization-context.ts';

const sendAfterMs = 15_000;
/** Some hours of work. Beyond it the oldest are left out. */
const maxWaiting = 2000;
/** What a request may carry that outlives its page. */
const keptAliveBytes = 60_000;

type Told = Partial<Omit<ActivityEvent, 'scope' | 'timestamp'>>;

interface ClientEventParts {
  readonly send: (body: {
    readonly events: readonly ActivityEvent[];
    readonly previous_event: ActivityEvent | null;
    readonly timestamp: string;
  }) => Promise<unknown>;
  readonly isWanted: () => Promise<boolean>;
  readonly now: () => Date;
}

/** What the person does, for analytics: gathered here, sent now and then, thrown away while analytics is off. */
function createClientEvents({ send, isWanted, now }: ClientEventParts) {
  let waiting: ActivityEvent[] = [];
  let previous: ActivityEvent | null = null;
  let timer: ReturnType<typeof setTimeout> | null = null;
  let sending: Promise<void> = Promise.resolve();
  /** Null: not asked yet. */
  let wanted: boolean | null = null;

  /** Early: a page that goes away has no time to ask. */
  async function ask(): Promise<void> {
    wanted ??= await isWanted();
  }

  async function sendAll(): Promise<void> {
    const events = waiting;
    waiting = [];
    try {
      await ask();
      if (!wanted || events.length === 0) return;
      await send({ events, previous_event: previous, timestamp: now().toISOString() });
      previous = events.at(-1) ?? null;
    } catch {
      // The service is away: they go with the next ones.
      waiting = [...events, ...waiting].slice(-maxWaiting);
    }
  }

  function flush(): Promise<void> {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    sending = sending.then(sendAll);
    return sending;
  }

  return {
    tell(scope: string, told: Told = {}): void {
      if (wanted === false) return;
      waiting.push({ count: 1, duration: 0, ...told, scope, timestamp: now().toISOString() });
      if (waiting.length > maxWaiting) waiting.shift();
      if (wanted === null && timer === null) void ask().catch(() => undefined);
      timer ??= setTimeout(() => void flush(), sendAfterMs);
    },
    flush,
    /** Somebody switched analytics on or off. */
    setWanted(next: boolean): void {
      wanted = next;
      if (!next) waiting = [];
    },
  };
}

export const clientEvents = createClientEvents({
  now: () => new Date(),
  isWanted: async () => (await call('plugins', {})).ANALYTICS,
  send: (body) =>
    call('sendEvents', {
      body: { ...body, events: [...body.events] },
      organization: organizationContext(),
      keepalive: JSON.stringify(body).length < keptAliveBytes,
    }),
});

/** For the life of the window: failures of the page, and a last sending when it goes. */
export function startClientEvents(): void {
  clientEvents.tell('load:cvat', { duration: Math.round(performance.now()) });
  const failed = (message: string): void =>
    clientEvents.tell('send:exception', {
      obj_name: 'window',
      payload: JSON.stringify({ message: message.slice(0, 2000) }),
    });
  window.addEventListener('error', (event) => failed(event.message));
  window.addEventListener('unhandledrejection', ({ reason }) => failed(String(reason)));
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') void clientEvents.flush();
  });
}
