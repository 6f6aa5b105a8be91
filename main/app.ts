import type { ShellOptions } from './composition/administration.ts';
import { createServices } from './composition/services.ts';
import { createDashboardApp } from './dashboard/dashboard-app.ts';
import { createSignIn } from './users/sign-in.ts';
import { openStore } from './db/store/open-store.ts';
import { createInstalledFormats } from './formats/installed-formats.ts';
import { createHttpService, type HttpServiceDependencies } from './http/http-service.ts';
import { startServer, type HeldServer, type HttpServer, type PortOption } from './http/server.ts';
import { serviceVersion } from './http/versioning.ts';
import { createClock } from './platform/clock.ts';
import { createMediaFrames, mediaCacheBytes } from './media/media-frames.ts';
import type { Logger } from './platform/log.ts';
import { dataDirectoryPaths } from './platform/paths.ts';
import { videoSearchPath } from './platform/settings.ts';
import type { SafeStorage } from './platform/secrets.ts';
import { createWriteLockState } from './platform/write-lock.ts';
import { createWorkerPool } from './platform/worker-pool.ts';
import { parseRetryDelays } from './webhooks/delivery/retry-policy.ts';

const housekeepingMs = 60 * 60 * 1000;

interface LimnerOptions {
  readonly dataDir: string;
  /** Holds back its requests until the service answers them. `stop` closes it. */
  readonly server: HeldServer;
  readonly dashboardPort: PortOption;
  readonly workerUrl: URL;
  readonly pages: HttpServiceDependencies['pages'];
  readonly resourcesDir: string;
  readonly password?: string;
  /** Seals secrets, if the shell has one. */
  readonly keychain?: SafeStorage;
  /** Reason of the previous process's crash, if the program caused it. */
  readonly crashMarker?: string | null;
  readonly isShortOfSpace?: () => boolean;
  readonly backup?: ShellOptions;
  /** Token of the launch address, if it is known already. */
  readonly launchToken?: string;
  readonly log: Logger;
}

export interface StartedLimner {
  readonly url: string;
  readonly dashboardUrl: string;
  /** Signs its first visitor in as the owner. */
  readonly launchUrl: string;
  readonly user: string;
  /** Value of the `Authorization` header for commands on this computer. */
  readonly authorization: string;
}

/** Running requests may end in this time. A service manager waits some seconds for the entire stop. */
const stopGraceMs = 1000;

/** Creates all services, starts them, and stops them in reverse order. */
export function createLimner(options: LimnerOptions) {
  const { log } = options;
  const paths = dataDirectoryPaths(options.dataDir);
  const turns = createWriteLockState();
  const workers = createWorkerPool(options.workerUrl, turns);
  const store = openStore({ paths, workers, turns, log });
  const { database } = store;
  const searchPath = () => videoSearchPath(paths.root);
  const shareDirectory = () => process.env['LIMNER_SHARE_DIR'] ?? null;
  const retries = process.env['LIMNER_WEBHOOK_RETRIES'];
  let dashboardServer: HttpServer | null = null;
  const { server } = options;
  const baseUrl = () => server.url;
  const core = createServices({
    database,
    databaseFile: store.file,
    dataDirectory: paths.root,
    workers,
    mediaFrames: createMediaFrames({ workerUrl: options.workerUrl, maxCacheBytes: mediaCacheBytes(), searchPath }),
    clock: createClock(),
    log,
    backup: options.backup,
    keychain: options.keychain,
    shareDirectory,
    formats: createInstalledFormats({
      dataDirectory: paths.root,
      workerUrl: options.workerUrl,
      onBroken: ({ file, reason }) => log.warn('A format plug-in cannot be used', { file, reason }),
    }),
    webhooks: {
      userAgent: `CVAT/${serviceVersion} Limner`,
      baseUrl,
      turns,
      retryDelaysMs: retries ? parseRetryDelays(retries) : undefined,
    },
    functions: { resourcesDirectory: options.resourcesDir },
  });
  const { changes, onAccessToken } = core;
  const signIn = createSignIn({ database, changes, onAccessToken, baseUrl });
  const dashboard = createDashboardApp({ functions: core.functions, authenticators: signIn, log });
  const service = createHttpService({
    database,
    dataDirectory: paths.root,
    core,
    signIn,
    pages: options.pages,
    shareDirectory,
    isShortOfSpace: options.isShortOfSpace,
    log,
  });
  const housekeep = () => {
    store.housekeep();
    core.housekeep();
    service.housekeep().catch((error: unknown) => log.warn('Cannot delete abandoned uploads', { error }));
  };
  let housekeeping: NodeJS.Timeout | null = null;
  return {
    async start(): Promise<StartedLimner> {
      const owner = await signIn.accounts.ensureOwner(options.password);
      const launchToken = signIn.launchTokens.issue(owner.id, options.launchToken);
      core.sweepUploads();
      dashboardServer = await startServer({
        fetch: (request, connection) => dashboard.fetch(request, connection),
        port: options.dashboardPort.number,
        anyPort: !options.dashboardPort.required,
        portOption: '--dashboard-port',
        log,
      });
      server.answer(service.fetch);
      core.recover(options.crashMarker);
      core.formats.refreshLater();
      housekeep();
      housekeeping = setInterval(housekeep, housekeepingMs).unref();
      log.info('Ready', { url: server.url, dashboard: dashboardServer.url });
      return {
        url: server.url,
        dashboardUrl: dashboardServer.url,
        launchUrl: `${server.url}/launch?token=${launchToken}`,
        user: owner.username,
        authorization: `Token ${signIn.sessions.openProcessToken(owner.id)}`,
      };
    },
    runningFunctions: (): readonly string[] => core.functions.runtimes.running(),
    /** Running requests return to the queue and run again at the next start. */
    async stop(end?: Parameters<typeof core.stop>[0], isEnd = false): Promise<void> {
      if (housekeeping) clearInterval(housekeeping);
      core.listening.close();
      core.annotations.refuseLargeSaves();
      await Promise.all([dashboardServer?.close(0), server.close(stopGraceMs)]);
      await core.stop(end);
      await store.close();
      await workers.stop(isEnd);
    },
  };
}
