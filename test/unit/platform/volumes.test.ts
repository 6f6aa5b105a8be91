import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { findVolume, prepareMove, requireTarget, takeOver } from '../../../main/storage/move-volume.ts';
import { dataDirectoryPaths, prepareDataDirectory } from '../../../main/platform/paths.ts';
import { finishSwap, stagedPart, swapParts } from '../../../main/platform/swap-folders.ts';
import { takeDataDirectory } from '../../../main/platform/take-data-directory.ts';
import { homeOf, removeLeft } from '../../../main/platform/volumes.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const run = { progress: () => undefined, checkCancelled: () => undefined };

let folder: string;
let root: string;
let home: string;

beforeEach(() => {
  folder = temporaryFolder();
  root = join(folder, 'workbench');
  home = join(folder, 'large', 'limner');
  mkdirSync(home, { recursive: true });
  prepareDataDirectory(root);
  mkdirSync(join(root, 'data', '1', 'raw'), { recursive: true });
  writeFileSync(join(root, 'data', '1', 'raw', 'a.jpg'), 'a picture');
});

const picture = (): string => readFileSync(join(root, 'data', '1', 'raw', 'a.jpg'), 'utf8');

async function move(to = home): Promise<void> {
  const one = { root, volume: 'data', home: to } as const;
  await requireTarget(one);
  await takeOver(await prepareMove(one, run), run);
}

async function start(at = root): Promise<void> {
  prepareDataDirectory(at);
  (await takeDataDirectory(dataDirectoryPaths(at))).release();
}

describe('a volume that was moved', () => {
  test('is readable at its old path, and its old copy is kept until a workbench has started on the new one', async () => {
    await move();
    expect(picture()).toBe('a picture');
    expect(readFileSync(join(home, 'data', '1', 'raw', 'a.jpg'), 'utf8')).toBe('a picture');
    expect(existsSync(join(root, 'set-aside'))).toBe(true);
    await start();
    await removeLeft(root);
    expect(existsSync(join(root, 'set-aside'))).toBe(false);
    expect(picture()).toBe('a picture');
  });

  test('can be moved back, and again', async () => {
    await move();
    await removeLeft(root);
    await move(root);
    await start();
    await removeLeft(root);
    expect(homeOf(root, 'data')).toBe(root);
    expect(picture()).toBe('a picture');
    await move();
    expect(picture()).toBe('a picture');
  });

  test('prevents an empty start if its disk is missing, and is found by its marker', async () => {
    await move();
    const elsewhere = join(folder, 'usb');
    mkdirSync(elsewhere);
    cpSync(home, join(elsewhere, 'limner'), { recursive: true });
    rmSync(home, { recursive: true });
    await expect(start()).rejects.toThrow(/was moved to .*is missing.*limner volume find media FOLDER/);
    mkdirSync(home);
    await expect(start()).rejects.toThrow('nothing was changed');
    await expect(findVolume({ root, volume: 'data', home: folder })).rejects.toThrow('does not contain the volume');
    await findVolume({ root, volume: 'data', home: join(elsewhere, 'limner') });
    await start();
    expect(picture()).toBe('a picture');
  });

  test('is found when it is moved together with the data directory, and when that is moved alone', async () => {
    await move();
    const carried = join(temporaryFolder(), 'other');
    cpSync(folder, carried, { recursive: true, verbatimSymlinks: true });
    await start(join(carried, 'workbench'));
    expect(homeOf(join(carried, 'workbench'), 'data')).toBe(join(carried, 'large', 'limner'));
    const alone = join(folder, 'deeper', 'down', 'workbench');
    cpSync(root, alone, { recursive: true, verbatimSymlinks: true });
    await start(alone);
    expect(homeOf(alone, 'data')).toBe(home);
  });

  test('of another workbench is not accepted', async () => {
    await move();
    writeFileSync(join(home, 'limner-volume-data.json'), JSON.stringify({ volume: 'data', id: 'another' }));
    await expect(start()).rejects.toThrow('the volume of another workbench');
  });

  test('is replaced by a restore on its own disk, completely or not at all', async () => {
    await move();
    mkdirSync(join(stagedPart(root, 'data'), '1'), { recursive: true });
    writeFileSync(join(stagedPart(root, 'data'), '1', 'restored'), 'restored');
    expect(stagedPart(root, 'data').startsWith(home)).toBe(true);
    await swapParts(root, ['data'], 'set-aside/then');
    await finishSwap(root);
    expect(readFileSync(join(root, 'data', '1', 'restored'), 'utf8')).toBe('restored');
    expect(existsSync(join(home, 'set-aside', 'then', 'data', '1', 'raw', 'a.jpg'))).toBe(true);
    await start();
  });
});

describe('a move is refused', () => {
  test.each([
    ['relative', () => 'relative', 'the absolute path'],
    ['missing', () => join(folder, 'none'), 'does not exist. Create it first.'],
    ['within the data directory', () => join(root, 'data'), 'Limner uses itself'],
    ['filled', () => folder, 'is not empty'],
  ])('into a folder that is %s', async (_what, to, sentence) => {
    await expect(requireTarget({ root, volume: 'data', home: to() })).rejects.toThrow(sentence);
    expect(picture()).toBe('a picture');
  });

  test('if a copy differs from the original', async () => {
    const prepared = await prepareMove({ root, volume: 'data', home }, run);
    const failing = {
      checkCancelled: () => undefined,
      progress(_share: number, message?: string) {
        if (message === 'Copying') writeFileSync(join(home, 'arriving', 'data', '1', 'raw', 'b.jpg'), 'torn');
      },
    };
    writeFileSync(join(root, 'data', '1', 'raw', 'b.jpg'), 'made meanwhile');
    await expect(takeOver(prepared, failing)).rejects.toThrow('the disk is not reliable');
    expect(existsSync(join(home, 'arriving', 'data'))).toBe(false);
    await start();
    expect(homeOf(root, 'data')).toBe(root);
  });
});
