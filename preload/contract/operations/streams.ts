import { z } from 'zod';
import { raw, text } from '../operation.ts';

/** Server-sent events. */
export const streamOperations = {
  /** Limner extension: other users' changes in a job. */
  watchJobChanges: raw.stream(
    '/api/limner/jobs/{id}/changes',
    "Changes of a job's annotations as server-sent events `hello`, `change` and `heartbeat`",
    {
      query: z.object({
        after: text('Last known version; later changes are sent at once'),
        window: text('Name of this window, whose own changes are not sent'),
      }),
      headers: z.object({ 'Last-Event-ID': text('Same as `after`, when a listener reconnects') }),
    },
  ),
  /** New requests of a native function, for its agents. */
  watchAgentQueue: raw.stream(
    '/api/functions/queues/{queue_id}/watch',
    'New requests of a native function as server-sent events `newrequest`',
    { params: z.object({ queue_id: z.string() }) },
  ),
} as const;
