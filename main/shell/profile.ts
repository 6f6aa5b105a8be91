import { createHash } from 'node:crypto';
import { join, resolve } from 'node:path';

/**
 * The window's own files (Chromium's profile, where the window stood), a folder for each data directory: two
 * workbenches may be open side by side, each of them once, and neither sees what the other's page keeps.
 */
export function profileOf(userData: string, dataDirectory: string | null): string {
  if (dataDirectory === null) return userData;
  const name = createHash('sha256').update(resolve(dataDirectory)).digest('hex').slice(0, 16);
  return join(userData, 'workbenches', name);
}
