import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withSource } from '../../../../../main/formats/io/open-source.ts';
import { packFolder } from '../../../../../renderer/shared/files/pack-folder.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

const named = (path: string, content: string) => ({ path, file: new File([content], path.split('/').at(-1) ?? '') });
const { signal } = new AbortController();

async function entriesOf(archive: unknown): Promise<[path: string, text: string][]> {
  if (!(archive instanceof File)) throw new Error('There is no archive.');
  const path = join(temporaryFolder(), archive.name);
  writeFileSync(path, new Uint8Array(await archive.arrayBuffer()));
  return withSource({ path, name: archive.name }, async (source) => {
    const found: [string, string][] = [];
    for (const entry of source.entries) found.push([entry.path, (await source.read(entry.path)).toString('utf8')]);
    return found;
  });
}

test('a folder becomes an archive of its contents, with its name, without files of systems', async () => {
  const said: number[] = [];
  const files = [
    named('street ü/labels/1.txt', '0 1 2'),
    named('street ü/images/写.jpg', 'x'.repeat(100_000)),
    named('street ü/empty.txt', ''),
    named('street ü/.DS_Store', 'nothing'),
  ];
  const archive = await packFolder(files, { signal, onProgress: (fraction) => void said.push(fraction) });
  expect(archive).toMatchObject({ name: 'street ü.zip' });
  expect(said.at(-1)).toBe(1);
  expect((await entriesOf(archive)).toSorted()).toEqual(
    [
      ['empty.txt', ''],
      ['images/写.jpg', 'x'.repeat(100_000)],
      ['labels/1.txt', '0 1 2'],
    ].toSorted(),
  );
});

test('files without a common folder keep their paths', async () => {
  const archive = await packFolder([named('a.xml', '<a/>'), named('images/1.jpg', 'y')], { signal });
  expect(archive).toMatchObject({ name: 'files.zip' });
  expect((await entriesOf(archive)).map(([path]) => path)).toEqual(['a.xml', 'images/1.jpg']);
});

test('packs no archive of nothing, and packing can be cancelled', async () => {
  expect(await packFolder([named('set/.DS_Store', 'x')], { signal })).toBeNull();
  const huge = Object.defineProperty(new File([], 'b'), 'size', { value: 2 ** 32 });
  expect(await packFolder([{ path: 'set/b', file: huge }], { signal })).toEqual({ tooLarge: 'set/b' });
  await expect(packFolder([named('set/a', 'x')], { signal: AbortSignal.abort() })).rejects.toThrow();
});
