import type { ActivityEvent } from '../../preload/contract/schema/activity.ts';
import { call } from './client.ts';
import { organizationContext } from './organization-context.ts';

const sendAfterMs = 15_000;
/** Some hours of work; older events are dropped. */
const maxWaiting = 2000;
/** Limit of a request that outlives its page. */
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

/** User events for analytics: collected here, sent periodically, discarded while analytics is disabled. */
function createClientEvents({ send, isWanted, now }: ClientEventParts) {
  let waiting: ActivityEvent[] = [];
  let previous: ActivityEvent | null = null;
  let timer: ReturnType<typeof setTimeout> | null = null;
  let sending: Promise<void> = Promise.resolve();
  /** Null until requested. */
  let wanted: boolean | null = null;

  /** Called early, because a closing page has no time for it. */
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
      // The service is unreachable: they are sent with the next ones.
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

/** For the life of the window: reports failures of the page, and sends the rest on close. */
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
