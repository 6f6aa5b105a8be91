import { ApiFailure } from './api-failure.ts';
import { CommandError, exitCodes } from './exit-codes.ts';

/**
 * What the service says of functions is for people, also where its status is one of the 500s: an Engine that is not
 * there or a function that does not answer is no fault of the service, whose log would tell nothing.
 */
export async function explained<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.status <= 500) throw error;
    throw new CommandError(exitCodes.failed, error.message, { cause: error });
  }
}
