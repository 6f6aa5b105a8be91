import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { constants } from 'node:os';
import { join } from 'node:path';
import { leanEnvironment, leanOptions } from './memory-settings.mjs';
import { isNodeNewEnough, nodeExecutable, projectRoot } from './project.mjs';

/** Saves Node the compilation of 3 MB at each start, a sixth of the start time. A build empties this folder. */
const compileCache = join(projectRoot, 'out', 'main', 'compiled');
/** Environment of the program's process. */
const programEnvironment = { ...leanEnvironment, NODE_COMPILE_CACHE: compileCache };

/**
 * Runs the calling script again with a recent enough Node if necessary, and exits with its exit code. Signals are
 * forwarded; if this process is killed, the child sees its channel close and stops.
 * @param {string} script
 * @param {{ lean?: boolean }} [options] lean: with the settings of lean-process.mjs, for scripts that run the program
 * itself
 * @returns {Promise<void>} once the running Node is recent enough
 */
export async function ensureNode(script, { lean = false } = {}) {
  if (isNodeNewEnough()) {
    if (lean) {
      restartWithMemorySettings(script);
      enableCompileCache(process.env['NODE_COMPILE_CACHE'] ?? compileCache);
    }
    stopWhenStarterDies();
    return;
  }
  const child = spawn(nodeExecutable(), [...(lean ? leanOptions : []), script, ...process.argv.slice(2)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: lean ? { ...programEnvironment, ...process.env } : process.env,
  });
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => child.kill(signal));
  }
  await new Promise((resolve) => {
    child.on('error', (error) => {
      process.stderr.write(`Cannot start Node: ${error.message}\n`);
      process.exit(1);
    });
    child.on('close', (code, signal) => {
      process.exit(code ?? 128 + (signal === null ? 1 : constants.signals[signal]));
      resolve(undefined);
    });
  });
}

/**
 * Restarts this process with the settings of lean-process.mjs, unless it has them. It keeps its id, parent and
 * terminal, but would lose a channel to its parent. Returns if it cannot restart, as on Windows.
 * @param {string} script
 */
function restartWithMemorySettings(script) {
  const isLean = leanOptions.every((option) => process.execArgv.includes(option));
  if (isLean || process.channel || process.platform === 'win32' || process.execve === undefined) return;
  const args = [process.execPath, ...process.execArgv, ...leanOptions, script, ...process.argv.slice(2)];
  process.execve(process.execPath, args, { ...programEnvironment, ...process.env });
}

const parentPollMs = 1000;

/**
 * Stops this process as SIGTERM would if the process that started it is gone: the script above, or npm. A program that
 * was started by hand is not stopped, because it may outlive its terminal on purpose.
 */
function stopWhenStarterDies() {
  const stop = () => {
    if (!process.emit('SIGTERM', 'SIGTERM')) process.exit(143);
  };
  if (process.channel) {
    process.channel.unref();
    process.once('disconnect', stop);
  } else if (process.env['npm_lifecycle_event'] !== undefined && process.platform !== 'win32') {
    const starters = npmProcesses();
    const timer = setInterval(() => {
      if (npmProcesses() === starters) return;
      clearInterval(timer);
      stop();
    }, parentPollMs);
    timer.unref();
  }
}

/** Process id of the parent, and of its parent if npm started this process through a shell. */
function npmProcesses() {
  const parent = process.ppid;
  try {
    // proc(5): process id, command in parentheses, state, parent.
    const [, command = '', grandparent = ''] =
      /\((.*)\) \S (\d+)/.exec(readFileSync(`/proc/${parent}/stat`, 'utf8')) ?? [];
    return /^(sh|dash|bash)$/.test(command) ? `${parent} ${grandparent}` : String(parent);
  } catch {
    return String(parent);
  }
}
