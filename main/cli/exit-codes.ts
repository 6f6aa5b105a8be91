import { AppError } from '../platform/errors.ts';

export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  refused: 3,
  interrupted: 130,
} as const;
type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

export const exitCodesHelp = `
Exit codes:
  0    success (also if single records were left out: the report lists them)
  1    failure: the message on standard error gives the reason and what to do
       (doctor: a fault was found; evaluate: a metric is below --min or --min-ap)
  2    wrong usage: an unknown option, a missing argument, an unknown format
  3    refused, nothing was changed: the data was rejected, the store is missing,
       damaged, from another program or a newer Limner, or the data directory or
       the port is in use
  130  interrupted`;

export class CommandError extends Error {
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CommandError';
    this.exitCode = exitCode;
  }
}

const endingWith =
  (exitCode: ExitCode) =>
  (message: string, options?: ErrorOptions): CommandError =>
    new CommandError(exitCode, message, options);
export const failed = endingWith(exitCodes.failed);
export const usage = endingWith(exitCodes.usage);
export const refused = endingWith(exitCodes.refused);
export const interrupted = endingWith(exitCodes.interrupted);

export class ApiFailure extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = 'ApiFailure';
    this.status = status;
  }
}

/**
 * Shows the service's message about a function, even if its status is 5xx. A missing Docker Engine or a function that
 * does not answer is not an error of the service, and its log would say nothing.
 */
export const explained = <Result>(answer: Promise<Result>): Promise<Result> =>
  answer.catch((error: unknown) => {
    if (!(error instanceof ApiFailure) || error.status <= 500) throw error;
    throw failed(error.message, { cause: error });
  });

/** The service says only "Not found."; this replaces it with a sentence that names the object. */
export const orMissing = <Result>(sentence: string, answer: Promise<Result>): Promise<Result> =>
  answer.catch((error: unknown) => {
    if (!(error instanceof ApiFailure) || error.status !== 404) throw error;
    throw refused(`${sentence} Nothing was changed.`, { cause: error });
  });

export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof CommandError) return error.exitCode;
  if (error instanceof ApiFailure) return error.status < 500 ? exitCodes.refused : exitCodes.failed;
  if (error instanceof AppError) return error.code === 'conflict' ? exitCodes.refused : exitCodes.failed;
  return exitCodes.failed;
}
