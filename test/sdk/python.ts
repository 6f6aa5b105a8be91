import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { projectRoot } from '../support/node-executable.ts';

const run = promisify(execFile);
/**
 * Requirement files, one per environment: the clients of both contracts; Schemathesis, which would force old versions on the clients;
 * readers of datasets; readers of training data; a small converter of boxes; programs that run models; an S3 server; and the writer of Parquet files.
 */
const environments = [
  'requirements.txt',
  'requirements-2.80.txt',
  'requirements-schemathesis.txt',
  'requirements-datasets.txt',
  'requirements-readers.txt',
  'requirements-panlabel.txt',
  'requirements-models.txt',
  'requirements-buckets.txt',
  'requirements-parquet.txt',
] as const;
export type Requirements = (typeof environments)[number];

export const requirementsVariable = 'LIMNER_TEST_CLIENT_REQUIREMENTS';
/** Requirements of the release of cvat-cli that a test file uses. */
export const clientRequirements = (): Requirements =>
  environments.find((file) => file === process.env[requirementsVariable]) ?? 'requirements.txt';

/**
 * The file lists all packages. Their own dependencies, such as a window system or a model runtime, are not installed.
 */
const isComplete = (requirements: string): boolean => requirements.endsWith('-readers.txt');
const maxOutputBytes = 64 * 1024 * 1024;

/** Runs a script of this folder and returns the JSON on its last line. */
export type RunPython = <Result>(script: string, args: readonly string[]) => Promise<Result>;

/**
 * A Python with the real client packages, in a virtual environment that later runs reuse. `PYTHON` names the
 * interpreter for it; the default is `python3`.
 * @throws Error that says what is missing
 */
export async function preparePython(file: Requirements = 'requirements.txt'): Promise<RunPython> {
  const executable = await prepareExecutable('python', file);
  return async <Result>(script: string, args: readonly string[]) => {
    const { stdout } = await run(executable, [join(import.meta.dirname, script), ...args], {
      maxBuffer: maxOutputBytes,
    });
    // Each script prints the type that its caller names.
    return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Result;
  };
}

export interface EndedScript {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface ScriptRunner {
  /** Runs a script, one at a time, like `python script args`. */
  readonly run: (
    script: string,
    args: readonly string[],
    env?: Readonly<Record<string, string>>,
  ) => Promise<EndedScript>;
  readonly stop: () => Promise<unknown>;
}

/**
 * Runs scripts in forks of one process of an environment. It has imported the modules, because their imports take more
 * CPU time than most scripts.
 */
export async function startForking(
  file: Requirements,
  modules: readonly string[],
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<ScriptRunner> {
  const executable = await prepareExecutable('python', file);
  const parent = spawn(executable, [join(import.meta.dirname, 'fork_scripts.py'), ...modules], {
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(parent, 'exit');
  ended.catch(() => undefined);
  const ends = createInterface({ input: parent.stdout })[Symbol.asyncIterator]();
  let last: Promise<unknown> = Promise.resolve();
  async function runNext(call: object): Promise<EndedScript> {
    parent.stdin.write(`${JSON.stringify(call)}\n`);
    const { value, done } = await ends.next();
    if (done === true) throw new Error(`The Python process of ${file} has ended.`);
    return JSON.parse(value) as EndedScript;
  }
  return {
    run(script, args, more = {}) {
      const result = last.then(() => runNext({ script, args, env: more }));
      last = result.catch(() => undefined);
      return result;
    },
    stop() {
      parent.stdin.end();
      return ended;
    },
  };
}

/** Path of a program in such an environment: `python`, `cvat-cli`, `schemathesis`. */
export async function prepareExecutable(name: string, file: Requirements = 'requirements.txt'): Promise<string> {
  const requirements = join(import.meta.dirname, file);
  const version = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 12);
  const folder = join(projectRoot, '.cache', `python-${version}`);
  const program = (of: string) => join(folder, process.platform === 'win32' ? `Scripts/${of}.exe` : `bin/${of}`);
  if (!existsSync(program('python'))) await install(folder, requirements);
  return program(name);
}

async function install(folder: string, requirements: string): Promise<void> {
  const python = process.env['PYTHON'] ?? 'python3';
  try {
    await run(python, ['-m', 'venv', folder]);
    const packages = join(folder, process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python');
    // Modules are compiled on first use, because compiling all of them takes as long as unpacking.
    const options = [
      '--quiet',
      '--no-compile',
      '--disable-pip-version-check',
      ...(isComplete(requirements) ? ['--no-deps'] : []),
    ];
    await run(packages, ['-m', 'pip', 'install', ...options, '-r', requirements], { maxBuffer: maxOutputBytes });
  } catch (error) {
    // A partial environment would look ready to the next run.
    if (existsSync(folder)) {
      renameSync(folder, `${folder}.broken`);
      rmSync(`${folder}.broken`, { recursive: true, force: true });
    }
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(
      `These tests need Python 3.11 or newer with venv and pip, and the packages of ${requirements} ` +
        `(PYTHON=${python}): ${reason}`,
      { cause: error },
    );
  }
}

if (import.meta.main) for (const file of environments) await prepareExecutable('python', file);
