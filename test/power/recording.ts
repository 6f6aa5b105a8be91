import { execFileSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { startServer, type RunningServer, type ServerOptions } from '../support/server.ts';

const needs =
  'The power-cut suite compiles a small library that writes down what the server writes: it needs Linux, gcc and the ' +
  'headers of the C library (on Debian: apt-get install gcc libc6-dev).';

export function compileRecorder(folder: string): string {
  const library = join(folder, 'recorder.so');
  const source = join(import.meta.dirname, 'recorder.c');
  try {
    execFileSync('gcc', ['-shared', '-fPIC', '-O1', '-o', library, source, '-ldl', '-lpthread'], { stdio: 'pipe' });
  } catch (error) {
    throw new Error(`${needs}\n${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
  return library;
}

/** A server that appends its writes below its data directory to `log`, including those of its threads and children. */
export function startRecorded(
  { library, log, dataDir }: { readonly library: string; readonly log: string; readonly dataDir: string },
  options: ServerOptions = {},
): Promise<RunningServer> {
  return startServer({
    ...options,
    dataDir,
    env: {
      ...options.env,
      LD_PRELOAD: library,
      LIMNER_RECORD_ROOT: realpathSync(dataDir),
      LIMNER_RECORD_LOG: log,
      // The recorder cannot see writes that the kernel makes from an io_uring queue.
      UV_USE_IO_URING: '0',
    },
  });
}
