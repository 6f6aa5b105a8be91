import { createAdministration, type ShellOptions } from './administration.ts';
import { createEvents } from './events.ts';
import { createRepositories } from './repositories.ts';
import { createWork } from './work.ts';
import type { BaseDependencies } from '../db/base-dependencies.ts';
import { createFormatCatalog, type FormatCatalog } from '../formats/format-catalog.ts';
import { createMediaFrames, type MediaFrames } from '../media/media-frames.ts';
import { createFunctions, type CoreEnd, type FunctionOptions } from '../functions/functions.ts';
import { createPlaceFacts } from '../users/access/access-rules.ts';
import { createMembers } from '../users/members.ts';
import type { SafeStorage } from '../platform/secrets.ts';
import { createRequestQueue } from '../background-requests/request-queue.ts';
import { createRequestService } from '../background-requests/request-service.ts';
import { createRequestUploads } from '../background-requests/request-uploads.ts';
import { createGarbageCollector } from '../import-export/bulk-writer/garbage-collector.ts';
import { createTransfer } from '../import-export/transfer.ts';
import { createWebhooks, type WebhookOptions } from '../webhooks/webhooks.ts';
import { createWorkAccess } from '../work/work-access.ts';

export type Services = ReturnType<typeof createServices>;

export interface ServicesDependencies extends BaseDependencies {
  /** Default: an instance that decodes in this thread. */
  readonly mediaFrames?: MediaFrames;
  readonly shareDirectory: () => string | null;
  /** Default: only the built-in formats. */
  readonly formats?: FormatCatalog;
  readonly webhooks?: WebhookOptions;
  readonly functions?: FunctionOptions;
  readonly backup?: ShellOptions | undefined;
  /** Seals secrets, if the shell has one. */
  readonly keychain?: SafeStorage | undefined;
}

export function createServices(dependencies: ServicesDependencies) {
  const { database, databaseFile, dataDirectory, workers, clock, log, webhooks: options } = dependencies;
  const mediaFrames = dependencies.mediaFrames ?? createMediaFrames();
  const formats = dependencies.formats ?? createFormatCatalog();
  const repositories = createRepositories(database);
  const place = createPlaceFacts(repositories.users);
  const access = createWorkAccess({ ...repositories, place });
  const garbage = createGarbageCollector({ workers, paths: { databaseFile, dataDirectory }, log });
  const known = { ...dependencies, ...repositories, place, access, mediaFrames, formats, onDiscarded: garbage.collect };
  const webhooks = createWebhooks({ ...known, options });
  const heard = createEvents({ ...known, events: webhooks.events, baseUrl: options?.baseUrl });
  const { analytics, changes, historyEntries, requestRows } = heard;
  const work = createWork({ ...known, ...heard });
  work.news.follow(analytics.aboutAnnotations);
  const shared = { ...known, changes, events: changes, replaced: work.replaced, news: work.news };
  const transfer = createTransfer(shared);
  const { annotations, frames, ...lists } = work.services;
  const functions = createFunctions({ ...shared, ...transfer, annotations, frames, lists, options: known.functions });
  const queue = createRequestQueue({
    ...known,
    requests: requestRows,
    runners: analytics.ofRunners({
      ...work.runners,
      ...functions.runners,
      ...transfer.runners,
      'export:events': analytics.runner,
    }),
    uploads: createRequestUploads(dataDirectory, log),
    takesPlace: functions.takesPlace,
  });
  const seesTask = access.seesTask;
  const requests = createRequestService({ database, requests: requestRows, queue, clock, seesTask });
  const administration = createAdministration({ ...shared, annotations, historyEntries, queue, functions, webhooks });
  return {
    ...work.services,
    ...createMembers({ ...shared, removeWork: work.removeAll }),
    functions: {
      ...functions,
      calls: { ...functions.calls, call: analytics.ofCalls(functions.calls.call) },
      ...functions.services({ requests, requestRows, queue }),
    },
    ...work.servicesWith(requests),
    ...transfer.services(requests),
    formats,
    ...administration.services,
    analytics: analytics.service(requests),
    requests,
    webhooks,
    changes,
    listeners: { changes, onAccessToken: analytics.aboutAccessToken },
    /** Call before requests are accepted: deletes uploads without a request. */
    sweepUploads: queue.sweepUploads,
    /** Resumes requests of an earlier run. @param crashMarker reason of that run's crash, if the program caused it */
    recover(crashMarker: string | null = null): void {
      repositories.sets.discardPending();
      transfer.recover();
      work.removeExpired();
      queue.recover(crashMarker);
      garbage.collect();
      webhooks.start();
      functions.recover();
    },
    housekeep(): void {
      work.removeExpired();
      queue.removeExpired();
      webhooks.housekeep();
      analytics.housekeep();
      administration.housekeep();
    },
    async stop(end: CoreEnd = {}): Promise<void> {
      await administration.stop();
      await queue.stop();
      await functions.stop(end);
      await mediaFrames.dispose();
      await garbage.stop();
      await webhooks.stop();
      await analytics.stop();
    },
  };
}
