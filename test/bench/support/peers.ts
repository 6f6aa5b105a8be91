import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { prepareExecutable } from '../../sdk/python.ts';

const run = promisify(execFile);

/** Runs a script beside this file in a fresh process and answers the JSON that it prints. */
export type RunPeer = <Result>(script: string, args: readonly string[]) => Promise<Result>;

/** A Python with the programs that Limner is measured beside; made at the first call, which takes a minute or two. */
export async function preparePeers(): Promise<RunPeer> {
  const python = await prepareExecutable('python', 'requirements-datasets.txt');
  return async <Result>(script: string, args: readonly string[]) => {
    const { stdout } = await run(python, [join(import.meta.dirname, 'peers', script), ...args], {
      maxBuffer: 1024 * 1024,
    });
    // The scripts lie beside this file and print what their callers name.
    return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Result;
  };
}

export interface Measured {
  readonly milliseconds: number;
  readonly peakBytes: number;
}
