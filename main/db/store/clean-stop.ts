import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { syncFolderSync } from '../../platform/durable-files.ts';

const stateSchema = z.object({ sizeBytes: z.number(), changedMs: z.number() });
type State = z.infer<typeof stateSchema>;

const markOf = (file: string): string => `${file}.closed`;

function stateOf(file: string): State {
  const { size, mtimeMs } = statSync(file);
  return { sizeBytes: size, changedMs: mtimeMs };
}

/** True if the store is unchanged since a clean stop. */
export function wasStoppedCleanly(file: string): boolean {
  try {
    const marked = stateSchema.parse(JSON.parse(readFileSync(markOf(file), 'utf8')));
    const { sizeBytes, changedMs } = stateOf(file);
    return marked.sizeBytes === sizeBytes && marked.changedMs === changedMs;
  } catch {
    return false;
  }
}

/** Call before the first change: from then on only a clean stop proves an intact store. */
export function forgetCleanStop(file: string): void {
  rmSync(markOf(file), { force: true });
  syncFolderSync(dirname(file));
}

/** Call after the store was closed. If it fails, the next start checks the store. */
export function rememberCleanStop(file: string): void {
  writeFileSync(markOf(file), JSON.stringify(stateOf(file)), { mode: 0o600 });
}
