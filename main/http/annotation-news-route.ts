import { AppError, invalidField, notFound } from '../platform/errors.ts';
import type { AnnotationListening } from '../work/annotations/annotation-listening.ts';
import type { RequestContext } from './request-context.ts';
import type { PlainRoute } from './route.ts';

const beatMs = 15_000;
/** Then the listener comes again, by itself, and is asked anew who it is. */
const longestMs = 5 * 60_000;
/** Messages that a listener has not taken: it has stopped reading. It comes again and catches up. */
const maxWaiting = 256;
const windowName = /^[\w-]{1,64}$/;

/** Limner's own: what others change in a job, as server-sent events. */
export function annotationNewsRoute(listening: AnnotationListening): PlainRoute {
  return {
    method: 'GET',
    path: '/api/limner/jobs/{id}/changes',
    tag: 'limner',
    summary: 'Changes of the annotations of a job as they happen: server-sent events `hello`, `change` and `beat`',
    statuses: [200],
    parameters: [
      { name: 'after', in: 'query', description: 'The version that is known: what came later is told at once' },
      { name: 'window', in: 'query', description: 'Changes that name this window are not told to it' },
      { name: 'Last-Event-ID', in: 'header', description: 'The same as `after`, where a listener comes again' },
    ],
    answer: (request, params) => answerNews(listening, request, params['id'] ?? ''),
  };
}

function answerNews(listening: AnnotationListening, request: RequestContext, id: string): Response {
  const { actor, url, raw, signal } = request;
  if (!/^[1-9]\d{0,14}$/.test(id)) throw notFound();
  const window = url.searchParams.get('window');
  if (window !== null && !windowName.test(window)) {
    throw invalidField('window', 'A name of letters, digits, _ and -, at most 64 of them.');
  }
  const after = raw.headers.get('Last-Event-ID') ?? url.searchParams.get('after');
  if (raw.headers.get('Sec-Fetch-Dest') === 'document') throw new AppError('not-acceptable', 'This is no page.');

  const open: { stop: () => void } = { stop: () => undefined };
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        let isOpen = true;
        const stop = (): void => {
          if (!isOpen) return;
          isOpen = false;
          clearInterval(beat);
          clearTimeout(end);
          signal.removeEventListener('abort', stop);
          told.stop();
          controller.close();
        };
        const send = (event: string, data: object, version?: string): void => {
          if (!isOpen) return;
          if ((controller.desiredSize ?? 0) <= 0) return stop();
          const id = version === undefined ? '' : `id: ${version}\n`;
          controller.enqueue(Buffer.from(`${id}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`));
        };
        const told = listening.listen(actor, {
          jobId: Number(id),
          after,
          window,
          tell: (news) => send('change', news, news.version),
          end: stop,
        });
        const beat = setInterval(() => send('beat', {}), beatMs).unref();
        const end = setTimeout(stop, longestMs).unref();
        signal.addEventListener('abort', stop);
        open.stop = stop;
        controller.enqueue(Buffer.from('retry: 1000\n'));
        // Without an id: until the listener has caught up, it comes again with what it knew before.
        send('hello', { version: told.version, complete: told.isComplete });
        told.replay();
      },
      cancel: () => open.stop(),
    },
    { highWaterMark: maxWaiting },
  );
  return new Response(body, {
    headers: { 'Content-Type': 'text/event-stream; charset=utf-8', 'Cache-Control': 'no-store' },
  });
}
