import type { Clock } from '../platform/clock.ts';
import { failedEnd, RequestFailure } from './request-end.ts';
import type { RequestEnd, RequestRepository, RequestRow } from './request-repository.ts';
import type { RequestUploads } from './request-uploads.ts';

type Interrupted = Pick<RequestRow, 'attempts' | 'own_ends'>;

/** External ends (kill, power cut, shutdown) that are not counted against a request. */
const unsuspicious = 2;
const maxDelayMs = 30_000;

/** True if an interrupted request must run alone, so that another crash can be attributed to it. */
export const runsAlone = ({ attempts, own_ends: crashMarkers }: Interrupted): boolean =>
  crashMarkers > 0 || attempts > unsuspicious;

/**
 * Delay before such a request restarts. Crashes without a trace (native library, out of memory) look like a kill, so
 * the request is not given up, but the user has time to cancel it.
 */
const delayMs = ({ attempts }: Pick<Interrupted, 'attempts'>): number =>
  attempts <= unsuspicious ? 0 : Math.min(maxDelayMs, 1000 * 2 ** (attempts - unsuspicious - 1));

/** True after two crashes of the program; the request ran alone at the second one. */
const isHopeless = ({ own_ends: crashMarkers }: Pick<Interrupted, 'own_ends'>): boolean => crashMarkers >= 2;

function waitingMessage(request: Interrupted): string {
  if (!runsAlone(request)) return 'Restarted after an interruption.';
  return `Limner has ended ${request.attempts} times during this request. It is started again alone; cancel it if you do not want that.`;
}

const hopelessMessage = (reason: string): string =>
  `Limner crashed twice during this request, the second time while it ran alone (${reason}). It is not ` +
  'retried, and nothing was changed. Try it with fewer or smaller files; the log has the details.';

/** Background requests that were running when the process ended. */
export function createInterrupted(dependencies: {
  readonly requests: RequestRepository;
  readonly uploads: RequestUploads;
  readonly clock: Clock;
  readonly end: (id: string, end: RequestEnd) => unknown;
  readonly onReady: () => void;
}) {
  const { requests, uploads, clock, end, onReady } = dependencies;
  const waiting = new Map<string, NodeJS.Timeout>();

  function takeUpOne(row: RequestRow, crashMarker: string | null): void {
    const request = { ...row, own_ends: row.own_ends + (crashMarker === null ? 0 : 1) };
    const { id } = request;
    if (crashMarker !== null && isHopeless(request)) {
      end(id, failedEnd(new RequestFailure(hopelessMessage(crashMarker)), false, clock()));
      void uploads.remove(request);
      return;
    }
    requests.requeue({ id, own_ends: request.own_ends, message: waitingMessage(request) });
    const delay = delayMs(request);
    if (delay === 0) return;
    const begin = () => {
      waiting.delete(id);
      onReady();
    };
    waiting.set(id, setTimeout(begin, delay).unref());
  }

  return {
    /** Queues all interrupted requests at the start, except those that crashed the process. */
    takeUp(crashMarker: string | null): void {
      for (const row of requests.unfinished()) if (row.status === 'started') takeUpOne(row, crashMarker);
    },
    isWaiting: (id: string): boolean => waiting.has(id),
    stop(): void {
      for (const timer of waiting.values()) clearTimeout(timer);
    },
  };
}
