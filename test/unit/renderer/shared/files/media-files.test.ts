import { describe, expect, it } from 'vitest';
import { batchesOf, type NamedFile } from '../../../../../renderer/api/uploads.ts';
import { chooseMedia, nameForTask } from '../../../../../renderer/shared/files/media-files.ts';

const file = (path: string, sizeBytes = 10): NamedFile => ({
  path,
  file: new File([new Uint8Array(sizeBytes)], path.split('/').at(-1) ?? path),
});
const now = new Date('2026-11-20T09:30:00');

describe('dropped files', () => {
  it('accepts images and archives, reports other files, and ignores system files', () => {
    const found = ['b.JPG', 'a.png', 'set.tar.gz', 'notes.txt', '.DS_Store', 'x/Thumbs.db', '__MACOSX/._a.png'].map(
      (path) => file(path),
    );
    const { files, ignored } = chooseMedia(found);
    expect(files.map((item) => item.path)).toEqual(['a.png', 'b.JPG', 'set.tar.gz']);
    expect(ignored.map((item) => item.path)).toEqual(['notes.txt']);
  });

  it('names the task after the folder, the archive, or the only file', () => {
    expect(nameForTask([file('street/a.jpg'), file('street/day 2/b.jpg')], now)).toBe('street');
    expect(nameForTask([file('harbour.tar.gz')], now)).toBe('harbour');
    expect(nameForTask([file('a.jpg'), file('b.jpg')], now)).toMatch(/^2 files, Nov 20, 2026/);
    expect(nameForTask([file('one/a.jpg'), file('two/b.jpg')], now)).toMatch(/^2 files/);
  });

  it('sends many small files together and a large one alone, in order', () => {
    const megabyte = 1024 * 1024;
    const files = [file('a', 10 * megabyte), file('b', 10 * megabyte), file('c', 10 * megabyte), file('d')];
    expect(batchesOf(files).map((batch) => batch.map((item) => item.path))).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
    const many = Array.from({ length: 450 }, (_, index) => file(String(index)));
    expect(batchesOf(many).map((batch) => batch.length)).toEqual([200, 200, 50]);
    expect(batchesOf([])).toEqual([]);
  });
});
