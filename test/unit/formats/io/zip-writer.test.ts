import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { fromBufferPromise } from 'yauzl';
import { beforeEach, describe, expect, it } from 'vitest';
import { withSource } from '../../../../main/formats/io/open-source.ts';
import { centralHeader, endOfArchive, localHeader, method } from '../../../../main/formats/io/zip-records.ts';
import { createZipWriter, type ZipWriter } from '../../../../main/formats/io/zip-writer.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

let folder = '';
let path = '';
beforeEach(() => {
  folder = temporaryFolder();
  path = join(folder, 'out.zip');
});

async function writeZip(write: (zip: ZipWriter) => Promise<void>): Promise<void> {
  const zip = await createZipWriter(path);
  await write(zip);
  await zip.finish();
}

async function contents(): Promise<Map<string, Buffer>> {
  return withSource({ path, name: 'out.zip' }, async (source) => {
    const found = new Map<string, Buffer>();
    for (const entry of source.entries) found.set(entry.path, await source.read(entry.path));
    return found;
  });
}

const isPresent = (program: string, ...args: string[]): boolean => spawnSync(program, args).status === 0;
const hasPython = isPresent('python3', '--version');
const hasUnzip = isPresent('unzip', '-v');

function checkWithOthers(): void {
  if (hasUnzip) execFileSync('unzip', ['-tqq', path]);
  if (!hasPython) return;
  const script =
    'import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); bad = z.testzip(); sys.exit(0 if bad is None else bad)';
  execFileSync('python3', ['-c', script, path]);
}

describe('createZipWriter', () => {
  it('writes files that this program, Python and Info-ZIP read', async () => {
    const large = Buffer.alloc(3_000_000, 'large file ');
    writeFileSync(join(folder, 'image.bin'), large);
    writeFileSync(join(folder, 'small.bin'), 'small');
    await writeZip(async (zip) => {
      await zip.add('text.txt', 'repeated '.repeat(1000));
      await zip.add('stored.txt', 'as it is', { store: true });
      await zip.add('empty.txt', '');
      await zip.add('images/写真 ä.jpg', Buffer.from([1, 2, 3]));
      await zip.addFile('images/large.bin', join(folder, 'image.bin'));
      await zip.addFile('images/small.bin', join(folder, 'small.bin'));
      const entry = await zip.beginEntry('streamed.json');
      for (let index = 0; index < 50; index += 1) await entry.write(Buffer.from(`${index},`.repeat(10_000)));
      await entry.end();
      const nothing = await zip.beginEntry('streamed-empty.json');
      await nothing.end();
      await zip.add('last.txt', 'the end');
    });
    const found = await contents();
    expect([...found.keys()]).toHaveLength(9);
    expect(found.get('text.txt')?.toString()).toBe('repeated '.repeat(1000));
    expect(found.get('images/写真 ä.jpg')).toEqual(Buffer.from([1, 2, 3]));
    expect(found.get('images/large.bin')?.equals(large)).toBe(true);
    expect(found.get('streamed.json')?.toString()).toMatch(/^0,0,.*49,$/s);
    expect(found.get('streamed-empty.json')).toHaveLength(0);
    expect(statSync(path).size).toBeLessThan(large.length + 1_500_000 + 10_000);
    checkWithOthers();
  });

  it('deflates only data that becomes smaller', async () => {
    const noise = Buffer.from(Array.from({ length: 1000 }, (_, index) => (index * index * 31) & 255));
    await writeZip(async (zip) => {
      await zip.add('zeros', Buffer.alloc(100_000));
      await zip.add('x', noise.subarray(0, 20));
    });
    expect(statSync(path).size).toBeLessThan(1000);
    checkWithOthers();
  });

  it('writes the same bytes for the same content', async () => {
    const write = async (zip: ZipWriter): Promise<void> => {
      await zip.add('a', 'aaaa');
      await (await zip.beginEntry('b')).end();
    };
    await writeZip(write);
    const first = readFileSync(path);
    await writeZip(write);
    expect(readFileSync(path).equals(first)).toBe(true);
  });

  it('writes more entries than 16 bits count', async () => {
    await writeZip(async (zip) => {
      for (let index = 0; index < 70_000; index += 1) await zip.add(`labels/${index}.txt`, `${index}`, { store: true });
    });
    const found = await withSource({ path, name: 'out.zip' }, async ({ entries, read }) => [
      entries.length,
      (await read('labels/69999.txt')).toString(),
    ]);
    expect(found).toEqual([70_000, '69999']);
    checkWithOthers();
  });

  it('preserves any names and contents', async () => {
    const name = fc
      .stringMatching(/^[a-zäß写 ._-]{1,20}$/)
      .filter((text) => text.trim() !== '' && !/^\.{1,2}$/.test(text))
      .filter((text) => !/^(con|prn|aux|nul)(\.|$)/.test(text));
    const entry = fc.record({
      name,
      content: fc.uint8Array({ maxLength: 3000 }),
      how: fc.constantFrom('deflated', 'stored', 'streamed'),
    });
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(entry, { selector: (one) => one.name, maxLength: 8 }), async (entries) => {
        await writeZip(async (zip) => {
          for (const one of entries) {
            if (one.how !== 'streamed') {
              await zip.add(one.name, one.content, { store: one.how === 'stored' });
              continue;
            }
            const stream = await zip.beginEntry(one.name);
            for (let at = 0; at < one.content.length; at += 700) await stream.write(one.content.subarray(at, at + 700));
            await stream.end();
          }
        });
        const found = await contents();
        expect([...found]).toEqual(entries.map((one) => [one.name, Buffer.from(one.content)]));
      }),
      { numRuns: 60 },
    );
  });

  it('refuses names that no reader should accept, and the same name twice', async () => {
    const zip = await createZipWriter(path);
    for (const name of ['../x', '/x', 'a\\b', 'C:x', 'a//b', '', 'nul']) {
      await expect(zip.add(name, 'x')).rejects.toMatchObject({ code: 'invalid' });
    }
    await zip.add('x', '1');
    await expect(zip.add('x', '2')).rejects.toThrow(/two files named "x"/);
    await zip.abort();
  });

  it('leaves nothing behind when it is aborted, at any time', async () => {
    const zip = await createZipWriter(path);
    await zip.add('x', Buffer.alloc(2_000_000, 'abc'), { store: true });
    await zip.beginEntry('y');
    await zip.abort();
    await zip.abort();
    expect(existsSync(path)).toBe(false);
    await expect(zip.add('z', '')).rejects.toThrow();
  });

  it('keeps a finished file when it is aborted afterwards', async () => {
    const zip = await createZipWriter(path);
    await zip.add('x', '1');
    await zip.finish();
    await zip.abort();
    expect((await contents()).get('x')?.toString()).toBe('1');
  });
});

describe('records of archives beyond 4 GB', () => {
  const sizeBytes = 5 * 2 ** 30;
  const record = (offset: number) => ({
    rawName: Buffer.from('large.bin'),
    method: method.stored,
    crc: 7,
    compressedBytes: sizeBytes,
    sizeBytes,
    offset,
  });

  it.each([0, 6 * 2 ** 30])('contain sizes and the offset %d', async (offset) => {
    const directory = centralHeader(record(offset));
    const zip = await fromBufferPromise(Buffer.concat([directory, endOfArchive(1, directory.length, 0)]));
    const entries = [];
    for await (const entry of zip.eachEntry()) entries.push(entry);
    expect(entries).toMatchObject([
      { uncompressedSize: sizeBytes, compressedSize: sizeBytes, relativeOffsetOfLocalHeader: offset },
    ]);
  });

  it('have a local header of the reserved length', () => {
    const small = localHeader({ ...record(0), sizeBytes: 1, compressedBytes: 1 }, true);
    expect(localHeader(record(0), true)).toHaveLength(small.length);
  });

  it('locate a directory beyond 4 GB', async () => {
    const end = endOfArchive(70_000, 5_000_000, 7 * 2 ** 30);
    expect(end).toHaveLength(56 + 20 + 22);
    expect(end.readBigUInt64LE(48)).toBe(7n * 2n ** 30n);
    expect(end.readUInt32LE(56 + 20 + 16)).toBe(0xffffffff);
  });
});
