import { join } from 'node:path';
import { describe } from 'vitest';
import { interpolationVectors } from '../support/interpolation-vectors.ts';
import { sharedFixtures } from './shared-fixtures.ts';

describe("the vectors of CVAT's server", () => {
  interpolationVectors(join(sharedFixtures, 'track_interpolation/cvat_server_interpolation_vectors.json'));
});
