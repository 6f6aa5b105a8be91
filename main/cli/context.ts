import type { Application } from '../platform/application.ts';
import type { ProgressOutput } from '../platform/progress-bar.ts';

/** The parts of its process that a command may use. */
export interface CliContext {
  readonly application: Application;
  /** Prints a result: one line, without the line break. */
  readonly print: (line: string) => void;
  readonly errorOutput: ProgressOutput;
  /** Aborted if the user interrupts or the system asks the program to stop. */
  readonly stopSignal: AbortSignal;
}

export function note(context: CliContext, line: string): void {
  context.errorOutput.write(`${line}\n`);
}
