import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseDesktopOptions, portableFolder } from '../../../main/shell/desktop-options.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const nothing = {
  dataDirectory: null,
  port: null,
  dashboardPort: null,
  password: null,
  openPath: null,
  selfTest: false,
};

describe('options of the desktop shell', () => {
  it('are all optional', () => {
    expect(parseDesktopOptions([], '/home/a')).toEqual(nothing);
  });

  it('are those of the command line, with paths from the working directory', () => {
    const args = ['--data-dir', 'data', '--port=8081', '--dashboard-port', '0', '--password', 'a b'];
    expect(parseDesktopOptions(args, '/home/a')).toEqual({
      ...nothing,
      dataDirectory: resolve('/home/a', 'data'),
      port: 8081,
      dashboardPort: 0,
      password: 'a b',
    });
  });

  it('pass through switches of Chromium and Electron', () => {
    const args = ['--no-sandbox', '--inspect=0', '--remote-debugging-port=0', '--no-open', '--port', '1'];
    expect(parseDesktopOptions(args, '/')).toEqual({ ...nothing, port: 1 });
  });

  it('name the backup that the program was opened with', () => {
    expect(parseDesktopOptions(['photo.png', 'Street.LIMNER'], '/home/a').openPath).toBe(
      resolve('/home/a', 'Street.LIMNER'),
    );
  });

  it('name existing images that the program was opened with', () => {
    const here = import.meta.dirname;
    expect(parseDesktopOptions(['--lang', 'de', '.', 'missing.png'], here).openPath).toBe(here);
    expect(parseDesktopOptions(['missing.png'], here).openPath).toBeNull();
  });

  it.each(['80800', '-1', 'http', '1.5'])('refuse the port %s', (port) => {
    expect(() => parseDesktopOptions([`--port=${port}`], '/')).toThrow(/--port must be a whole number/);
  });
});

describe('a portable Limner', () => {
  it('has a folder limner-data beside the program, or beside the AppImage that contains it', () => {
    const folder = temporaryFolder();
    const [program, image] = [join(folder, 'program', 'limner'), join(folder, 'Limner.AppImage')];
    expect(portableFolder(program, {})).toBeNull();
    mkdirSync(join(folder, 'limner-data'));
    expect(portableFolder(program, {})).toBeNull();
    expect(portableFolder(program, { APPIMAGE: image })).toBe(join(folder, 'limner-data'));
    mkdirSync(join(folder, 'program', 'limner-data'), { recursive: true });
    expect(portableFolder(program, {})).toBe(join(folder, 'program', 'limner-data'));
  });
});
