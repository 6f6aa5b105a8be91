import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Writes a file that can be made again, so that others see all of it or nothing: `produce` fills a temporary file in the
 * same folder, which is flushed and then moved into place. Nothing remains when it fails. After a power cut the file may
 * be missing, never torn: its folder is not synced, as `platform/durable-files.ts` does for what cannot be made again.
 */
export async function writeAtomically(file: string, produce: (temporary: string) => Promise<void>): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const temporary = `${file}.${randomUUID()}.part`;
  try {
    await produce(temporary);
    const handle = await open(temporary, 'r+');
    try {
      await handle.datasync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
