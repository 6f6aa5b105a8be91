import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';

/** Links followed: on some systems the folder of temporary files is one, and programs say where they really are. */
const make = (): string => realpathSync(mkdtempSync(join(tmpdir(), 'limner-test-')));
// Windows keeps what a process that has just ended had open for a moment.
const remove = (folder: string) => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });

/** A folder that goes at the end of the test; for use in it, or in a `beforeEach`. */
export function temporaryFolder(): string {
  const folder = make();
  onTestFinished(() => remove(folder));
  return folder;
}

/** A folder of a file's tests, or of a `describe`: it goes behind the last of them. */
export function sharedFolder(): string {
  const folder = make();
  afterAll(() => remove(folder));
  return folder;
}
