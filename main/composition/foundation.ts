import { join } from 'node:path';
import { createCloudStorageRepository } from '../buckets/cloud-storage-repository.ts';
import { fetchObjects } from '../media/request-objects.ts';
import { createCloudStorageService } from '../buckets/cloud-storage-service.ts';
import { createBucketNetwork } from '../buckets/object-request.ts';
import { createRequestQueue } from '../background-requests/request-queue.ts';
import type { RequestRow } from '../background-requests/request-repository.ts';
import { createRequestService } from '../background-requests/request-service.ts';
import { createRequestUploads } from '../background-requests/request-uploads.ts';
import type { BaseDependencies } from '../db/base-dependencies.ts';
import { createFormatCatalog, type FormatCatalog } from '../formats/format-catalog.ts';
import { createGarbageCollector } from '../import-export/bulk-writer/garbage-collector.ts';
import { createMediaFrames, type MediaFrames } from '../media/media-frames.ts';
import { encodeImage } from '../media/encode-image.ts';
import { createObjectCache } from '../media/object-cache.ts';
import { provideObjects } from '../media/object-files.ts';
import { openWorkbenchSettings } from '../platform/settings.ts';
import { createSecrets, type SafeStorage } from '../platform/secrets.ts';
import { createPlaceFacts } from '../users/access/access-rules.ts';
import { createWebhooks, type WebhookOptions } from '../webhooks/webhooks.ts';
import { createFramePreparation, type FramePreparation } from '../work/tasks/frame-preparation.ts';
import { createWorkAccess } from '../work/work-access.ts';
import { createEvents } from './events.ts';
import { createRepositories } from './repositories.ts';

export interface FoundationDependencies extends BaseDependencies {
  /** Default: an instance that decodes in this thread. */
  readonly mediaFrames?: MediaFrames;
  /** Default: only the built-in formats. */
  readonly formats?: FormatCatalog;
  readonly webhooks?: WebhookOptions;
  /** Seals secrets, if the shell has one. */
  readonly keychain?: SafeStorage;
}

export type Foundation = ReturnType<typeof createFoundation>;

const filesReadAtOnce = 64;

/** Objects that the services of many modules take, among them the queue where their runners register. */
export function createFoundation(dependencies: FoundationDependencies) {
  const { database, databaseFile, dataDirectory, workers, clock, log, keychain } = dependencies;
  const { mediaFrames = createMediaFrames(), formats = createFormatCatalog(), webhooks: options } = dependencies;
  const repositories = createRepositories(database);
  const { projects, tasks, jobs, media, users } = repositories;
  const place = createPlaceFacts(users);
  const access = createWorkAccess({ projects, tasks, jobs, place });
  const garbage = createGarbageCollector({ workers, paths: { databaseFile, dataDirectory }, log });
  const webhooks = createWebhooks({
    database,
    databaseFile,
    dataDirectory,
    projects,
    users,
    access,
    clock,
    log,
    keychain,
    options,
  });
  const { analytics, changes, historyEntries, requestRows } = createEvents({
    database,
    dataDirectory,
    workers,
    clock,
    log,
    repositories,
    events: webhooks.events,
    baseUrl: options?.baseUrl,
  });
  const network = createBucketNetwork(() => ({
    allowLoopback: webhooks.resource.settings().allow_loopback,
    allowPrivateNetworks: webhooks.resource.settings().allow_private_networks,
  }));
  const cloudStorages = createCloudStorageService({
    database,
    storages: createCloudStorageRepository(database),
    place,
    secrets: createSecrets(join(dataDirectory, 'keys', 'secrets.key'), keychain),
    send: network.send,
    clock,
    thumbnail: (bytes, name) => encodeImage({ source: bytes, name, encoding: previewEncoding }),
  });
  const objects = createObjectCache({
    directory: join(dataDirectory, 'data', 'bucket-cache'),
    maxBytes: () => openWorkbenchSettings(dataDirectory).get('bucketCacheGb') * 1e9,
    clientOf: cloudStorages.clientOf,
  });
  const endObjects = provideObjects(dataDirectory, objects.fetch);
  const uploads = createRequestUploads(dataDirectory, log);
  // One thread that mostly waits for disks. A disk that does not answer must not hold those of other work.
  const reading = workers.separate(1, filesReadAtOnce);
  const { clientOf } = cloudStorages;
  const preparation = createFramePreparation({ media, tasks, jobs, workers: reading, clientOf, log });
  const fetched = fetchObjects(cloudStorages.clientOf);
  const read = framesRead(preparation);
  const queue = createRequestQueue({
    requests: requestRows,
    uploads,
    clock,
    log,
    before: (request, signal) => fetched(request, signal)?.then(() => read(request, signal)) ?? read(request, signal),
  });
  const { seesTask } = access;
  const requests = createRequestService({ database, requests: requestRows, queue, clock, seesTask });
  return {
    database,
    databaseFile,
    dataDirectory,
    workers,
    clock,
    log,
    keychain,
    repositories,
    place,
    access,
    formats,
    mediaFrames,
    preparation,
    garbage,
    webhooks,
    cloudStorages,
    /** Releases connections and the cache of buckets. */
    async closeBuckets(): Promise<void> {
      endObjects();
      await objects.close();
      await network.close();
    },
    analytics,
    changes,
    historyEntries,
    queue,
    requests,
    requestRows,
  };
}

const previewEncoding = { format: 'jpeg', quality: 80, size: 256 } as const;

/** Requests read sizes of frames, so they wait until the images of a listed folder are read. */
const framesRead =
  (preparation: FramePreparation) =>
  ({ type, task_id: taskId, project_id: projectId }: RequestRow, signal: AbortSignal): Promise<void> | undefined => {
    if (type === 'create:task') return undefined;
    if (taskId !== null) return preparation.wholeOf({ kind: 'task', id: taskId }, { signal });
    return projectId === null ? undefined : preparation.wholeOf({ kind: 'project', id: projectId }, { signal });
  };
