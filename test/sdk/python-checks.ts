import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export function checkNames(script: string): string[] {
  const text = readFileSync(join(import.meta.dirname, script), 'utf8');
  return [...text.matchAll(/^@check\ndef (\w+)\(/gm)].map((match) => match[1] ?? '');
}

/** Result of each check: null if it passed, otherwise its traceback. */
export type CheckResults = Readonly<Record<string, string | null>>;
