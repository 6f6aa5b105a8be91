import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Argument, type Command } from 'commander';
import { volumeKinds, type StorageMove, type VolumeKind } from '../../preload/contract/schema/storage.ts';
import { readInstanceHolder } from '../platform/instance-lock.ts';
import { dataDirectoryPaths, defaultDataDirectory, prepareDataDirectory } from '../platform/paths.ts';
import { createProgressBar } from '../platform/progress-bar.ts';
import type { VolumeName } from '../platform/volumes.ts';
import { createApiClient } from './api-client.ts';
import { ApiFailure } from './api-failure.ts';
import { addConnectionOptions, withClient, type ConnectionOptions } from './connection.ts';
import type { CliContext } from './context.ts';
import { CommandError, exitCodes } from './exit-codes.ts';
import { readLocalAccess } from './local-access.ts';
import { tableLines } from './table.ts';

interface VolumeOptions extends ConnectionOptions {
  readonly json?: boolean;
}

const examples = `
Examples:
  limner volume list
  limner volume move media /mnt/large/limner      the folder has to be empty
  limner volume find media /media/usb/limner      its disk is mounted elsewhere now
  limner volume relink /mnt/old/photos /mnt/new/photos`;

export function addVolumeCommand(program: Command, context: CliContext): void {
  const group = program
    .command('volume')
    .summary('show where the volumes are, move them, and re-link images used in place')
    .description(
      'The volumes of a data directory: database, media, keys, logs, and events while analytics is on. Each may live in\n' +
        'another folder. A move copies, reads the copy back and compares it, and then changes one file: after a crash the\n' +
        'volume is whole in the old place or in the new one. The old copy goes once Limner has begun on the new one.',
    )
    .helpCommand('help [command]', 'show the help of a command')
    .addHelpText('after', examples);
  const add = (name: string, description: string): Command =>
    addConnectionOptions(group.command(name).description(description).option('--json', 'print JSON'));
  const volume = () => new Argument('<volume>', 'which volume').choices(volumeKinds);

  add('list', 'Shows each volume with its place and size, and the folders of images used in place.').action(
    (options: VolumeOptions) => list(options, context),
  );
  add('move', 'Moves a volume into an empty folder; the data directory itself brings it back.')
    .addArgument(volume())
    .argument('<folder>', "the folder that the volume's folder comes into")
    .action((kind: VolumeKind, folder: string, options: VolumeOptions) =>
      move(kind, resolve(folder), options, context),
    );
  add('find', 'Says in which folder a moved volume is now. Moves nothing.')
    .addArgument(volume())
    .argument('<folder>', 'the folder that holds it')
    .action((kind: VolumeKind, folder: string, options: VolumeOptions) =>
      find(kind, resolve(folder), options, context),
    );
  add(
    'relink',
    'Says where images used in place are now: at the same places below the folder, or found by what they hold.',
  )
    .argument('<from>', 'the folder that they were in')
    .argument('<to>', 'the folder that they are in now')
    .action((from: string, to: string, options: VolumeOptions) =>
      withClient(context, options, async (client) => {
        const result = await client.call('relinkImages', { body: { from: resolve(from), to: resolve(to) } });
        context.print(options.json ? JSON.stringify(result) : result.message);
      }),
    );
}

const list = (options: VolumeOptions, context: CliContext): Promise<void> =>
  withClient(context, options, async (client) => {
    const { data_directory: dataDirectory, volumes, in_place: places } = await client.call('getStorage', {});
    if (options.json) return context.print(JSON.stringify({ dataDirectory, volumes, in_place: places }, null, 2));
    const rows = volumes.map((one) => [
      one.name,
      `${(one.size_bytes / 1e6).toFixed(1)} MB`,
      String(one.files),
      one.folder,
    ]);
    for (const line of tableLines([['VOLUME', 'SIZE', 'FILES', 'FOLDER'], ...rows])) context.print(line);
    for (const { folder, files, missing, tasks } of places) {
      const state = missing === 0 ? 'all there' : `${missing} not there`;
      context.print(`Used in place: ${files} files in ${tasks.length} tasks, ${state}: ${folder}`);
    }
  });

async function move(kind: VolumeKind, home: string, options: VolumeOptions, context: CliContext): Promise<void> {
  const paths = existing(options);
  const { folderNames } = await import('../administration/volumes/volume-kinds.ts');
  const isRunning = readInstanceHolder(paths.lockFile) !== null;
  const outcome = isRunning
    ? await askRunning(kind, home, options, context)
    : await moveAtRest(home, folderNames[kind], options, context);
  if (options.json) return context.print(JSON.stringify(outcome));
  context.print(outcome.message);
}

async function moveAtRest(home: string, volume: VolumeName, options: VolumeOptions, context: CliContext) {
  const { whileStopped } = await import('../db/store/set-aside.ts');
  const { noteMove, prepareMove, requireTarget, takeOver } = await import('../administration/volumes/move-volume.ts');
  const paths = existing(options);
  const bar = createProgressBar('Moving', context.errorOutput);
  const run = {
    progress: (share: number, message?: string) => bar.update(share, message),
    checkCancelled() {
      if (context.stopSignal.aborted)
        throw new CommandError(exitCodes.interrupted, 'Interrupted. Everything is as it was.');
    },
  };
  const one = { root: paths.root, volume, home };
  try {
    return await whileStopped(paths.root, async () => {
      await requireTarget(one);
      await takeOver(await prepareMove(one, run), run);
      return noteMove(one, null);
    });
  } catch (error) {
    throw refused(error);
  } finally {
    bar.finish();
  }
}

async function find(kind: VolumeKind, home: string, options: VolumeOptions, context: CliContext): Promise<void> {
  const { root, lockFile } = existing(options);
  const { acquireInstanceLock } = await import('../platform/instance-lock.ts');
  const { findVolume } = await import('../administration/volumes/move-volume.ts');
  const { folderNames } = await import('../administration/volumes/volume-kinds.ts');
  prepareDataDirectory(root);
  const lock = acquireInstanceLock(lockFile);
  try {
    const folder = await findVolume({ root, volume: folderNames[kind], home });
    context.print(options.json ? JSON.stringify({ volume: kind, folder }) : `The volume is found in ${folder}.`);
  } catch (error) {
    throw refused(error);
  } finally {
    lock.release();
  }
}

const pollMs = 200;

/** The running Limner moves it, and begins anew meanwhile. */
async function askRunning(kind: VolumeKind, home: string, options: VolumeOptions, context: CliContext) {
  const paths = existing(options);
  const ask = async <Result>(
    work: (client: ReturnType<typeof createApiClient>) => Promise<Result>,
  ): Promise<Result | null> => {
    const access = readLocalAccess(paths);
    if (access === null) return null;
    return work(createApiClient(access.url, access.authorization));
  };
  const started = await ask(async (client) => {
    const before = (await client.call('getVolumeMove', {})).last?.date;
    await client.call('moveVolume', { body: { volume: kind, folder: home } });
    return { before };
  });
  if (started === null)
    throw new CommandError(
      exitCodes.refused,
      `Limner runs on ${paths.root}, but is not ready yet. Try again in a moment.`,
    );
  const bar = createProgressBar('Moving', context.errorOutput);
  try {
    for (;;) {
      if (context.stopSignal.aborted) {
        await ask((client) => client.call('cancelVolumeMove', {})).catch(() => null);
        throw new CommandError(exitCodes.interrupted, 'Interrupted.');
      }
      const state: StorageMove | null = await ask((client) => client.call('getVolumeMove', {})).catch(
        (error: unknown) => {
          if (error instanceof ApiFailure && error.status !== 401) throw error;
          if (readInstanceHolder(paths.lockFile) !== null) return null;
          throw new CommandError(exitCodes.failed, 'Limner ended meanwhile. Its log says why; start it again.', {
            cause: error,
          });
        },
      );
      if (state?.running) bar.update(state.running.progress, state.running.message);
      else if (state?.last && state.last.date !== started.before) {
        if (!state.last.succeeded) throw new CommandError(exitCodes.failed, state.last.message);
        return state.last;
      }
      await sleep(pollMs, undefined, { signal: context.stopSignal }).catch(() => undefined);
    }
  } finally {
    bar.finish();
  }
}

function existing({ dataDir }: ConnectionOptions) {
  const paths = dataDirectoryPaths(dataDir ?? defaultDataDirectory());
  if (existsSync(paths.root)) return paths;
  throw new CommandError(exitCodes.refused, `The data directory ${paths.root} does not exist. Nothing was changed.`);
}

function refused(error: unknown): unknown {
  const code = (error as { code?: unknown } | null)?.code;
  const isRefused = code === 'invalid' || code === 'conflict';
  return isRefused && error instanceof Error
    ? new CommandError(exitCodes.refused, error.message, { cause: error })
    : error;
}
