import type { Application } from '../platform/application.ts';
import type { ProgressOutput } from '../platform/progress-bar.ts';

/** What a command may touch of the process it runs in. */
export interface CliContext {
  readonly application: Application;
  /** Results: one line each, without the line break. */
  readonly print: (line: string) => void;
  /** Messages and progress, on standard error. */
  readonly errorOutput: ProgressOutput;
  /** Aborted when the person interrupts or the system asks the program to stop. */
  readonly stopSignal: AbortSignal;
}

export function note(context: CliContext, line: string): void {
  context.errorOutput.write(`${line}\n`);
}
