import { frameMatchesSchema, frameSearchSchema } from '../schema/finding.ts';
import { operation } from '../operation.ts';

/** Limner's own: finding one's way in what is annotated. */
export const findingOperations = {
  searchJobFrames: operation.post(
    '/api/limner/jobs/{id}/frames/search',
    'Frames of a job with annotations that pass a filter, and how many',
    { status: 200, body: frameSearchSchema, output: frameMatchesSchema },
  ),
} as const;
