import { readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { pack } from 'tar-stream';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../../../main/platform/errors.ts';
import type { SourceLimits } from '../../../../main/formats/io/source.ts';
import { openSource, withSource } from '../../../../main/formats/io/open-source.ts';
import { craftCrowdedZip, type CraftedEntry, craftOverlappingZip, craftZip } from '../../../support/craft-zip.ts';
import { sharedFolder } from '../../../support/temporary-folder.ts';

const folder = sharedFolder();

function fileOf(bytes: Uint8Array, name = 'archive.zip'): { path: string; name: string } {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return { path, name };
}

async function readAll(bytes: Uint8Array, name = 'archive.zip', limits: Partial<SourceLimits> = {}): Promise<number> {
  return withSource(
    fileOf(bytes, name),
    async (source) => {
      let total = 0;
      for (const { path } of source.entries) {
        for await (const chunk of source.stream(path)) total += chunk.length;
        await source.read(path);
      }
      return total;
    },
    limits,
  );
}

async function refusalOf(bytes: Uint8Array, name?: string, limits?: Partial<SourceLimits>): Promise<AppError> {
  const outcome: unknown = await readAll(bytes, name, limits).catch((error: unknown) => error);
  expect(outcome).toBeInstanceOf(AppError);
  const error = outcome as AppError;
  expect(error.code).toBe('invalid');
  expect(error.message).toMatch(/^[^\n]{20,500}$/);
  return error;
}

const zipOf = (...entries: CraftedEntry[]): Buffer => craftZip({ entries });
const good: CraftedEntry = { name: 'a.txt', content: 'hello', deflate: true };

it('reads a valid crafted archive, so that the refusals below mean something', async () => {
  expect(await readAll(zipOf(good, { name: 'b/c.txt', content: 'x' }, { name: 'empty/', mode: 0o040755 }))).toBe(6);
});

describe('unsafe names', () => {
  const names = [
    '../evil.txt',
    'a/../../evil.txt',
    '/etc/passwd',
    '//server/share',
    'C:\\windows\\evil.txt',
    'C:evil.txt',
    '..\\evil.txt',
    'a\u0000.txt',
    'a\nb.txt',
    '',
    '..',
    `${'a/'.repeat(40)}b`,
    'x'.repeat(2000),
  ];
  it.each(names)('refuses %j', async (name) => {
    expect((await refusalOf(zipOf(good, { name }))).message).toContain('not safe');
  });

  it.each([
    ['the same name twice', 'a.txt', 'a.txt'],
    ['names that differ by Unicode form', '\u00e4.txt', 'a\u0308.txt'],
    ['a file where a folder is', 'a', 'a/b'],
    ['a folder where a file is', 'a/b', 'a'],
  ])('refuses %s', async (_what, first, second) => {
    expect((await refusalOf(zipOf({ name: first }, { name: second }))).message).toContain('not safe');
  });

  it('keeps both of two names that differ only by case', async () => {
    const archive = fileOf(zipOf({ name: 'A/b.txt', content: 'one' }, { name: 'a/B.txt', content: 'two' }));
    await withSource(archive, async (source) => {
      expect([String(await source.read('A/b.txt')), String(await source.read('a/B.txt'))]).toEqual(['one', 'two']);
    });
  });

  it('reads backslashes of older Windows programs as folders', async () => {
    await withSource(fileOf(zipOf({ name: 'a\\b.txt', content: 'one' })), async (source) => {
      expect(source.entries.map(({ path }) => path)).toEqual(['a/b.txt']);
      expect(String(await source.read('a/b.txt'))).toBe('one');
    });
  });

  it('reads folders without meaning, and names that only Windows reserves', async () => {
    const names = ['./data.yaml', 'images//a.jpg', 'a/./b.txt', 'aux.jpg', 'con/x.txt'];
    const folders = ['./', 'images//'].map((name) => ({ name, mode: 0o040755 }));
    await withSource(fileOf(zipOf(...folders, ...names.map((name) => ({ name, content: name })))), async (source) => {
      expect(source.entries.map(({ path }) => path)).toEqual([
        'data.yaml',
        'images/a.jpg',
        'a/b.txt',
        'aux.jpg',
        'con/x.txt',
      ]);
      expect(String(await source.read('images/a.jpg'))).toBe('images//a.jpg');
    });
  });

  it('checks names in an extra field too', async () => {
    const raw = Buffer.from('innocent.txt');
    const { crc32 } = await import('node:zlib');
    const unicode = Buffer.from('../evil.txt');
    const extra = Buffer.alloc(9 + unicode.length);
    extra.writeUInt16LE(0x7075, 0);
    extra.writeUInt16LE(5 + unicode.length, 2);
    extra.writeUInt8(1, 4);
    extra.writeUInt32LE(crc32(raw), 5);
    unicode.copy(extra, 9);
    await refusalOf(zipOf({ name: raw, centralExtra: extra }));
  });
});

describe('entries other than regular files', () => {
  it.each([
    ['a symbolic link', { mode: 0o120777, content: '/etc/passwd' }, 'link'],
    ['a link that looks like a folder', { name: 'x/', mode: 0o120777 }, 'link'],
    ['a device', { mode: 0o060644 }, 'device'],
    ['an encrypted file', { flags: 0x0801 }, 'encrypted'],
    ['a strongly encrypted file', { flags: 0x0841 }, 'encrypt'],
    ['an unknown compression', { method: 99 }, '99'],
  ])('refuses %s', async (_what, entry, word) => {
    expect((await refusalOf(zipOf(good, { name: 'x', content: 'data', ...entry }))).message).toContain(word);
  });
});

describe('archives with excessive contents', () => {
  const zeros = Buffer.alloc(64 << 20);

  it('refuses a gigabyte of zeros by its directory alone, in one entry or in many', async () => {
    const many = Array.from({ length: 16 }, (_, index) => ({ name: `${index}`, content: zeros, deflate: true }));
    expect((await refusalOf(zipOf(...many))).message).toContain('200 times');
    const honest = { name: 'bomb', content: zeros, deflate: true };
    expect((await refusalOf(zipOf({ ...honest, statedSize: 1 << 30 }))).message).toContain('200 times');
  });

  it('stops at the stated size of an entry that contains more', async () => {
    const bomb = { name: 'bomb', content: zeros, deflate: true, statedSize: 1 << 20 };
    expect((await refusalOf(zipOf(bomb))).message).toContain('larger than stated');
  });

  it("accepts any ratio of one entry: only the archive's total counts", async () => {
    const black = { name: 'black.bmp', content: Buffer.alloc(36_000_054), deflate: true };
    expect(await readAll(zipOf(black, { name: 'a.txt', content: 'x' }))).toBe(36_000_055);
    const photo = { name: 'photo.jpg', content: Buffer.alloc(500_000) };
    const blacks = Array.from({ length: 2 }, (_, index) => ({ ...black, name: `${index}.bmp` }));
    expect(await readAll(zipOf(photo, ...blacks), undefined, { ratioExemptBytes: 64 << 20 })).toBe(72_500_108);
  });

  it('refuses entries that share their bytes', async () => {
    expect((await refusalOf(craftOverlappingZip(500, 900_000))).message).toContain('overlaps');
    expect((await refusalOf(craftOverlappingZip(2, 10))).message).toContain('overlaps');
  });

  it('refuses a million files before they are listed', async () => {
    expect((await refusalOf(craftCrowdedZip(1_000_000))).message).toContain('more than 200000 files');
  });

  it('limits the total of the sizes in the directory', async () => {
    const entries = Array.from({ length: 30 }, (_, index) => ({ name: `${index}`, content: 'x'.repeat(100) }));
    expect((await refusalOf(zipOf(...entries), undefined, { maxTotalBytes: 2000 })).message).toContain('allowed size');
  });

  it('limits each single read separately', async () => {
    const file = fileOf(zipOf({ name: 'x', content: 'y'.repeat(5000) }));
    await withSource(file, async (source) => {
      await expect(source.read('x', 100)).rejects.toMatchObject({ code: 'invalid' });
      expect(await source.read('x', 5000)).toHaveLength(5000);
    });
  });
});

describe('false headers', () => {
  const text = 'some text that is long enough to be deflated, deflated, deflated';
  it.each<[string, Partial<CraftedEntry>]>([
    ['a wrong checksum, stored', { crc: 1, deflate: false }],
    ['a wrong checksum, deflated', { crc: 1 }],
    ['less than there is', { statedSize: 10 }],
    ['more than there is', { statedSize: 100 }],
    ['a stored size that differs from its compressed size', { deflate: false, statedSize: 10 }],
    ['more compressed bytes than there are', { statedCompressedSize: 100_000 }],
    ['fewer compressed bytes than there are', { statedCompressedSize: 10 }],
    ['a header in the middle of nowhere', { statedOffset: 5 }],
    ['a header behind the end', { statedOffset: 1_000_000 }],
    ['a 64-bit size without the field for it', { statedSize: 0xffffffff }],
    ['damaged data', { content: 'not deflated at all', method: 8, deflate: false }],
  ])('%s', async (_what, lie) => {
    await refusalOf(zipOf({ name: 'x', content: text, deflate: true, ...lie }));
  });

  it("refuses a 64-bit field beyond the file's size", async () => {
    const extra = Buffer.alloc(20);
    extra.writeUInt16LE(1, 0);
    extra.writeUInt16LE(16, 2);
    extra.writeBigUInt64LE(1n << 42n, 4);
    extra.writeBigUInt64LE(1n << 41n, 12);
    const lie = { statedSize: 0xffffffff, statedCompressedSize: 0xffffffff, centralExtra: extra };
    await refusalOf(zipOf({ name: 'x', content: text, deflate: true, ...lie }));
    extra.writeBigUInt64LE((1n << 64n) - 1n, 4);
    await refusalOf(zipOf({ name: 'x', content: text, deflate: true, ...lie }));
  });

  it('refuses a wrong number of entries, a wrong position of the directory, and a truncated file', async () => {
    await refusalOf(craftZip({ entries: [good], statedEntryCount: 7 }));
    await refusalOf(craftZip({ entries: [good], statedDirectoryOffset: 3 }));
    const whole = zipOf(good, { name: 'b', content: text });
    for (const length of [0, 3, 40, whole.length - 1]) await refusalOf(whole.subarray(0, length));
    await refusalOf(Buffer.from('this is no\u0000 archive'));
  });

  it('any damage is refused or gives the true content', async () => {
    const whole = zipOf({ ...good, content: text }, { name: 'b', content: text });
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), async (at, flip) => {
        const damaged = Buffer.from(whole);
        damaged[at] = (damaged[at] ?? 0) ^ flip;
        try {
          await withSource(fileOf(damaged), async (source) => {
            for (const { path } of source.entries) expect((await source.read(path)).toString()).toBe(text);
          });
        } catch (error) {
          expect(error).toMatchObject({ name: 'AppError', code: 'invalid' });
        }
      }),
      { numRuns: 1000 },
    );
  });
});

describe('hostile tar archives', () => {
  async function tarOf(add: (tar: ReturnType<typeof pack>) => void): Promise<Buffer> {
    const tar = pack();
    add(tar);
    tar.finalize();
    const chunks: Buffer[] = [];
    for await (const chunk of tar) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks);
  }

  it.each(['../evil', '/evil', 'a\\b', 'C:/x'])('refuses the name %j', async (name) => {
    const tar = await tarOf((out) => out.entry({ name }, 'x'));
    expect((await refusalOf(tar, 'a.tar')).message).toContain('not safe');
    expect((await refusalOf(gzipSync(tar), 'a.tar.gz')).message).toContain('not safe');
  });

  it.each(['symlink', 'link'] as const)('refuses a %s', async (type) => {
    const tar = await tarOf((out) => out.entry({ name: 'x', type, linkname: '/etc/passwd' }));
    expect((await refusalOf(tar, 'a.tar')).message).toContain('link');
  });

  it('refuses duplicate names, too many files and too much data', async () => {
    const tar = await tarOf((out) => {
      out.entry({ name: 'a' }, 'x'.repeat(3000));
      out.entry({ name: 'a' }, 'x');
    });
    await refusalOf(tar, 'a.tar');
    const two = await tarOf((out) => {
      out.entry({ name: 'a' }, 'x'.repeat(3000));
      out.entry({ name: 'b' }, 'x');
    });
    await refusalOf(two, 'a.tar', { maxEntries: 1 });
    await refusalOf(two, 'a.tar', { maxTotalBytes: 100 });
  });

  it('refuses a gzip bomb, damaged gzip and a truncated tar, and leaves no temporary files', async () => {
    const before = readdirSync(tmpdir()).filter((name) => name.startsWith('limner-tar-'));
    const bomb = gzipSync(Buffer.alloc(64 << 20));
    expect((await refusalOf(bomb, 'a.tar.gz', { ratioExemptBytes: 32 << 20 })).message).toContain('200 times');
    const tar = await tarOf((out) => out.entry({ name: 'a' }, 'x'.repeat(5000)));
    const zipped = gzipSync(tar);
    await refusalOf(zipped.subarray(0, zipped.length - 20), 'a.tar.gz');
    await refusalOf(tar.subarray(0, 2000), 'a.tar');
    await refusalOf(gzipSync('no tar at all'), 'a.tar.gz');
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith('limner-tar-'))).toEqual(before);
  });
});

it('names a missing file', async () => {
  await expect(openSource({ path: join(folder, 'missing.zip'), name: 'missing.zip' })).rejects.toThrow(/missing\.zip/);
});
