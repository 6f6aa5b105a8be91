import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { createFileSettings } from '../../../main/platform/settings.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let directory: string;
let file: string;
beforeEach(() => {
  directory = temporaryFolder();
  file = join(directory, 'config', 'settings.json');
});

describe('settings in a file', () => {
  it('start with defaults and write nothing until a change', () => {
    expect(createFileSettings(file).get('windowMaximized')).toBe(false);
    expect(existsSync(file)).toBe(false);
  });

  it('are restored after a restart', () => {
    const bounds = { x: 10, y: 20, width: 1280, height: 800 };
    createFileSettings(file).set('windowBounds', bounds);
    expect(createFileSettings(file).get('windowBounds')).toEqual(bounds);
    expect(readdirSync(join(directory, 'config'))).toEqual(['settings.json']);
  });

  it('lose only an invalid value', () => {
    createFileSettings(file).set('ffmpegPath', '/usr/bin/ffmpeg');
    const stored = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
    writeFileSync(file, JSON.stringify({ ...stored, windowBounds: 'everywhere' }));
    const settings = createFileSettings(file);
    expect(settings.get('windowBounds')).toBeNull();
    expect(settings.get('ffmpegPath')).toBe('/usr/bin/ffmpeg');
  });

  it('keep an unreadable file beside the new one', () => {
    createFileSettings(file).set('windowMaximized', true);
    writeFileSync(file, '{ broken');
    const settings = createFileSettings(file);
    expect(settings.get('windowMaximized')).toBe(false);
    settings.set('windowMaximized', true);
    expect(readFileSync(`${file}.unreadable`, 'utf8')).toBe('{ broken');
    expect(createFileSettings(file).get('windowMaximized')).toBe(true);
  });
});
