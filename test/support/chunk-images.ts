import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openSource } from '../../main/formats/io/open-source.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** The images of a chunk in order: entries of a ZIP, or frames of a video (decoded by ffmpeg). */
export async function chunkPictures(chunk: Buffer): Promise<Buffer[]> {
  const folder = temporaryFolder();
  if (chunk.subarray(4, 8).toString('latin1') === 'ftyp') {
    const path = join(folder, 'chunk.mp4');
    writeFileSync(path, chunk);
    execFileSync('ffmpeg', ['-v', 'error', '-i', path, '-fps_mode', 'passthrough', join(folder, '%06d.png')]);
    const names = readdirSync(folder).filter((name) => name.endsWith('.png'));
    return names.toSorted().map((name) => readFileSync(join(folder, name)));
  }
  const path = join(folder, 'chunk.zip');
  writeFileSync(path, chunk);
  const source = await openSource({ path, name: 'chunk.zip' });
  const pictures: Buffer[] = [];
  for (const entry of source.entries) pictures.push(await source.read(entry.path));
  await source.close();
  return pictures;
}
