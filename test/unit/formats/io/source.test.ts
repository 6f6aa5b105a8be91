import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';
import { beforeEach, describe, expect, it } from 'vitest';
import { openByteInput } from '../../../../main/formats/io/byte-input.ts';
import { commonTopFolder, type Source, stripTopFolder } from '../../../../main/formats/io/source.ts';
import { openSource, withSource } from '../../../../main/formats/io/open-source.ts';
import { craftZip } from '../../../support/craft-zip.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

let folder = '';
beforeEach(() => {
  folder = temporaryFolder();
});

const large = Buffer.from(Array.from({ length: 3_000_000 }, (_, index) => Math.imul(index, 0x9e3779b1) >>> 21));
const files: Readonly<Record<string, Buffer>> = {
  'annotations/instances_train.json': Buffer.from('{"images":[]}'),
  'images/train/ä 1.jpg': large,
  'empty.txt': Buffer.alloc(0),
};

async function tarBytes(): Promise<Buffer> {
  const tar = pack();
  tar.entry({ name: 'images/', type: 'directory' });
  for (const [name, content] of Object.entries(files)) tar.entry({ name: `./${name}` }, content);
  tar.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of tar) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

const containers: Readonly<Record<string, () => Promise<string>>> = {
  'a zip with stored files': async () => save('x.bin', craftZip({ entries: zipEntries(false) })),
  'a zip with deflated files': async () =>
    save('x.zip', craftZip({ entries: zipEntries(true), comment: Buffer.from('note') })),
  'a tar': async () => save('x.tar', await tarBytes()),
  'a gzipped tar': async () => save('x.anything', gzipSync(await tarBytes())),
  'a folder': async () => {
    const root = join(folder, 'root');
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(join(root, name, '..'), { recursive: true });
      writeFileSync(join(root, name), content);
    }
    return root;
  },
};

function zipEntries(deflate: boolean) {
  return [
    { name: 'images/', mode: 0o040755 },
    ...Object.entries(files).map(([name, content]) => ({ name, content, deflate: deflate && content.length > 0 })),
  ];
}

function save(name: string, bytes: Uint8Array): string {
  writeFileSync(join(folder, name), bytes);
  return join(folder, name);
}

async function readThrough(source: Source, path: string): Promise<Buffer> {
  const input = await openByteInput(source, path);
  const chunks: Buffer[] = [];
  try {
    for (;;) {
      const target = Buffer.alloc(100_000);
      const length = await input.read(target, 0, target.length);
      if (length === 0) return Buffer.concat(chunks);
      chunks.push(target.subarray(0, length));
    }
  } finally {
    await input.close();
  }
}

describe.each(Object.entries(containers))('%s', (_name, create) => {
  it('is a tree of entries, readable at once, in chunks, and as an input', async () => {
    await withSource({ path: await create(), name: 'dataset' }, async (source) => {
      expect(source.entries.map(({ path }) => path).toSorted()).toEqual(Object.keys(files).toSorted());
      for (const { path, sizeBytes } of source.entries) {
        const content = files[path];
        expect(sizeBytes).toBe(content?.length);
        expect((await source.read(path)).equals(content ?? Buffer.alloc(1))).toBe(true);
        const chunks: Buffer[] = [];
        for await (const chunk of source.stream(path)) chunks.push(chunk);
        expect(Buffer.concat(chunks).equals(content ?? Buffer.alloc(1))).toBe(true);
        expect((await readThrough(source, path)).equals(content ?? Buffer.alloc(1))).toBe(true);
      }
    });
  });

  it('reports a missing entry', async () => {
    await withSource({ path: await create(), name: 'dataset' }, async (source) => {
      expect(source.has('nothing.txt')).toBe(false);
      await expect(source.read('nothing.txt')).rejects.toMatchObject({ code: 'invalid' });
    });
  });

  it('closes when the work on it fails', async () => {
    const path = await create();
    await expect(withSource({ path, name: 'x' }, () => Promise.reject(new Error('mine')))).rejects.toThrow('mine');
  });
});

describe('a single file', () => {
  it('is a tree with one entry, with the name that the user knows', async () => {
    const path = save('upload-1234', Buffer.from('{"a":1}'));
    await withSource({ path, name: 'my annotations.json' }, async (source) => {
      expect(source).toMatchObject({ kind: 'file', entries: [{ path: 'my annotations.json', sizeBytes: 7 }] });
      expect((await source.read('my annotations.json')).toString()).toBe('{"a":1}');
      expect(await source.localPath('my annotations.json')).toMatchObject({ path, offset: 0, sizeBytes: 7 });
    });
  });

  it('is an archive if its bytes say so, with any name', async () => {
    const path = save('upload', craftZip({ entries: [{ name: 'a.json', content: '{}' }] }));
    await withSource({ path, name: 'annotations.json' }, async (source) => expect(source.kind).toBe('zip'));
  });

  it('is text by its content, with any name', async () => {
    for (const name of ['a.zip', 'a.tar', 'a.tgz', 'a.png']) {
      const path = save(name, Buffer.from('\uFEFF{"images":\r\n\t[]}'));
      await withSource({ path, name }, async (source) => {
        expect(source.kind).toBe('file');
        expect(source.entries.map((entry) => entry.path)).toEqual([name]);
      });
    }
  });
});

it('a folder follows links inside it, without cycles', async () => {
  const root = join(folder, 'linked');
  mkdirSync(join(root, 'labels'), { recursive: true });
  writeFileSync(join(root, 'labels', 'a.txt'), 'abc');
  symlinkSync('a.txt', join(root, 'labels', 'b.txt'));
  symlinkSync('labels', join(root, 'again'));
  symlinkSync('..', join(root, 'labels', 'up'));
  symlinkSync('nowhere', join(root, 'broken'));
  await withSource({ path: root, name: 'linked' }, async (source) => {
    const files = ['again/a.txt', 'again/b.txt', 'labels/a.txt', 'labels/b.txt'];
    expect(source.entries).toEqual(files.map((path) => ({ path, sizeBytes: 3 })));
    expect(String(await source.read('again/b.txt'))).toBe('abc');
    expect(source.warnings.map((warning) => /"(.*)"/.exec(warning)?.[1]).toSorted()).toEqual([
      'again/up',
      'broken',
      'labels/up',
    ]);
  });
});

it.each([
  ['bzip2', '425a6839314159265359'],
  ['xz', 'fd377a585a0000'],
  ['zstd', '28b52ffd04005100'],
])('an archive of %s is refused with what to do', async (name, bytes) => {
  const path = join(folder, `d.tar.${name}`);
  writeFileSync(path, Buffer.from(`${bytes}00ff00`, 'hex'));
  await expect(openSource({ path, name: 'd.tar' })).rejects.toThrow(
    `Cannot open d.tar: it is compressed as ${name}. Unpack it`,
  );
});

it('a folder skips and reports links that lead out of it', async () => {
  const root = join(folder, 'root');
  mkdirSync(root);
  writeFileSync(join(root, 'a.txt'), 'a');
  symlinkSync('/etc/passwd', join(root, 'link.txt'));
  await withSource({ path: root, name: 'root' }, async (source) => {
    expect(source.entries).toEqual([{ path: 'a.txt', sizeBytes: 1 }]);
    expect(source.warnings.join()).toContain('link.txt');
  });
});

describe('a stored entry whose bytes were damaged', () => {
  it('is detected at the end of an input that reads it directly from the disk', async () => {
    const bytes = craftZip({ entries: [{ name: 'x', content: large, crc: 1 }] });
    await withSource({ path: save('x.zip', bytes), name: 'x.zip' }, async (source) => {
      await expect(readThrough(source, 'x')).rejects.toThrow(/checksum/);
    });
  });
});

describe('one extra top folder', () => {
  async function open(...names: string[]): Promise<Source> {
    const path = save('x.zip', craftZip({ entries: names.map((name) => ({ name, content: name })) }));
    return openSource({ path, name: 'x.zip' });
  }
  const isExpected = (path: string): boolean => path.startsWith('annotations/');

  it('is skipped, also twice, and also beside system files', async () => {
    for (const prefix of ['', 'dataset/', 'a/b/']) {
      const source = await open(`${prefix}annotations/x.json`, `${prefix}images/1.jpg`, '__MACOSX/._x');
      const view = stripTopFolder(source, isExpected);
      expect(view.entries.map(({ path }) => path)).toContain('annotations/x.json');
      expect((await view.read('images/1.jpg')).toString()).toBe(`${prefix}images/1.jpg`);
      expect(await view.localPath('images/1.jpg')).toBeDefined();
      expect(view.has('annotations/x.json')).toBe(true);
      await source.close();
    }
  });

  it('is kept if skipping does not help', async () => {
    const source = await open('one/a.json', 'two/b.json');
    expect(commonTopFolder(source)).toBeUndefined();
    expect(stripTopFolder(source, isExpected)).toBe(source);
    await source.close();
  });
});
