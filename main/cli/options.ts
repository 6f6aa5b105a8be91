import { readFileSync } from 'node:fs';
import { InvalidArgumentError, type Command } from 'commander';
import { usage, orMissing } from './exit-codes.ts';

export function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535) {
    throw new InvalidArgumentError('A port is a whole number from 0 to 65535; 0 takes any free one.');
  }
  return port;
}

export function parseId(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) {
    throw new InvalidArgumentError('An id is a whole number, as the addresses and lists of the program show it.');
  }
  return Number(text);
}

export function parseCount(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It is a whole number from 1 on.');
  return Number(text);
}

export function parseAmount(text: string): number {
  if (!/^(0|[1-9]\d{0,8})$/.test(text)) throw new InvalidArgumentError('It is a whole number from 0 on.');
  return Number(text);
}

export function collect(value: string, previous: readonly string[] = []): string[] {
  return [...previous, value];
}

export function textIn(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw usage(`The file ${file} cannot be read. Nothing was changed.`, { cause: error });
  }
}

/** Reads a secret from the first line of a file, because other users can see command lines. */
export function secretIn(file: string): string {
  const secret = (textIn(file).split('\n')[0] ?? '').replace(/\r$/, '');
  if (secret !== '') return secret;
  throw usage(`The first line of ${file} is empty. Nothing was changed.`);
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
    .option('--task <id>', 'the task', parseId)
    .option('--project <id>', 'the project', parseId)
    .option('--job <id>', 'the job', parseId);
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
  orMissing(`There is no ${kind} ${id} here, or it may not be seen.`, answer);
