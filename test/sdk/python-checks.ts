import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Names of the checks in a script of this folder: the functions that are marked so. */
export function checkNames(script: string): string[] {
  const text = readFileSync(join(import.meta.dirname, script), 'utf8');
  return [...text.matchAll(/^@check\ndef (\w+)\(/gm)].map((match) => match[1] ?? '');
}

/** What each check said: null when it passed, else its traceback. */
export type CheckResults = Readonly<Record<string, string | null>>;
