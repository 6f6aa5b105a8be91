import { spawn } from 'node:child_process';
import { compileCache, nodeExecutable, programEntry } from '../../../support/node-executable.ts';

export interface CommandResult {
  readonly exitCode: number | null;
  readonly output: string;
  readonly errorOutput: string;
}

export interface CommandOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** Runs the command line as a separate process until it ends. */
export function runLimner(args: readonly string[], options: CommandOptions = {}): Promise<CommandResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(nodeExecutable(), [programEntry('cli'), ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...compileCache, ...options.env },
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    });
    let output = '';
    let errorOutput = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (errorOutput += text));
    child.once('error', reject);
    child.once('close', (exitCode) => resolve({ exitCode, output, errorOutput }));
  });
}
