#!/usr/bin/env node
import { locateApplication } from './platform/application.ts';
import { runCli } from './cli/program.ts';
import { keepLoopbackDirect } from './platform/proxy.ts';
import { createStopSignal } from './cli/stop-signal.ts';

keepLoopbackDirect(process.env);

// `limner formats | head`: who reads the output has had enough of it, which is no failure; nor is it one of a service
// whose terminal is gone.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

process.exitCode = await runCli(process.argv.slice(2), {
  application: locateApplication(import.meta.dirname, import.meta.filename),
  print: (line) => void process.stdout.write(`${line}\n`),
  errorOutput: process.stderr,
  stopSignal: createStopSignal(),
});

// Everything is closed and written by now: nothing that still waits (an idle connection) may keep the process.
setTimeout(() => process.exit(), 2000).unref();
