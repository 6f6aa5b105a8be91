import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** A name beside `file` that no other writer uses. */
export function temporaryNameFor(file: string): string {
  return `${file}.${randomUUID()}.part`;
}

/**
 * Writes a file so that others see all of it or nothing: `produce` fills a temporary file in the same folder, which is
 * flushed and then moved into place. Nothing remains when it fails.
 */
export async function writeAtomically(file: string, produce: (temporary: string) => Promise<void>): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const temporary = temporaryNameFor(file);
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
