import { join, sep } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createNameAllocator, joinInside, safeRelativeName, safeRelativeNames } from '../../../main/media/safe-path.ts';

const root = join(sep, 'data', '7', 'raw');

describe('joinInside', () => {
  it('joins relative paths below the folder', () => {
    expect(joinInside(root, 'a/b.jpg')).toBe(join(root, 'a', 'b.jpg'));
    expect(joinInside(root, '..a/b..jpg')).toBe(join(root, '..a', 'b..jpg'));
  });

  it.each([
    '',
    '.',
    '..',
    '../x',
    'a/../../x',
    'a/..',
    '/etc/passwd',
    '\\\\server\\x',
    'a\\..\\..\\x',
    'C:/x',
    'c:x',
    'a\0b',
    'a//b',
    './a',
  ])('refuses %j', (path) => {
    expect(() => joinInside(root, path)).toThrow(expect.objectContaining({ code: 'invalid' }));
  });

  it('never leaves the folder', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('..', '.', 'a', '/', '\\', 'C:', '\0', '%2e'), { maxLength: 8 }),
        (parts) => {
          let path: string;
          try {
            path = joinInside(root, parts.join(''));
          } catch {
            return;
          }
          expect(path.startsWith(root + sep)).toBe(true);
        },
      ),
    );
  });
});

describe('names from clients', () => {
  it('keep their folders when relative, and only their last part when they are full paths', () => {
    expect(safeRelativeNames(['cats/1.jpg', 'dogs\\1.jpg'])).toEqual(['cats/1.jpg', 'dogs/1.jpg']);
    expect(
      safeRelativeNames(['/home/user/photos/1.jpg', 'C:\\Users\\user\\2.jpg', '\\\\server\\share\\3.jpg']),
    ).toEqual(['1.jpg', '2.jpg', '3.jpg']);
  });

  it('keep the folders that distinguish full paths when the last parts are the same', () => {
    expect(safeRelativeNames(['/home/user/a/1.jpg', '/home/user/b/1.jpg', '/home/user/b/2.jpg'])).toEqual([
      'a/1.jpg',
      'b/1.jpg',
      'b/2.jpg',
    ]);
  });

  it('keep the blanks at their ends, which annotations may contain', () => {
    expect(safeRelativeName('  leading.png')).toBe('  leading.png');
    expect(safeRelativeName(' folder /trail .png')).toBe(' folder /trail .png');
    expect(safeRelativeName(' .. / \u00a0/a.png')).toBe('a.png');
  });

  it('lose parts that lead out of the folder', () => {
    expect(safeRelativeName('../../etc/passwd')).toBe('etc/passwd');
    expect(safeRelativeName('..\\..\\x.jpg')).toBe('x.jpg');
    expect(safeRelativeName('a\0\nb.jpg')).toBe('ab.jpg');
    expect(safeRelativeName('../')).toBe('unnamed');
    const hostile = fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('..', '/', '\\', 'C:', '\0')), {
      maxLength: 6,
    });
    fc.assert(
      fc.property(hostile, (parts) => {
        joinInside(root, safeRelativeName(parts.join('')));
      }),
    );
  });
});

describe('createNameAllocator', () => {
  it('numbers existing names, and says so', () => {
    const names = createNameAllocator();
    expect(['a.jpg', 'a.jpg', 'b/a.jpg', 'a.jpg', 'a (2).jpg'].map(names.uniqueName)).toEqual([
      'a.jpg',
      'a (2).jpg',
      'b/a.jpg',
      'a (3).jpg',
      'a (2) (2).jpg',
    ]);
    expect(names.renamed).toHaveLength(3);
  });

  it('returns disk paths that differ even if case and Unicode form are ignored', () => {
    const names = createNameAllocator();
    const given = ['Photo.jpg', 'photo.JPG', 'caf\u00e9.jpg', 'cafe\u0301.jpg', 'A/1.jpg', 'a/1.jpg', 'a'];
    const paths = given.map(names.diskPath);
    expect(new Set(paths.map((path) => path.normalize('NFC').toLowerCase())).size).toBe(given.length);
    expect(paths[0]).toBe('Photo.jpg');
    expect(paths[5]).toBe('a~2/1.jpg');
  });

  it('replaces characters that other systems refuse in names', () => {
    const names = createNameAllocator();
    expect(names.diskPath('con.jpg')).toBe('_con.jpg');
    expect(names.diskPath('aux/a:b?.jpg')).toBe('_aux/a_b_.jpg');
    expect(names.diskPath('folder./x.jpg')).toBe('folder_/x.jpg');
    const long = names.diskPath(`${'\u00e9'.repeat(300)}.jpg`);
    expect(Buffer.byteLength(long)).toBeLessThanOrEqual(255);
    expect(long.endsWith('.jpg')).toBe(true);
  });

  it('stays quick with many equal names', () => {
    const names = createNameAllocator();
    const paths = new Set(Array.from({ length: 20_000 }, () => names.diskPath(names.uniqueName('frame.jpg'))));
    expect(paths.size).toBe(20_000);
  });
});
