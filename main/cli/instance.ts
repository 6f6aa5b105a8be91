import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Application } from '../platform/application.ts';
import { AppError } from '../platform/errors.ts';
import type { Logger } from '../platform/log.ts';
import { writeCrashMarker, takeCrashMarker } from '../platform/crash-marker.ts';
import { prepareDataDirectory } from '../platform/paths.ts';
import { takeDataDirectory, type DataDirectoryLock } from '../platform/take-data-directory.ts';
import { createReserve } from '../platform/reserve.ts';
import { removeLeft } from '../platform/volumes.ts';
import type { PreparedMove } from '../storage/move-volume.ts';
import type { SafeStorage } from '../platform/secrets.ts';
import type { createLimner } from '../app.ts';
import type { PortOption } from '../http/server.ts';
import { randomSecret } from '../users/auth/secrets.ts';
import type { CoreEnd } from '../functions/functions.ts';
import { removeLocalAccess, writeLocalAccess } from './local-access.ts';

export interface InstanceOptions {
  readonly application: Application;
  readonly dataDirectory: string;
  /** `null`: 8080, or a free port if 8080 is in use. A number: that port or an error. 0: any free port. */
  readonly port: number | null;
  /** `null`: 8070, or a free port if 8070 is in use. */
  readonly dashboardPort: number | null;
  readonly password: string | null;
  /** Opens a damaged store as it is, so that readable data can be saved. */
  readonly acceptDamage?: boolean;
  readonly keychain?: SafeStorage;
  /** Opens the launch address in a browser before the service is loaded. Resolves to false if that is not possible. */
  readonly openEarly?: (launchUrl: string) => Promise<boolean>;
  readonly log: Logger;
}

export interface Instance {
  readonly url: string;
  readonly dashboardUrl: string;
  readonly launchUrl: string;
  readonly user: string;
  readonly dataDirectory: string;
  /** Value of the `Authorization` header for commands on this computer. */
  readonly authorization: string;
  runningFunctions(): readonly string[];
  stop(end?: CoreEnd): Promise<void>;
}

interface Ports {
  readonly port: PortOption;
  readonly dashboardPort: PortOption;
}

export const defaultPort = 8080;
const defaultDashboardPort = 8070;
/** Time in which an opened browser must ask for the reason why the service does not start. */
const reasonMs = 5000;

/**
 * Locks the data directory, starts the workbench and records how other commands reach it.
 * @throws AppError `conflict` with the process that holds the data directory
 */
export async function startInstance(options: InstanceOptions): Promise<Instance> {
  const paths = prepareDataDirectory(options.dataDirectory);
  const reserve = createReserve(paths.root, options.log);
  reserve.release();
  const lock = await takeDataDirectory(paths);
  try {
    const crashMarker = takeCrashMarker(paths.logs);
    // Loaded only now: a rejected start and `limner --help` do not need it.
    const { checkBeforeStart } = await import('../db/store/store-check.ts');
    if (options.acceptDamage !== true) await checkBeforeStart(paths, options.application.workerUrl, options.log);
    const { holdRequests } = await import('../http/server.ts');
    const begin = async (
      { port, dashboardPort }: Ports,
      { launchToken }: { launchToken?: string } = {},
      openEarly?: InstanceOptions['openEarly'],
    ) => {
      const server = await holdRequests({ port: port.number, anyPort: !port.required, log: options.log });
      const token = launchToken ?? randomSecret(32);
      const launchUrl = `${server.url}/launch?token=${token}`;
      const opening = openEarly?.(launchUrl);
      let workbench: ReturnType<typeof createLimner> | null = null;
      try {
        const { createLimner: create } = await import('../app.ts');
        workbench = create({
          launchToken: token,
          dataDir: paths.root,
          server,
          dashboardPort,
          workerUrl: options.application.workerUrl,
          pages: options.application.pages,
          resourcesDir: join(options.application.root, 'resources'),
          password: options.password === null || launchToken ? undefined : options.password,
          keychain: options.keychain,
          crashMarker,
          isShortOfSpace: reserve.isShort,
          backup: { version: options.application.version, begin: restoreNow, moveOn },
          log: options.log,
        });
        const started = await workbench.start();
        writeLocalAccess(paths, { url: started.url, authorization: started.authorization });
        lock.publish(started.url);
        void removeOldCopy(paths.root, options.log);
        return { workbench, started };
      } catch (error) {
        server.refuse(launchUrl, error);
        if (await opening) await Promise.race([server.answered, sleep(reasonMs)]);
        await (workbench?.stop() ?? server.close(0));
        throw error;
      }
    };
    const ports: Ports = {
      port: { number: options.port ?? defaultPort, required: options.port !== null },
      dashboardPort: {
        number: options.dashboardPort ?? defaultDashboardPort,
        required: options.dashboardPort !== null,
      },
    };
    let running = await begin(ports, {}, options.openEarly);
    const { started } = running;
    let changing = Promise.resolve();
    const stopping = new AbortController();
    let isRunning = true;
    /** Stops the workbench, runs `between`, and starts a new workbench at the same address. */
    function restart(between: () => Promise<void>, restored: { launchToken?: string } = {}): void {
      const change = async (): Promise<void> => {
        removeLocalAccess(paths);
        isRunning = false;
        await running.workbench.stop();
        await between();
        if (stopping.signal.aborted) return;
        const portOf = (url: string) => ({ number: Number(new URL(url).port), required: true });
        running = await begin({ port: portOf(started.url), dashboardPort: portOf(started.dashboardUrl) }, restored);
        isRunning = true;
      };
      changing = changing.then(change);
    }
    function restoreNow({ file }: { readonly file: string }, launchToken: string): void {
      options.log.info('The workbench restarts with the restored data', { file });
      restart(() => enterStaged(paths.root, file), { launchToken });
    }
    function moveOn(move: PreparedMove): void {
      const { volume, home } = move;
      options.log.info('The workbench restarts with the moved volume', { volume, home });
      restart(async () => {
        options.log.letGo();
        await takeOverNow(move, lock, stopping.signal);
      });
    }
    // Requests run only from here on, so an earlier crash was not caused by one.
    const stopNoting = writeCrashMarker(paths.logs);
    if (!reserve.isShort()) reserve.hold();
    return {
      ...started,
      dataDirectory: paths.root,
      runningFunctions: () => running.workbench.runningFunctions(),
      async stop(end: CoreEnd = {}) {
        stopping.abort(new AppError('cancelled', 'Limner was stopped. The volume stays where it is: move it again.'));
        await changing.catch(() => undefined);
        removeLocalAccess(paths);
        try {
          if (isRunning) await running.workbench.stop(end, true);
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

/** Deletes the old copy of a moved volume. Called once a workbench has started with the new one. */
async function removeOldCopy(root: string, log: Logger): Promise<void> {
  try {
    const folder = await removeLeft(root);
    if (folder !== null) log.info('The old copy of a moved volume was deleted', { folder });
  } catch (error) {
    log.warn('Cannot delete the old copy of a moved volume', { error });
  }
}

/** Completes a move. If that fails or Limner stops, the volume stays where it was and the workbench restarts there. */
async function takeOverNow(move: PreparedMove, lock: DataDirectoryLock, stopping: AbortSignal): Promise<void> {
  const { noteMove, takeOver } = await import('../storage/move-volume.ts');
  const run = { progress: () => undefined, checkCancelled: () => stopping.throwIfAborted() };
  try {
    lock.hold(move.home);
    await takeOver(move, run);
    noteMove(move, null);
  } catch (error) {
    noteMove(move, error);
  }
}

/**
 * Replaces the workbench by a restored one. If that fails, the old one restarts unchanged and its list of backups shows
 * the reason.
 */
async function enterStaged(root: string, file: string): Promise<void> {
  const { enterBackup } = await import('../backup/restore-backup.ts');
  const { noteOutcome } = await import('../backup/backup-folder.ts');
  const { outcomeOfRestore } = await import('../backup/backup-work.ts');
  try {
    noteOutcome(root, outcomeOfRestore(file, await enterBackup(root)));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    noteOutcome(root, { kind: 'restore', file, succeeded: false, message: `Nothing was restored (${reason}).` });
  }
}
