#!/usr/bin/env node
import { locateApplication } from './platform/application.ts';
import { runCli } from './cli/program.ts';
import { keepLoopbackDirect } from './platform/proxy.ts';
import { createStopSignal } from './cli/stop-signal.ts';
import { endProcess, widenThreadPool } from './platform/thread-pool.ts';

widenThreadPool(process.env);
keepLoopbackDirect(process.env);

// A closed pipe is no failure: `limner formats | head` needs no more output, and a service may outlive its terminal.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

const exitCode = await runCli(process.argv.slice(2), {
  application: locateApplication(import.meta.dirname, import.meta.filename),
  print: (line) => void process.stdout.write(`${line}\n`),
  errorOutput: process.stderr,
  stopSignal: createStopSignal(),
});
// `limner open` sets the exit code of the window.
process.exitCode ||= exitCode;

// Everything is closed and written by now, so idle connections must not keep the process alive.
setTimeout(() => endProcess(), 200).unref();
