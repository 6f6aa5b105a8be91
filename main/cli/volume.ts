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
import { asRefused, askRunning, withProgress } from './running-work.ts';

const examples = `
Examples:
  limner volume list
  limner volume move media /mnt/large/limner      the folder has to be empty
  limner volume find media /media/usb/limner      its disk is mounted elsewhere now
  limner volume relink /mnt/old/photos /mnt/new/photos`;

export function addVolumeCommand(program: Command, context: CliContext): void {
  const add = addGroup(program, {
    name: 'volume',
    summary: 'show where the volumes are, move them, and re-link images used in place',
    description:
      'The volumes of a data directory: database, media, keys, logs, and events while analytics is on. Each may live in\n' +
      'another folder. A move copies, reads the copy back and compares it, and then changes one file: after a crash the\n' +
      'volume is whole in the old place or in the new one. The old copy goes once Limner has begun on the new one.',
    examples,
  });
  const volume = () => new Argument('<volume>', 'which volume').choices(volumeKinds);

  add('list', 'Shows each volume with its place and size, and the folders of images used in place.').action(
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
  add('move', 'Moves a volume into an empty folder; the data directory itself brings it back.')
    .addArgument(volume())
    .argument('<folder>', "the folder that the volume's folder comes into")
    .action((kind: VolumeKind, folder: string, options: JsonOptions) => move(kind, resolve(folder), options, context));
  add('find', 'Says in which folder a moved volume is now. Moves nothing.')
    .addArgument(volume())
    .argument('<folder>', 'the folder that holds it')
    .action((kind: VolumeKind, folder: string, options: JsonOptions) => find(kind, resolve(folder), options, context));
  add(
    'relink',
    'Says where images used in place are now: at the same places below the folder, or found by what they hold.',
  )
    .argument('<from>', 'the folder that they were in')
    .argument('<to>', 'the folder that they are in now')
    .action(
      asking(context, async (client, from: string, to: string, options: JsonOptions) => {
        const result = await client.call('relinkImages', { body: { from: resolve(from), to: resolve(to) } });
        context.print(options.json ? JSON.stringify(result) : result.message);
      }),
    );
}

async function move(kind: VolumeKind, home: string, options: JsonOptions, context: CliContext): Promise<void> {
  const paths = existingPaths(options);
  const { folderNames } = await import('../administration/volumes/volume-kinds.ts');
  const isRunning = readInstanceHolder(paths.lockFile) !== null;
  const outcome = await (isRunning
    ? askRunning(paths, moveWhileRunning(kind, home), context)
    : moveAtRest({ root: paths.root, volume: folderNames[kind], home }, context));
  if (!outcome.succeeded) throw failed(outcome.message);
  context.print(options.json ? JSON.stringify(outcome) : outcome.message);
}

async function moveAtRest(one: { root: string; volume: VolumeName; home: string }, context: CliContext) {
  const { whileStopped } = await import('../db/store/set-aside.ts');
  const { noteMove, prepareMove, requireTarget, takeOver } = await import('../administration/volumes/move-volume.ts');
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
  const { findVolume } = await import('../administration/volumes/move-volume.ts');
  const { folderNames } = await import('../administration/volumes/volume-kinds.ts');
  prepareDataDirectory(root);
  const lock = acquireInstanceLock(lockFile);
  try {
    const folder = await findVolume({ root, volume: folderNames[kind], home });
    context.print(options.json ? JSON.stringify({ volume: kind, folder }) : `The volume is found in ${folder}.`);
  } catch (error) {
    throw asRefused(error);
  } finally {
    lock.release();
  }
}

/** Moves a volume by the running Limner, which restarts for it. */
const moveWhileRunning = (volume: VolumeKind, folder: string) => ({
  title: 'Moving',
  look: (client: ApiClient) => client.call('getVolumeMove', {}),
  start: (client: ApiClient) => client.call('moveVolume', { body: { volume, folder } }),
  cancel: async (client: ApiClient) => void (await client.call('cancelVolumeMove', {})),
  saysWhy: 'Its log says why',
});
