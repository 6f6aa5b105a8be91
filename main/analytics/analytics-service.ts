import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import {
  clientScopes,
  type ActivityEvent,
  type ClientEvents,
  type clientEventsWriteSchema,
} from '../../preload/contract/schema/activity.ts';
import type { analyticsPatchSchema, AnalyticsState } from '../../preload/contract/schema/analytics.ts';
import { invalidField } from '../platform/errors.ts';
import { isAdmin, noFacts, requireAdmin, requireAllowed } from '../users/access/access-rules.ts';
import type { Actor } from '../users/access/actor.ts';
import { writeExportFile } from '../background-requests/export-file.ts';
import type { RequestRunner } from '../background-requests/request-queue.ts';
import type { RequestService } from '../background-requests/request-service.ts';
import { createReporter } from './analytics-report.ts';
import type { EventFilter } from './event-repository.ts';
import { keptDays, maxBytes, type EventVolume } from './event-volume.ts';
import type { ExportEventsJob } from './event-jobs.ts';
import type { WorkProgressRepository } from './work-progress-repository.ts';
import { workingTime } from './working-time.ts';
import type { WorkServiceDependencies } from '../work/work-dependencies.ts';
import type { BaseDependencies } from '../db/base-dependencies.ts';

export interface EventExport {
  readonly from?: string;
  readonly to?: string;
  readonly userId?: number;
  readonly organizationId?: number;
  readonly projectId?: number;
  readonly taskId?: number;
  readonly jobId?: number;
  readonly fileName?: string;
}

interface ExportParameters {
  readonly filter: EventFilter;
  readonly fileName: string;
}

interface Dependencies extends Pick<WorkServiceDependencies, 'users' | 'clock'> {
  readonly volume: EventVolume;
  readonly work: WorkProgressRepository;
}

export function createAnalyticsService({ volume, work, users, clock }: Dependencies, requests: RequestService) {
  /** True if the actor may see the events of all users. */
  const seesAll = (actor: Actor): boolean => isAdmin(actor) || users.get(actor.userId)?.has_analytics_access === 1;
  const report = createReporter({ volume, work, seesAll, clock });

  async function state(actor: Actor): Promise<AnalyticsState> {
    const enabled = volume.isOn();
    if (enabled) await volume.settle();
    const extent = volume.isOn() ? await volume.measure() : { first: null, last: null, events: 0, bytes: 0 };
    return {
      enabled,
      can_change: isAdmin(actor),
      can_see_all: seesAll(actor),
      events: extent.events,
      first_date: asDate(extent.first),
      last_date: asDate(extent.last),
      size_bytes: extent.bytes,
      retention_days: keptDays,
      max_bytes: maxBytes,
      dropped: volume.droppedCount(),
    };
  }

  return {
    isOn: volume.isOn,
    state,
    /** @throws AppError 400 if events would be deleted and the caller did not confirm that */
    async switchTo(
      actor: Actor,
      { enabled, delete_events: deletesEvents = false }: z.output<typeof analyticsPatchSchema>,
    ): Promise<AnalyticsState> {
      requireAdmin(actor);
      const { events } = await state(actor);
      if (!enabled && events > 0 && !deletesEvents) {
        const what = `Analytics is still enabled. Disabling it deletes all ${events} events.`;
        throw invalidField('delete_events', `${what} Export them first, or send "delete_events": true.`);
      }
      await volume.switchTo(enabled);
      return state(actor);
    },

    /**
     * Stores events with the sender as their user and times corrected to this computer's clock. While analytics is off,
     * the answer is the same but nothing is stored.
     */
    async log(actor: Actor, body: z.output<typeof clientEventsWriteSchema>): Promise<ClientEvents> {
      requireAllowed(actor, 'event', 'send', noFacts);
      const aheadMs = Date.parse(clock()) - Date.parse(body.timestamp);
      const { organization, userId, username } = actor;
      const email = users.get(userId)?.email;
      const known = (event: ActivityEvent): ActivityEvent => ({
        ...event,
        timestamp: corrected(event.timestamp, aheadMs),
        payload: checkedPayload(event.payload),
        source: 'client',
        user_id: userId,
        user_name: username,
        user_email: email === undefined || email === '' ? null : email,
        org_id: organization.kind === 'one' ? organization.id : null,
      });
      for (const { scope } of body.events) {
        if (!clientScopes.has(scope))
          throw invalidField('scope', `Event scope **${scope}** is not allowed from client`);
      }
      const events = body.events.map(known);
      const previous = body.previous_event ? known(body.previous_event) : null;
      await volume.keep([...events, ...workingTime(events, previous)]);
      return { events, timestamp: body.timestamp };
    },

    /** Administrators and users with analytics access export all events, others their own. */
    startExport(actor: Actor, wanted: EventExport): { rq_id: string } {
      requireAllowed(actor, 'event', 'dump', noFacts);
      volume.requireOn();
      const { from, to, fileName, userId, ...rest } = wanted;
      const parameters: ExportParameters = {
        filter: {
          fromMs: from === undefined ? 0 : Date.parse(from),
          toMs: (to === undefined ? Date.parse(clock()) : Date.parse(to)) + 1,
          ...rest,
          userId: seesAll(actor) ? userId : actor.userId,
        },
        fileName: fileName ?? `logs_${clock().slice(0, 19).replaceAll(/[-:T]/g, '_')}.csv`,
      };
      return requests.start(actor, {
        key: { action: 'export', target: 'events', uuid: randomUUID(), userId: actor.userId },
        type: 'export:events',
        parameters: { ...parameters },
      });
    },

    report,
  };
}

const asDate = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

/** Replaces invalid times of a client's clock by the current time. */
function corrected(timestamp: string, aheadMs: number): string {
  const timeMs = Date.parse(timestamp) + aheadMs;
  const isUsual = timeMs > 0 && timeMs < Date.parse('2200-01-01');
  return new Date(isUsual ? timeMs : Date.now()).toISOString().replace('Z', '000Z');
}

function checkedPayload(payload: string | null | undefined): string {
  try {
    return JSON.stringify(JSON.parse(payload ?? '{}'));
  } catch {
    throw invalidField('payload', 'JSON payload is not valid in passed event');
  }
}

export function createEventExportRunner({
  dataDirectory,
  workers,
  volume,
}: Pick<BaseDependencies, 'dataDirectory' | 'workers'> & {
  readonly volume: EventVolume;
}): RequestRunner {
  return async ({ parameters }, { signal, progress }) => {
    const { filter, fileName } = JSON.parse(parameters) as ExportParameters;
    volume.requireOn();
    await volume.settle();
    progress(0, 'Reading the events');
    const { resultFile, written: count } = await writeExportFile(dataDirectory, (destination) => {
      const job: ExportEventsJob = { file: volume.file, filter, destination };
      return workers.run('exportEvents', job, { signal });
    });
    return { message: `${count} ${count === 1 ? 'event' : 'events'} exported.`, resultFile, resultName: fileName };
  };
}
