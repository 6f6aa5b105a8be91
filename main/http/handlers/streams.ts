import type { RequestContext } from '../request-context.ts';
import type { Services } from '../../composition/services.ts';
import type { QueryOf } from '../../../preload/contract/operation.ts';
import type { streamOperations } from '../../../preload/contract/operations/streams.ts';
import type { RawHandlersOf } from '../handler.ts';
import { AppError, invalidField } from '../../platform/errors.ts';
import type { AnnotationListening } from '../../work/annotations/annotation-subscriptions.ts';

/** Stream to one listener, open until the listener disconnects or `end` is called. */
export interface EventStream {
  readonly send: (text: string) => void;
  readonly end: () => void;
}

const beatMs = 15_000;

/**
 * Answers with server-sent events.
 * @param open called with the stream; returns a function that is called once when either side ends the stream
 * @param mostWaiting number of unread messages after which the listener is disconnected
 */
function eventStream(
  { signal }: Pick<RequestContext, 'signal'>,
  beat: string,
  open: (stream: EventStream) => () => void,
  mostWaiting = Infinity,
): Response {
  let ended = (): void => undefined;
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        let isOpen = true;
        let leave: (() => void) | undefined;
        let beating: NodeJS.Timeout | undefined;
        ended = (): void => {
          isOpen = false;
          clearInterval(beating);
          signal.removeEventListener('abort', end);
          leave?.();
          leave = undefined;
        };
        const end = (): void => {
          if (isOpen) controller.close();
          ended();
        };
        const send = (text: string): void => {
          if (!isOpen) return;
          if ((controller.desiredSize ?? 0) <= 0) return end();
          controller.enqueue(Buffer.from(text));
        };
        const stop = open({ send, end });
        if (!isOpen) return stop();
        leave = stop;
        beating = setInterval(() => send(beat), beatMs).unref();
        signal.addEventListener('abort', end);
      },
      cancel: () => ended(),
    },
    { highWaterMark: mostWaiting },
  );
  return new Response(body, {
    headers: { 'Content-Type': 'text/event-stream; charset=utf-8', 'Cache-Control': 'no-store' },
  });
}

const retryMs = 2000;

/** The stream ends after this time. The listener reconnects and is authenticated again. */
const longestMs = 5 * 60_000;
/** Number of unread messages after which a listener is disconnected. It reconnects and catches up. */
const maxWaiting = 256;
const windowName = /^[\w-]{1,64}$/;

export function createStreamHandlers({
  listening,
  functions: { native },
}: Services): RawHandlersOf<typeof streamOperations> {
  return {
    watchJobChanges: ({ params, query, request }) => answerFeed(listening, request, params.id, query),
    // Agents read an empty line as an event without a name, so neither the beat nor the first line ends with one.
    watchAgentQueue: ({ actor, params, request }) =>
      eventStream(request, ': there\n', ({ send, end }) => {
        const { leave } = native.listen(actor, params.queue_id, {
          tell: (category) => send(`event: newrequest\ndata: ${JSON.stringify({ request_category: category })}\n\n`),
          end,
        });
        send(`retry: ${retryMs}\n`);
        return leave;
      }),
  };
}

function answerFeed(
  listening: AnnotationListening,
  { actor, raw, signal }: RequestContext,
  jobId: number,
  query: QueryOf<typeof streamOperations.watchJobChanges>,
): Response {
  const { window = null } = query;
  if (window !== null && !windowName.test(window)) {
    throw invalidField('window', 'Use letters, digits, _ and -, at most 64 characters.');
  }
  const after = raw.headers.get('Last-Event-ID') ?? query.after ?? null;
  if (raw.headers.get('Sec-Fetch-Dest') === 'document')
    throw new AppError('not-acceptable', 'This address has no page.');

  const message = (event: string, data: object, version?: string): string =>
    `${version === undefined ? '' : `id: ${version}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
  return eventStream(
    { signal },
    message('heartbeat', {}),
    ({ send, end }) => {
      const told = listening.listen(actor, {
        jobId,
        after,
        window,
        tell: (news) => send(message('change', news, news.version)),
        end,
      });
      const longest = setTimeout(end, longestMs).unref();
      send('retry: 1000\n');
      // Without an id, so that a listener that disconnects before it caught up continues from its old version.
      send(message('hello', { version: told.version, complete: told.isComplete }));
      told.replay();
      return () => {
        clearTimeout(longest);
        told.stop();
      };
    },
    maxWaiting,
  );
}
