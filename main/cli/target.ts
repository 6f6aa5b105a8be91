import type { Command } from 'commander';
import { parseId } from './options.ts';
import { CommandError, exitCodes } from './exit-codes.ts';

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
