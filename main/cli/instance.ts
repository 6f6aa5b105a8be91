import { join } from 'node:path';
import type { Application } from '../platform/application.ts';
import { acquireInstanceLock } from '../platform/instance-lock.ts';
import type { Logger } from '../platform/log.ts';
import { noteOwnEnd, takeOwnEnd } from '../platform/own-end.ts';
import { prepareDataDirectory } from '../platform/paths.ts';
import { finishSwap } from '../platform/swap-parts.ts';
import { createReserve } from '../platform/reserve.ts';
import type { SafeStorage } from '../platform/secrets.ts';
import { removeLocalAccess, writeLocalAccess } from './local-access.ts';

export interface InstanceOptions {
  readonly application: Application;
  readonly dataDirectory: string;
  /** `null`: 8080, or a free one where that is taken. A number is taken or refused; 0 is any free one. */
  readonly port: number | null;
  /** `null`: 8070, or a free one where that is taken. */
  readonly dashboardPort: number | null;
  /** Sets the owner's password; `null` leaves it. */
  readonly password: string | null;
  /** Opens a store that is damaged as it is, to save what can still be read. */
  readonly acceptDamage?: boolean;
  /** The desktop shell's. */
  readonly keychain?: SafeStorage;
  readonly log: Logger;
}

/** A workbench that runs in this process and holds its data directory. */
export interface Instance {
  readonly url: string;
  /** Of the function dashboard. */
  readonly dashboardUrl: string;
  /** Signs its first visitor in as the owner. */
  readonly launchUrl: string;
  readonly user: string;
  readonly dataDirectory: string;
  /** Value of the `Authorization` header for commands on this computer. */
  readonly authorization: string;
  stop(): Promise<void>;
}

const defaultPort = 8080;
const defaultDashboardPort = 8070;

/**
 * Takes the data directory, starts the workbench on it and tells other commands how to reach it.
 * @throws AppError `conflict` that names the process which holds the data directory
 */
export async function startInstance(options: InstanceOptions): Promise<Instance> {
  const paths = prepareDataDirectory(options.dataDirectory);
  const reserve = createReserve(paths.root, options.log);
  reserve.release();
  const lock = acquireInstanceLock(paths.lockFile);
  try {
    await finishSwap(paths.root);
    const ownEnd = takeOwnEnd(paths.logs);
    // Loaded only now: a refused start and `limner --help` need none of it.
    const { checkBeforeStart } = await import('../db/store/store-check.ts');
    if (options.acceptDamage !== true) await checkBeforeStart(paths, options.application.workerUrl, options.log);
    const { createWorkbench } = await import('../workbench.ts');
    const workbench = createWorkbench({
      dataDir: paths.root,
      port: { number: options.port ?? defaultPort, required: options.port !== null },
      dashboardPort: {
        number: options.dashboardPort ?? defaultDashboardPort,
        required: options.dashboardPort !== null,
      },
      workerUrl: options.application.workerUrl,
      rendererDir: options.application.rendererDir,
      resourcesDir: join(options.application.root, 'resources'),
      ...(options.password === null ? {} : { password: options.password }),
      ...(options.keychain ? { keychain: options.keychain } : {}),
      ownEnd,
      isShortOfSpace: reserve.isShort,
      log: options.log,
    });
    const started = await workbench.start().catch(async (error: unknown) => {
      await workbench.stop();
      throw error;
    });
    // From here on requests run: an end before this has nothing to do with them.
    const stopNoting = noteOwnEnd(paths.logs);
    writeLocalAccess(paths, { url: started.url, authorization: started.authorization });
    lock.publish(started.url);
    if (!reserve.isShort()) reserve.hold();
    return {
      ...started,
      dataDirectory: paths.root,
      async stop() {
        removeLocalAccess(paths);
        try {
          await workbench.stop();
        } finally {
          stopNoting();
          lock.release();
          reserve.hold();
        }
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}
