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

/** Whether the store is as a clean stop left it: nobody stopped in the middle of something, and nobody changed it since. */
export function wasStoppedCleanly(file: string): boolean {
  try {
    const marked = stateSchema.parse(JSON.parse(readFileSync(markOf(file), 'utf8')));
    const { sizeBytes, changedMs } = stateOf(file);
    return marked.sizeBytes === sizeBytes && marked.changedMs === changedMs;
  } catch {
    return false;
  }
}

/** Before the first change: from now on only a clean stop says that all is well. */
export function forgetCleanStop(file: string): void {
  rmSync(markOf(file), { force: true });
  syncFolderSync(dirname(file));
}

/** After the store was closed. Where this cannot be written, the next start checks the store. */
export function rememberCleanStop(file: string): void {
  writeFileSync(markOf(file), JSON.stringify(stateOf(file)), { mode: 0o600 });
}
