import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { prepareExecutable } from '../../sdk/python.ts';

const run = promisify(execFile);

/** Runs a script of this folder in a fresh process and returns the JSON that it prints. */
export type RunPeer = <Result>(script: string, args: readonly string[]) => Promise<Result>;

/**
 * A Python environment with the programs that Limner is compared with. The first call creates it, which takes a minute
 * or two.
 */
export async function preparePeers(): Promise<RunPeer> {
  const python = await prepareExecutable('python', 'requirements-datasets.txt');
  return async <Result>(script: string, args: readonly string[]) => {
    const { stdout } = await run(python, [join(import.meta.dirname, 'peers', script), ...args], {
      maxBuffer: 1024 * 1024,
    });
    // Each script prints the type that its caller names.
    return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Result;
  };
}

export interface Measured {
  readonly milliseconds: number;
  readonly peakBytes: number;
}
