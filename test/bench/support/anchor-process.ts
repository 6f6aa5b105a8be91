import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { nodeExecutable } from '../../support/node-executable.ts';

const folder = join(import.meta.dirname, 'anchors');

/** Runs an anchor in a fresh process and parses the line of JSON that it prints. */
export async function runAnchor<Result>(script: string, args: readonly string[] = []): Promise<Result> {
  const anchor = await startAnchor<Result>(script, args);
  const [code] = (await anchor.exited) as [number | null];
  if (code !== 0) throw new Error(`The anchor ${script} ended with code ${code}.`);
  return anchor.line;
}

export interface StartedAnchor<Result> {
  readonly line: Result;
  readonly readyMs: number;
  readonly exited: Promise<unknown[]>;
  readonly stop: () => Promise<void>;
}

/** The same for an anchor that keeps running: a server. */
export async function startAnchor<Result>(
  script: string,
  args: readonly string[] = [],
): Promise<StartedAnchor<Result>> {
  const started = performance.now();
  const child = spawn(nodeExecutable(), ['--max-old-space-size=16384', join(folder, script), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const lines = createInterface({ input: child.stdout });
  const first = await Promise.race([once(lines, 'line'), exited.then(() => null)]);
  const readyMs = performance.now() - started;
  if (first === null) throw new Error(`The anchor ${script} ended without a line.`);
  return {
    // Each anchor prints the type that its caller names.
    line: JSON.parse(String(first[0])) as Result,
    readyMs,
    exited,
    async stop() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
      await exited;
    },
  };
}
