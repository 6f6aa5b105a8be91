import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';

/** Resolves links, because the temporary folder is one on some systems and programs report real paths. */
const make = (): string => realpathSync(mkdtempSync(join(tmpdir(), 'limner-test-')));
// Windows keeps files of an ended process locked for a moment.
const remove = (folder: string) => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });

/** A folder that is removed at the end of the test; for use in a test or a `beforeEach`. */
export function temporaryFolder(): string {
  const folder = make();
  onTestFinished(() => remove(folder));
  return folder;
}

/** A folder for all tests of a file or a `describe`, removed after the last of them. */
export function sharedFolder(): string {
  const folder = make();
  afterAll(() => remove(folder));
  return folder;
}
