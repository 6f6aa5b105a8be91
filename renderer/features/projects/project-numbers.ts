import type { Task } from '../../../preload/contract/schema/resources.ts';
import type { Statistics } from '../../../preload/contract/schema/statistics.ts';

export interface ProjectNumbers {
  readonly frames: number;
  readonly jobs: number;
  readonly done: number;
  readonly inValidation: number;
  /** Frames by subset, the largest first; the empty name is of tasks without one. */
  readonly subsets: readonly (readonly [name: string, frames: number])[];
}

/** What the tasks of a project come to. */
export function numbersOf(tasks: readonly Task[]): ProjectNumbers {
  const sum = (of: (task: Task) => number): number => tasks.reduce((total, task) => total + of(task), 0);
  const bySubset = Map.groupBy(tasks, ({ subset }) => subset);
  return {
    frames: sum(({ size = 0 }) => size),
    jobs: sum(({ jobs }) => jobs.count),
    done: sum(({ jobs }) => jobs.completed),
    inValidation: sum(({ jobs }) => jobs.validation),
    subsets: [...bySubset]
      .map(([name, list]) => [name, list.reduce((total, { size = 0 }) => total + size, 0)] as const)
      .toSorted(([, a], [, b]) => b - a),
  };
}

/** Objects and tracks by label, the most frequent first. */
export const objectsByLabel = ({ labels }: Statistics) =>
  labels
    .map(({ id, name, color, kinds }) => ({
      key: id,
      name,
      color,
      count: kinds.reduce((sum, { objects, tracks }) => sum + objects + tracks, 0),
    }))
    .toSorted((a, b) => b.count - a.count);
