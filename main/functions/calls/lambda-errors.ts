import { InvocationProblem } from '../engines/invoke.ts';
import type { InvocationAnswer } from '../engines/provider.ts';
import { ModelProblem } from '../configuration/model-description.ts';
import { DashboardProblem } from '../engines/nuclio/nuclio-provider.ts';
import { AppError, errorStatus, ForwardedError } from '../../platform/errors.ts';

/** A 400 whose body is the message. */
export const badRequest = (message: string): ForwardedError => new ForwardedError(400, message);

/** Converts errors to the status codes that CVAT's clients expect for unreachable, slow or failing functions. */
export function forwarded(error: unknown): unknown {
  if (error instanceof ForwardedError) return error;
  if (error instanceof ModelProblem) return new ForwardedError(500, error.message, { cause: error });
  if (error instanceof DashboardProblem) return new ForwardedError(error.status, error.message, { cause: error });
  if (error instanceof InvocationProblem) {
    const status = { refused: 400, unreachable: 503, interrupted: 503, late: 504, 'too-large': 500, cancelled: 499 }[
      error.kind
    ];
    return new ForwardedError(status, error.message, { cause: error });
  }
  // Docker is unavailable or the function is stopped.
  if (error instanceof AppError && (error.code === 'unavailable' || error.code === 'timeout')) {
    return new ForwardedError(errorStatus[error.code], error.message, { cause: error });
  }
  return error;
}

const maxShown = 600;

/** Error for a failed call, with the function's own status and message. */
export function functionFailure(id: string, { status, body }: InvocationAnswer): ForwardedError {
  const said = body
    .toString('utf8', 0, 4 * maxShown)
    .trim()
    .slice(0, maxShown);
  const reason = {
    503: 'no worker became free in time',
    408: 'the function took too long for one image',
    413: 'the image is larger than the function accepts (maxRequestBodySize)',
  }[status];
  const message = `The function "${id}" returned ${status}${reason === undefined ? '' : `: ${reason}`}${said === '' ? '.' : `: ${said}`}`;
  return new ForwardedError(status >= 400 && status <= 599 ? status : 500, message);
}
