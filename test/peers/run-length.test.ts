import { join } from 'node:path';
import { describe } from 'vitest';
import { runLengthVectors } from '../support/run-length-vectors.ts';
import { sharedFixtures } from './shared-fixtures.ts';

describe('many vectors of pycocotools', () => {
  runLengthVectors(join(sharedFixtures, 'coco/generated_rle_oracle/rle_vectors.json'));
});
