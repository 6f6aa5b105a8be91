import { useQuery } from '@tanstack/react-query';
import type { Request } from '../../../preload/contract/schema/resources.ts';
import { queries } from '../../api/queries.ts';

/** Subject of a request; for a restored backup and for frames, the result. */
export function targetOf({ operation, result_id: result }: Request) {
  const { project_id: project, task_id: task, job_id: job, type, target } = operation;
  if (type === 'create:frames' && result !== null) return { project: null, task: result, job: null };
  if (type !== 'import:backup') return { project, task, job };
  return { project: target === 'project' ? result : null, task: target === 'task' ? result : null, job: null };
}

export interface WorkNames {
  readonly tasks: ReadonlyMap<number, string>;
  readonly projects: ReadonlyMap<number, string>;
  /** False while loading; afterwards a missing name means that the object was deleted. */
  readonly areKnown: boolean;
}

const sorted = (ids: readonly (number | null)[]): readonly number[] =>
  [...new Set(ids.filter((id) => id !== null))].toSorted((left, right) => left - right);

export function useWorkNames(requests: readonly Request[]): WorkNames {
  const targets = requests.map(targetOf);
  const taskIds = sorted(targets.map(({ task }) => task));
  const projectIds = sorted(targets.map(({ task, project }) => (task === null ? project : null)));
  const tasks = useQuery(queries.taskNames(taskIds));
  const projects = useQuery(queries.projectNames(projectIds));
  return {
    tasks: tasks.data ?? new Map(),
    projects: projects.data ?? new Map(),
    areKnown:
      tasks.data !== undefined &&
      projects.data !== undefined &&
      !tasks.isPlaceholderData &&
      !projects.isPlaceholderData,
  };
}
