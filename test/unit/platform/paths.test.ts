import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { defaultDataDirectory, prepareDataDirectory } from '../../../main/platform/paths.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let directory: string;
beforeEach(() => {
  directory = temporaryFolder();
});

describe.skipIf(process.platform === 'win32')('the default data directory', () => {
  it.each([
    ['linux', {}, '/home/a/.local/share/limner'],
    ['linux', { XDG_DATA_HOME: '/data/a' }, '/data/a/limner'],
    ['linux', { XDG_DATA_HOME: 'relative' }, '/home/a/.local/share/limner'],
    ['darwin', {}, '/home/a/Library/Application Support/Limner'],
    ['win32', { LOCALAPPDATA: '/home/a/AppData/Local' }, '/home/a/AppData/Local/Limner'],
    ['linux', { LIMNER_DATA_DIR: '/elsewhere' }, '/elsewhere'],
  ] as const)('on %s with %o is %s', (platform, env, expected) => {
    expect(defaultDataDirectory({ platform, env, home: '/home/a' })).toBe(expected);
  });
});

describe('preparing a data directory', () => {
  it('creates the folders, closed to other users', () => {
    const paths = prepareDataDirectory(join(directory, 'new', 'place'));
    for (const folder of [paths.db, paths.data, paths.keys, paths.logs]) {
      expect(statSync(folder).isDirectory()).toBe(true);
      if (process.platform !== 'win32') expect(statSync(folder).mode & 0o777).toBe(0o700);
    }
  });

  it('says what to do when a file has the name of a folder', () => {
    const file = join(directory, 'file');
    writeFileSync(file, '');
    expect(() => prepareDataDirectory(file)).toThrow(/is not a folder.*--data-dir/);
  });

  it.runIf(process.platform === 'linux')('reports a file system without folders, at any depth', () => {
    for (const root of ['/proc/limner', '/proc/some/where']) {
      expect(() => prepareDataDirectory(root)).toThrow(/does not allow folders.*--data-dir/);
    }
  });
});
