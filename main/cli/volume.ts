import { resolve } from 'node:path';
import { Argument, type Command } from 'commander';
import { volumeKinds, type VolumeKind } from '../../preload/contract/schema/storage.ts';
import { readInstanceHolder } from '../platform/instance-lock.ts';
import { prepareDataDirectory } from '../platform/paths.ts';
import type { VolumeName } from '../platform/volumes.ts';
import type { ApiClient } from './api-client.ts';
import { addGroup, asking, show, tableLines, type JsonOptions } from './commands.ts';
import { existingPaths } from './connection.ts';
import type { CliContext } from './context.ts';
import { failed } from './exit-codes.ts';
import { asRefused, runInInstance, withProgress } from './exclusive-work.ts';

const examples = `
Examples:
  limner volume list
  limner volume move media /mnt/large/limner      the folder must be empty
  limner volume find media /media/usb/limner      its disk is mounted elsewhere now
  limner volume relink /mnt/old/photos /mnt/new/photos`;

export function addVolumeCommand(program: Command, context: CliContext): void {
  const add = addGroup(program, {
    name: 'volume',
    summary: 'show and move volumes, and relink images that are used in place',
    description:
      'The volumes of a data directory are database, media, keys, logs, and events while analytics is on. Each can be in ' +
      'another folder. A move copies the volume, compares the copy, and then switches to it in one step. After a crash the ' +
      'volume is complete in the old or the new folder. The old copy is deleted once Limner has started with the new one.',
    examples,
  });
  const volume = () => new Argument('<volume>', 'volume').choices(volumeKinds);

  add('list', 'Shows each volume with its folder and size, and the folders of images that are used in place.').action(
    asking(context, async (client, options: JsonOptions) => {
      const { data_directory: dataDirectory, volumes, in_place: places } = await client.call('getStorage', {});
      const rows = volumes.map((one) => [
        one.name,
        `${(one.size_bytes / 1e6).toFixed(1)} MB`,
        String(one.files),
        one.folder,
      ]);
      const used = places.map(({ folder, files, missing, tasks }) => {
        const state = missing === 0 ? 'all there' : `${missing} not there`;
        return `Used in place: ${files} files in ${tasks.length} tasks, ${state}: ${folder}`;
      });
      const table = tableLines([['VOLUME', 'SIZE', 'FILES', 'FOLDER'], ...rows]);
      show(context, options, { dataDirectory, volumes, in_place: places }, () => [...table, ...used]);
    }),
  );
  add('move', 'Moves a volume to an empty folder. The data directory itself moves it back.')
    .addArgument(volume())
    .argument('<folder>', 'new parent folder of the volume')
    .action((kind: VolumeKind, folder: string, options: JsonOptions) => move(kind, resolve(folder), options, context));
  add('find', 'Registers the current folder of a moved volume. Moves no files.')
    .addArgument(volume())
    .argument('<folder>', 'folder that contains it')
    .action((kind: VolumeKind, folder: string, options: JsonOptions) => find(kind, resolve(folder), options, context));
  add(
    'relink',
    'Registers the new folder of images that are used in place. Finds them at the same relative paths, or by their content.',
  )
    .argument('<from>', 'old folder')
    .argument('<to>', 'new folder')
    .action(
      asking(context, async (client, from: string, to: string, options: JsonOptions) => {
        const result = await client.call('relinkImages', { body: { from: resolve(from), to: resolve(to) } });
        context.print(options.json ? JSON.stringify(result) : result.message);
      }),
    );
}

async function move(kind: VolumeKind, home: string, options: JsonOptions, context: CliContext): Promise<void> {
  const paths = existingPaths(options);
  const { folderNames } = await import('../storage/volume-kinds.ts');
  const isRunning = readInstanceHolder(paths.lockFile) !== null;
  const outcome = await (isRunning
    ? runInInstance(paths, moveWhileRunning(kind, home), context)
    : moveAtRest({ root: paths.root, volume: folderNames[kind], home }, context));
  if (!outcome.succeeded) throw failed(outcome.message);
  context.print(options.json ? JSON.stringify(outcome) : outcome.message);
}

async function moveAtRest(one: { root: string; volume: VolumeName; home: string }, context: CliContext) {
  const { whileStopped } = await import('../db/store/quarantine.ts');
  const { noteMove, prepareMove, requireTarget, takeOver } = await import('../storage/move-volume.ts');
  return withProgress('Moving', context, (run) =>
    whileStopped(one.root, async () => {
      await requireTarget(one);
      await takeOver(await prepareMove(one, run), run);
      return noteMove(one, null);
    }),
  );
}

async function find(kind: VolumeKind, home: string, options: JsonOptions, context: CliContext): Promise<void> {
  const { root, lockFile } = existingPaths(options);
  const { acquireInstanceLock } = await import('../platform/instance-lock.ts');
  const { findVolume } = await import('../storage/move-volume.ts');
  const { folderNames } = await import('../storage/volume-kinds.ts');
  prepareDataDirectory(root);
  const lock = acquireInstanceLock(lockFile);
  try {
    const folder = await findVolume({ root, volume: folderNames[kind], home });
    context.print(options.json ? JSON.stringify({ volume: kind, folder }) : `The volume is now used from ${folder}.`);
  } catch (error) {
    throw asRefused(error);
  } finally {
    lock.release();
  }
}

const moveWhileRunning = (volume: VolumeKind, folder: string) => ({
  title: 'Moving',
  look: (client: ApiClient) => client.call('getVolumeMove', {}),
  start: (client: ApiClient) => client.call('moveVolume', { body: { volume, folder } }),
  cancel: async (client: ApiClient) => void (await client.call('cancelVolumeMove', {})),
  saysWhy: 'Its log contains the reason',
});
