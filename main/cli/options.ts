import { readFileSync } from 'node:fs';
import { InvalidArgumentError, type Command } from 'commander';
import { usage, orMissing } from './exit-codes.ts';

export function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535) {
    throw new InvalidArgumentError('A port must be a whole number from 0 to 65535; 0 means any free port.');
  }
  return port;
}

export function parseId(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) {
    throw new InvalidArgumentError('An id must be a whole number, as in the addresses and lists of the program.');
  }
  return Number(text);
}

export function parseCount(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It must be a whole number of at least 1.');
  return Number(text);
}

export function parseAmount(text: string): number {
  if (!/^(0|[1-9]\d{0,8})$/.test(text)) throw new InvalidArgumentError('It must be a whole number of at least 0.');
  return Number(text);
}

export function collect(value: string, previous: readonly string[] = []): string[] {
  return [...previous, value];
}

export function textIn(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw usage(`Cannot read ${file}. Nothing was changed.`, { cause: error });
  }
}

/** Reads a secret from the first line of a file, because other users can see command lines. */
export function secretIn(file: string): string {
  const secret = (textIn(file).split('\n')[0] ?? '').replace(/\r$/, '');
  if (secret !== '') return secret;
  throw usage(`Cannot use ${file}: its first line is empty. Nothing was changed.`);
}

export interface TargetOptions {
  readonly task?: number;
  readonly project?: number;
  readonly job?: number;
}

export interface Target {
  readonly kind: 'task' | 'project' | 'job';
  readonly id: number;
}

export function addTargetOptions(command: Command): Command {
  return command
    .option('--task <id>', 'id of the task', parseId)
    .option('--project <id>', 'id of the project', parseId)
    .option('--job <id>', 'id of the job', parseId);
}

export function chosenTarget(options: TargetOptions): Target {
  const chosen = (['task', 'project', 'job'] as const).flatMap((kind) => {
    const id = options[kind];
    return id === undefined ? [] : [{ kind, id }];
  });
  const [target] = chosen;
  if (target && chosen.length === 1) return target;
  throw usage('Give exactly one of --task ID, --project ID and --job ID.');
}

export const ofTarget = <Result>({ kind, id }: Target, answer: Promise<Result>): Promise<Result> =>
  orMissing(`No ${kind} with id ${id}, or you have no access to it.`, answer);
