import type { Core } from '../core.ts';
import type { RequestContext } from './request-context.ts';
import type { PlainRoute } from './route.ts';

const beatMs = 15_000;
const retryMs = 2000;

type NativeFunctions = Core['functions']['native'];

/** New requests of a native function, as its agents listen to them: server-sent events. */
export function agentQueueRoute(native: NativeFunctions): PlainRoute {
  return {
    method: 'GET',
    path: '/api/functions/queues/{queue_id}/watch',
    tag: 'functions',
    summary: 'New requests of a native function as they come: server-sent events `newrequest`',
    statuses: [200],
    answer: (request, params) => answerQueue(native, request, params['queue_id'] ?? ''),
  };
}

function answerQueue(native: NativeFunctions, { actor, signal }: RequestContext, queueId: string): Response {
  const open: { leave: () => void } = { leave: () => undefined };
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      let isOpen = true;
      const stop = (): void => {
        isOpen = false;
        clearInterval(beat);
        signal.removeEventListener('abort', leave);
      };
      const close = (): void => {
        if (isOpen) controller.close();
        stop();
      };
      const leave = (): void => {
        close();
        listening.leave();
      };
      const send = (text: string): void => controller.enqueue(Buffer.from(text));
      const listening = native.listen(actor, queueId, {
        tell: (category) => send(`event: newrequest\ndata: ${JSON.stringify({ request_category: category })}\n\n`),
        end: close,
      });
      // Agents take an empty line for an event without a name: neither this nor a beat ends with one.
      const beat = setInterval(() => send(': there\n'), beatMs).unref();
      signal.addEventListener('abort', leave);
      open.leave = () => {
        stop();
        listening.leave();
      };
      send(`retry: ${retryMs}\n`);
    },
    cancel: () => open.leave(),
  });
  return new Response(body, {
    headers: { 'Content-Type': 'text/event-stream; charset=utf-8', 'Cache-Control': 'no-store' },
  });
}
