import type { Command } from 'commander';
import { ApiFailure } from './api-failure.ts';
import { CommandError, exitCodes } from './exit-codes.ts';
import { parseId } from './options.ts';

export interface TargetOptions {
  readonly task?: number;
  readonly project?: number;
  readonly job?: number;
}

export interface Target {
  readonly kind: 'task' | 'project' | 'job';
  readonly id: number;
  /** `/api/tasks/5` */
  readonly path: string;
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
    return id === undefined ? [] : [{ kind, id, path: `/api/${kind}s/${id}` }];
  });
  const [target] = chosen;
  if (target === undefined || chosen.length > 1) {
    throw new CommandError(exitCodes.usage, 'Give exactly one of --task ID, --project ID and --job ID.');
  }
  return target;
}

/** The service says only that something was not found: a person wants to know what. */
export function missingTarget({ kind, id }: Target, error: unknown): unknown {
  if (!(error instanceof ApiFailure) || error.status !== 404) return error;
  const message = `There is no ${kind} ${id} here, or it may not be seen. Nothing was changed.`;
  return new CommandError(exitCodes.refused, message, { cause: error });
}
