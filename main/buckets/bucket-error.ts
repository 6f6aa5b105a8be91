import { AppError, type ErrorCode } from '../platform/errors.ts';

/** Why an object or a bucket cannot be used. */
export type BucketProblem = 'missing' | 'forbidden' | 'changed' | 'unreachable' | 'failed';

const codes: Readonly<Record<BucketProblem, ErrorCode>> = {
  missing: 'not-found',
  // Not `forbidden`: the user may read the task; it is the bucket that refuses the key.
  forbidden: 'unavailable',
  changed: 'unavailable',
  unreachable: 'unavailable',
  failed: 'unavailable',
};

export class BucketError extends AppError {
  readonly problem: BucketProblem;

  constructor(problem: BucketProblem, message: string, options?: { cause?: unknown }) {
    super(codes[problem], message, undefined, options);
    this.problem = problem;
  }
}
