import { dirname } from 'node:path';
import { runCli } from '../../../../main/cli/program.ts';
import { locateApplication } from '../../../../main/platform/application.ts';
import { programEntry } from '../../../support/node-executable.ts';
import type { CommandResult } from './run-limner.ts';

const application = locateApplication(dirname(programEntry('cli')), programEntry('cli'));

/**
 * Runs a command in this process, like `main/cli.ts`, for commands that call a running service or use only files.
 * `runLimner` tests the start of a separate process.
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
