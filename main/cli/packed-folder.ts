import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { withSource } from '../formats/io/open-source.ts';
import { isSystemFile } from '../formats/io/source.ts';
import { writeArchive } from '../formats/kit/frame-images.ts';
import { CommandError, exitCodes } from './exit-codes.ts';
import { note, type CliContext } from './context.ts';

/**
 * Works with a file, or with a folder as an archive of it that is there for that time. Links in a folder are not
 * followed.
 */
export async function withPackedFolder<Result>(
  path: string,
  context: CliContext,
  work: (file: string) => Promise<Result>,
): Promise<Result> {
  const found = await stat(path).catch(() => null);
  if (found?.isDirectory() !== true) return work(path);
  const folder = await mkdtemp(join(tmpdir(), 'limner-folder-'));
  const archive = join(folder, `${basename(path)}.zip`);
  try {
    await withSource({ path, name: basename(path) }, async (source) => {
      for (const warning of source.warnings) note(context, warning);
      const entries = source.entries.filter((entry) => !isSystemFile(entry.path));
      if (entries.length === 0)
        throw new CommandError(exitCodes.refused, `${path} holds no files: there is nothing to import.`);
      await writeArchive(archive, async (zip) => {
        for (const entry of entries) {
          context.stopSignal.throwIfAborted();
          await zip.addFile(entry.path, join(path, ...entry.path.split('/')));
        }
      });
    });
    return await work(archive);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
