import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Writes a reproducible file atomically: `produce` fills a temporary file in the same folder, which is flushed and then
 * moved into place. A failure leaves no file. After a power failure the file may be missing, but is never incomplete:
 * the folder is not synced, unlike in `platform/durable-files.ts`, which is for files that cannot be reproduced.
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
