import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { mutants } from '../mutants/mutants.ts';
import { projectRoot } from '../support/node-executable.ts';

it.each(mutants)('the change “$name” matches its source', ({ file, from }) => {
  expect(readFileSync(join(projectRoot, file), 'utf8').split(from)).toHaveLength(2);
});
