import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

const shared = resolve(import.meta.dirname, '../../../shared');

/** Files from other programs, and answers of reference implementations. They are beside the repository. */
export const sharedFixtures = resolve(shared, 'fixtures');
export const sharedMedia = resolve(shared, 'media');

// This suite needs them: it fails, it never skips.
for (const folder of [sharedFixtures, sharedMedia]) {
  if (!existsSync(folder)) {
    throw new Error(
      `This suite reads files of other programs from ${folder}, which is not there. They are no part of the ` +
        'repository; "npm test" runs without them.',
    );
  }
}
