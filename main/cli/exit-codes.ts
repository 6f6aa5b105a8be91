import { AppError } from '../platform/errors.ts';
import { ApiFailure } from './api-failure.ts';

/** Exit codes of the command line; `limner --help` lists them. */
export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  refused: 3,
  interrupted: 130,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

export const exitCodesHelp = `
Exit codes:
  0    done (also when single records were left out: the report lists them)
  1    failed: the message on standard error says what happened and what to do
       (of doctor: a fault was found; of evaluate: a measure is below --min or --min-ap)
  2    wrong usage: an unknown option, a missing argument, an unknown format
  3    nothing was changed: the data were refused, the store is missing, damaged,
       of another program or of a newer Limner, or the data directory or the
       port is in use
  130  interrupted`;

/** Ends a command with a sentence for the person and an exit code. */
export class CommandError extends Error {
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'CommandError';
    this.exitCode = exitCode;
  }
}

export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof CommandError) return error.exitCode;
  if (error instanceof ApiFailure) return error.status < 500 ? exitCodes.refused : exitCodes.failed;
  if (error instanceof AppError) return error.code === 'conflict' ? exitCodes.refused : exitCodes.failed;
  return exitCodes.failed;
}
