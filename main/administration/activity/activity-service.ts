import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { z } from 'zod';
import type {
  ActivityEvent,
  ClientEvents,
  clientEventsWriteSchema,
} from '../../../preload/contract/schema/activity.ts';
import type { Clock } from '../../platform/clock.ts';
import type { WorkerPool } from '../../platform/worker-pool.ts';
import { isAdmin, noFacts, requireAllowed } from '../../people/access/access-rules.ts';
import type { Actor } from '../../people/access/actor.ts';
import { writeExportFile } from '../../requests/export-file.ts';
import type { RequestRunner } from '../../requests/request-queue.ts';
import type { RequestService } from '../../requests/request-service.ts';
import { appendEvents } from './event-log.ts';
import type { EventFilter, ExportEventsJob } from './export-events-job.ts';

export interface EventExport {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly userId?: number | undefined;
  readonly organizationId?: number | undefined;
  readonly projectId?: number | undefined;
  readonly taskId?: number | undefined;
  readonly jobId?: number | undefined;
  readonly fileName?: string | undefined;
}

interface ExportParameters {
  readonly filter: EventFilter;
  readonly fileName: string;
}

/** The log of what people do: JSON lines below the data directory's `events`, for statistics. */
export function createActivityService(
  { dataDirectory, clock }: { readonly dataDirectory: string; readonly clock: Clock },
  requests: RequestService,
) {
  const folder = join(dataDirectory, 'events');

  return {
    /** Whoever sends an event is the one who did it, and when is told by this machine's clock. */
    async log(actor: Actor, body: z.output<typeof clientEventsWriteSchema>): Promise<ClientEvents> {
      requireAllowed(actor, 'event', 'send', noFacts);
      const aheadMs = Date.parse(clock()) - Date.parse(body.timestamp);
      const { organization } = actor;
      const events = body.events.map((event): ActivityEvent => ({
        ...event,
        timestamp: corrected(event.timestamp, aheadMs),
        user_id: actor.userId,
        user_name: actor.username,
        org_id: organization.kind === 'one' ? organization.id : null,
      }));
      await appendEvents(folder, events);
      return { events, timestamp: body.timestamp };
    },

    /** An admin exports everybody's events, others their own. */
    startExport(actor: Actor, wanted: EventExport): { rq_id: string } {
      requireAllowed(actor, 'event', 'dump', noFacts);
      const { from, to, fileName, userId, ...rest } = wanted;
      const narrowed = isAdmin(actor) ? userId : actor.userId;
      const parameters: ExportParameters = {
        filter: {
          fromMs: from === undefined ? 0 : Date.parse(from),
          toMs: to === undefined ? Date.parse(clock()) : Date.parse(to),
          ...(narrowed === undefined ? {} : { userId: narrowed }),
          ...rest,
        } as EventFilter,
        fileName: fileName ?? `logs_${clock().slice(0, 19).replaceAll(/[-:T]/g, '_')}.csv`,
      };
      return requests.start(actor, {
        key: { action: 'export', target: 'events', uuid: randomUUID(), userId: actor.userId },
        type: 'export:events',
        parameters: { ...parameters },
      });
    },
  };
}

/** Times that no calendar has (a client's clock gone wild) become now. */
function corrected(timestamp: string, aheadMs: number): string {
  const timeMs = Date.parse(timestamp) + aheadMs;
  const isUsual = timeMs > 0 && timeMs < Date.parse('2200-01-01');
  return new Date(isUsual ? timeMs : Date.now()).toISOString().replace('Z', '000Z');
}

/** Runs `export:events`. */
export function createEventExportRunner({
  dataDirectory,
  workers,
}: {
  readonly dataDirectory: string;
  readonly workers: WorkerPool;
}): RequestRunner {
  return async ({ parameters }, { signal, progress }) => {
    const { filter, fileName } = JSON.parse(parameters) as ExportParameters;
    progress(0, 'Reading the log');
    const { resultFile, written: count } = await writeExportFile(dataDirectory, (destination) => {
      const job: ExportEventsJob = { folder: join(dataDirectory, 'events'), filter, destination };
      return workers.run<ExportEventsJob, number>('exportEvents', job, { signal });
    });
    return { message: `${count} ${count === 1 ? 'event' : 'events'} exported.`, resultFile, resultName: fileName };
  };
}
