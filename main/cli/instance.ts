import { join } from 'node:path';
import type { Application } from '../platform/application.ts';
import type { Logger } from '../platform/log.ts';
import { noteOwnEnd, takeOwnEnd } from '../platform/own-end.ts';
import { prepareDataDirectory } from '../platform/paths.ts';
import { takeDataDirectory } from '../platform/take-data-directory.ts';
import { createReserve } from '../platform/reserve.ts';
import { homesOf, removeLeft } from '../platform/volumes.ts';
import type { PreparedMove } from '../administration/volumes/move-volume.ts';
import type { SafeStorage } from '../platform/secrets.ts';
import type { WorkbenchOptions } from '../workbench.ts';
import type { CoreEnd } from '../models/functions.ts';
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
  /** Names of the functions whose containers run. */
  runningFunctions(): readonly string[];
  stop(end?: CoreEnd): Promise<void>;
}

type Ports = Pick<WorkbenchOptions, 'port' | 'dashboardPort'>;

export const defaultPort = 8080;
const defaultDashboardPort = 8070;

/**
 * Takes the data directory, starts the workbench on it and tells other commands how to reach it.
 * @throws AppError `conflict` that names the process which holds the data directory
 */
export async function startInstance(options: InstanceOptions): Promise<Instance> {
  const paths = prepareDataDirectory(options.dataDirectory);
  const reserve = createReserve(paths.root, options.log);
  reserve.release();
  const lock = await takeDataDirectory(paths);
  try {
    const ownEnd = takeOwnEnd(paths.logs);
    // Loaded only now: a refused start and `limner --help` need none of it.
    const { checkBeforeStart } = await import('../db/store/store-check.ts');
    if (options.acceptDamage !== true) await checkBeforeStart(paths, options.application.workerUrl, options.log);
    const { createWorkbench } = await import('../workbench.ts');
    const begin = async (ports: Ports, restored: { launchToken?: string } = {}) => {
      const workbench = createWorkbench({
        ...restored,
        dataDir: paths.root,
        ...ports,
        workerUrl: options.application.workerUrl,
        rendererDir: options.application.rendererDir,
        resourcesDir: join(options.application.root, 'resources'),
        ...(options.password === null || restored.launchToken ? {} : { password: options.password }),
        ...(options.keychain ? { keychain: options.keychain } : {}),
        ownEnd,
        isShortOfSpace: reserve.isShort,
        backup: { version: options.application.version, begin: restoreNow, moveOn },
        log: options.log,
      });
      const started = await workbench.start().catch(async (error: unknown) => {
        await workbench.stop();
        throw error;
      });
      writeLocalAccess(paths, { url: started.url, authorization: started.authorization });
      lock.publish(started.url);
      void removeOldCopy(paths.root, options.log);
      return { workbench, started };
    };
    let running = await begin({
      port: { number: options.port ?? defaultPort, required: options.port !== null },
      dashboardPort: {
        number: options.dashboardPort ?? defaultDashboardPort,
        required: options.dashboardPort !== null,
      },
    });
    const { started } = running;
    let changing = Promise.resolve();
    /** What is done between two workbenches, which have the same address. */
    function beginAnew(between: () => Promise<void>, restored: { launchToken?: string } = {}): void {
      const change = async (): Promise<void> => {
        removeLocalAccess(paths);
        await running.workbench.stop();
        await between();
        const portOf = (url: string) => ({ number: Number(new URL(url).port), required: true });
        running = await begin({ port: portOf(started.url), dashboardPort: portOf(started.dashboardUrl) }, restored);
      };
      changing = changing.then(change);
    }
    function restoreNow({ file }: { readonly file: string }, launchToken: string): void {
      options.log.info('The workbench ends, and begins again with what was restored', { file });
      beginAnew(() => enterStaged(paths.root, file), { launchToken });
    }
    function moveOn(move: PreparedMove): void {
      const { volume, home } = move;
      options.log.info('The workbench ends, and begins again on the volume that was moved', { volume, home });
      beginAnew(async () => {
        options.log.letGo();
        if (home !== paths.root && !homesOf(paths.root).includes(home)) lock.hold(home);
        await takeOverNow(move);
      });
    }
    // From here on requests run: an end before this has nothing to do with them.
    const stopNoting = noteOwnEnd(paths.logs);
    if (!reserve.isShort()) reserve.hold();
    return {
      ...started,
      dataDirectory: paths.root,
      runningFunctions: () => running.workbench.runningFunctions(),
      async stop(end: CoreEnd = {}) {
        await changing.catch(() => undefined);
        removeLocalAccess(paths);
        try {
          await running.workbench.stop(end);
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

/** A workbench has begun on the new place of a volume: the old one is not needed any more. */
async function removeOldCopy(root: string, log: Logger): Promise<void> {
  try {
    const folder = await removeLeft(root);
    if (folder !== null) log.info('The old copy of a volume that was moved is removed', { folder });
  } catch (error) {
    log.warn('The old copy of a volume that was moved could not be removed', { error });
  }
}

/** Where it cannot be taken over, the volume is where it was, and the workbench begins again there. */
async function takeOverNow(move: PreparedMove): Promise<void> {
  const { noteMove, takeOver } = await import('../administration/volumes/move-volume.ts');
  const run = { progress: () => undefined, checkCancelled: () => undefined };
  const error: unknown = await takeOver(move, run).then(
    () => null,
    (reason: unknown) => reason,
  );
  noteMove(move, error);
}

/** Where it cannot be put in, the old workbench is as it was, and begins again: its list of backups says why. */
async function enterStaged(root: string, file: string): Promise<void> {
  const { enterBackup } = await import('../administration/backup/restore-backup.ts');
  const { noteOutcome } = await import('../administration/backup/backup-folder.ts');
  const { outcomeOfRestore } = await import('../administration/backup/backup-work.ts');
  try {
    noteOutcome(root, outcomeOfRestore(file, await enterBackup(root)));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    noteOutcome(root, { kind: 'restore', file, succeeded: false, message: `Nothing was restored (${reason}).` });
  }
}
