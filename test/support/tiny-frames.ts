import { link, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeImage } from './images.ts';

/** Common file systems allow some 65,000 hard links per file. Beyond that, another copy is linked. */
const linksPerFile = 30_000;

/**
 * A folder of `count` images that needs the space of a few: hard links to one small JPEG. `nameOf` returns the names.
 * Used in place by `server_files`, it creates tasks of any size within seconds.
 */
export async function makeFrameFolder(
  folder: string,
  count: number,
  nameOf: (index: number) => string,
  size: { readonly width: number; readonly height: number } = { width: 640, height: 480 },
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const bytes = await makeImage(size);
  let source = '';
  for (let index = 0; index < count; index += 1) {
    const path = join(folder, nameOf(index));
    if (index % linksPerFile === 0) {
      source = path;
      await writeFile(path, bytes);
    } else await link(source, path);
  }
}
