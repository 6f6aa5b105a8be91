import { dirname } from 'node:path';
import { runCli } from '../../../../main/cli/program.ts';
import { locateApplication } from '../../../../main/platform/application.ts';
import { programEntry } from '../../../support/node-executable.ts';
import type { CommandResult } from './run-limner.ts';

const application = locateApplication(dirname(programEntry('cli')), programEntry('cli'));

/**
 * Runs a command in this process, as `main/cli.ts` does: for commands that ask a service that runs, or work on files
 * alone. What a process of its own brings, its start above all, is shown by `runLimner`.
 */
export async function runHere(args: readonly string[]): Promise<CommandResult> {
  let output = '';
  let errorOutput = '';
  const exitCode = await runCli(args, {
    application,
    print: (line) => void (output += `${line}\n`),
    errorOutput: { write: (text) => void (errorOutput += text) },
    stopSignal: new AbortController().signal,
  });
  return { exitCode, output, errorOutput };
}
