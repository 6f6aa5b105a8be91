import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import type { SignIn } from '../users/sign-in.ts';
import type { Services } from '../composition/services.ts';
import type { Store } from '../db/store.ts';
import type { BuiltPages } from '../platform/application.ts';
import type { Logger } from '../platform/log.ts';
import { createApp } from './app.ts';
import type { Handlers, RawHandlers } from './handler.ts';
import { createCloudStorageFileHandlers, createCloudStorageHandlers } from './handlers/cloud-storages.ts';
import { createFunctionHandlers } from './handlers/functions.ts';
import { createAssetHandlers } from './handlers/assets.ts';
import { createDetectHandlers } from './handlers/detect.ts';
import { createDownloadHandlers } from './handlers/downloads.ts';
import { createFunctionFileHandlers } from './handlers/function-files.ts';
import { createServerFileHandlers } from './handlers/server-files.ts';
import { createUploadHandlers } from './handlers/uploads.ts';
import { createStreamHandlers } from './handlers/streams.ts';
import { createMediaHandlers } from './handlers/media.ts';
import { createOrganizationHandlers } from './handlers/organizations.ts';
import { createOverviewHandlers } from './handlers/overview.ts';
import { createQualityFileHandlers, createReviewHandlers } from './handlers/review.ts';
import { createServerHandlers } from './handlers/server.ts';
import { createWebhookHandlers } from './handlers/webhooks.ts';
import { createAdministrationHandlers } from './handlers/administration.ts';
import { createRemoteHandlers } from './handlers/remotes.ts';
import { createExportHandlers } from './handlers/exports.ts';
import { createLargeBodyHandlers, createWorkHandlers } from './handlers/work.ts';
import { createPages, withHelp } from './pages.ts';
import { createShareListing } from './share-listing.ts';
import type { Connection } from './unauthenticated-body.ts';
import { removeAbandonedUploads } from './uploads/upload-files.ts';
import { createUploadStore } from './uploads/upload-store.ts';

export interface HttpServiceDependencies {
  readonly database: Store;
  /** Root of the data directory. Uploads are in its `data/uploads`, on the same disk as the media that they become. */
  readonly dataDirectory: string;
  readonly core: Services;
  readonly signIn: SignIn;
  readonly pages: BuiltPages;
  readonly shareDirectory: () => string | null;
  readonly isShortOfSpace?: () => boolean;
  readonly log: Logger;
}

export interface HttpService {
  readonly fetch: (request: Request, connection?: Connection) => Response | Promise<Response>;
  /** Removes abandoned uploads. Call at the start and about every hour. */
  housekeep(): Promise<void>;
}

/** The HTTP service on top of the core: handlers, uploads and pages. */
export function createHttpService(dependencies: HttpServiceDependencies): HttpService {
  const { dataDirectory, core, signIn, pages, log } = dependencies;
  const uploadDirectory = join(dataDirectory, 'data', 'uploads');
  const uploads = createUploadStore(uploadDirectory, Date.now, core.cloudStorages.sizeOf);
  // Files that a request deletes before its answer.
  const temporaryDirectory = join(uploadDirectory, 'claimed');
  const rawHandlers: RawHandlers = {
    ...createMediaHandlers(core, temporaryDirectory),
    ...createFunctionFileHandlers(core),
    ...createUploadHandlers(core, uploads),
    ...createDownloadHandlers(core),
    ...createAssetHandlers(core, temporaryDirectory),
    ...createQualityFileHandlers(core),
    ...createDetectHandlers(core.formats, uploads, temporaryDirectory),
    ...createStreamHandlers(core),
    ...createServerFileHandlers(core, signIn),
    ...createCloudStorageFileHandlers(core),
  };
  const app = createApp({
    handlers: { ...createHandlers(dependencies), ...rawHandlers },
    largeBodyHandlers: createLargeBodyHandlers(core),
    pages: withHelp(pages.help, createPages(pages.renderer)),
    isShortOfSpace: dependencies.isShortOfSpace,
    database: dependencies.database,
    gate: core.workbenchBackups.gate,
    authenticators: signIn,
    users: signIn.userRepository,
    log,
  });
  return {
    fetch: (request, connection) => app.fetch(request, connection ?? {}),
    housekeep: () => removeAbandonedUploads(uploadDirectory, Date.now()),
  };
}

function createHandlers(dependencies: HttpServiceDependencies): Handlers {
  const { core, signIn, shareDirectory } = dependencies;
  return {
    ...createServerHandlers(
      {
        async formats() {
          await core.formats.refresh();
          const { importers, exporters } = await core.formats.list();
          return { importers: [...importers], exporters: [...exporters] };
        },
        async formatOptions() {
          await core.formats.refresh();
          return core.formats.described();
        },
        plugins: () => ({ ANALYTICS: core.analytics.isOn(), MODELS: true }),
        share: createShareListing(shareDirectory),
        health: () => health(dependencies),
      },
      signIn,
    ),
    ...createOrganizationHandlers({ core, signIn }),
    ...createWorkHandlers(core),
    ...createOverviewHandlers(core),
    ...createExportHandlers(core),
    ...createReviewHandlers(core),
    ...createFunctionHandlers(core),
    ...createAdministrationHandlers(core),
    ...createRemoteHandlers(core),
    ...createWebhookHandlers(core),
    ...createCloudStorageHandlers(core),
  };
}

function health({ signIn, dataDirectory }: HttpServiceDependencies): Record<string, string> {
  const check = (probe: () => void): string => {
    try {
      probe();
      return 'working';
    } catch {
      return 'unavailable';
    }
  };
  return {
    Store: check(() => signIn.userRepository.owner()),
    DataDirectory: check(() => accessSync(dataDirectory, constants.R_OK | constants.W_OK)),
  };
}
