import type { CoreEnd } from '../functions/functions.ts';
import { createAdministration, type ShellOptions } from './administration.ts';
import { createAnalyticsServices } from './analytics.ts';
import { createEvaluation } from './evaluation.ts';
import { createFoundation, type FoundationDependencies } from './foundation.ts';
import { createImportExport } from './import-export.ts';
import { createModels, type FunctionOptions } from './models.ts';
import { createOrganizations } from './organizations.ts';
import { createWork } from './work.ts';

export type Services = ReturnType<typeof createServices>;

export interface ServicesDependencies extends FoundationDependencies {
  readonly shareDirectory: () => string | null;
  readonly functions?: FunctionOptions;
  readonly backup?: ShellOptions;
}

/** Builds all services in one pass: each gets only objects that were built before it. */
export function createServices(dependencies: ServicesDependencies) {
  const { shareDirectory, functions: options, backup } = dependencies;
  const foundation = createFoundation(dependencies);
  const { repositories, mediaFrames, formats, garbage, webhooks, analytics, changes, queue, requests } = foundation;
  const work = createWork(foundation, shareDirectory);
  const { annotations, frames, tasks, jobs } = work.services;
  const importExport = createImportExport(foundation, work.replaced, work.news, work.savedFrames);
  const evaluation = createEvaluation(foundation, annotations, importExport.runImport);
  const { predictionSets } = evaluation;
  const models = createModels(foundation, { annotations, frames, lists: { tasks, jobs }, predictionSets, options });
  const administration = createAdministration(foundation, { annotations, work, models, backup });
  return {
    ...work.services,
    ...createOrganizations(foundation, work.removeAll),
    functions: {
      ...models,
      calls: { ...models.calls, call: analytics.ofCalls(models.calls.call) },
      ...evaluation.services,
    },
    ...importExport.services,
    formats,
    ...administration.services,
    analytics: createAnalyticsServices(foundation),
    requests,
    requestTypes: queue.types,
    webhooks,
    cloudStorages: foundation.cloudStorages,
    changes,
    onAccessToken: analytics.aboutAccessToken,
    /** Call before requests are accepted: deletes uploads without a request. */
    sweepUploads: queue.sweepUploads,
    /** Resumes requests of an earlier run. @param crashMarker reason of that run's crash, if the program caused it */
    recover(crashMarker: string | null = null): void {
      repositories.sets.discardPending();
      work.recover();
      importExport.recover();
      work.removeExpired();
      queue.recover(crashMarker);
      work.start();
      garbage.collect();
      webhooks.start();
      models.recover();
    },
    housekeep(): void {
      work.removeExpired();
      queue.removeExpired();
      webhooks.housekeep();
      analytics.housekeep();
      administration.housekeep();
    },
    async stop(end: CoreEnd = {}): Promise<void> {
      // Waits for receivers beside all others; events from here on are sent after the next start.
      const delivered = webhooks.stop();
      await administration.stop();
      foundation.preparation.stop();
      await work.stop();
      await queue.stop();
      await models.stop(end);
      work.services.frames.stop();
      await mediaFrames.dispose();
      await foundation.closeBuckets();
      await garbage.stop();
      await delivered;
      await analytics.stop();
    },
  };
}
