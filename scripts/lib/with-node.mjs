import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { leanEnvironment, leanOptions } from './lean-process.mjs';
import { isNodeNewEnough, nodeExecutable, projectRoot } from './project.mjs';

/**
 * What the program's own process begins with. Node compiles its three megabytes at each start, a sixth of it, and keeps
 * the result here instead: a build empties its folder.
 */
const programEnvironment = { ...leanEnvironment, NODE_COMPILE_CACHE: join(projectRoot, 'out', 'main', 'compiled') };

/**
 * Runs the calling script again with a Node that is new enough, when this one is not, and ends with its exit code.
 * Signals reach the child; when this process dies without a word the child sees its channel close and stops.
 * @param {string} script
 * @param {{ lean?: boolean }} [options] lean: with the settings of lean-process.mjs, for what runs the program itself
 * @returns {Promise<void>} once the running Node is new enough
 */
export async function ensureNode(script, { lean = false } = {}) {
  if (isNodeNewEnough()) {
    if (lean) becomeLean(script);
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
      process.stderr.write(`Node could not be started: ${error.message}\n`);
      process.exit(1);
    });
    child.on('close', (code, signal) => {
      process.exit(code ?? 128 + (signal === null ? 1 : constants.signals[signal]));
      resolve(undefined);
    });
  });
}

/**
 * Begins this process anew with the settings of lean-process.mjs, unless it has them. It keeps its id, its parent and its
 * terminal; a channel to the parent would be lost. Does not return where the system can do that: not on Windows.
 * @param {string} script
 */
function becomeLean(script) {
  const isLean = leanOptions.every((option) => process.execArgv.includes(option));
  if (isLean || process.channel || process.platform === 'win32' || process.execve === undefined) return;
  const args = [process.execPath, ...process.execArgv, ...leanOptions, script, ...process.argv.slice(2)];
  process.execve(process.execPath, args, { ...programEnvironment, ...process.env });
}

const parentPollMs = 1000;

/**
 * Asks this process to stop, as SIGTERM would, when the process that started it is gone: the re-starting script above,
 * or the npm that ran it. A program started by hand is left alone: it may outlive its terminal on purpose.
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

/** The parent's process id; where npm started it through a shell that waits, the shell's parent's, too. */
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
