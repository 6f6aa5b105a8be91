import { useQuery } from '@tanstack/react-query';
import { queries } from '../../api/queries.ts';
import type { DatasetTarget } from './export-dialog.tsx';

const noLabels: readonly string[] = [];

/** Names of the labels of a task, a job or a project. */
export function useTargetLabels({ kind, id }: DatasetTarget): readonly string[] {
  const of = kind === 'job' ? { job_id: id } : kind === 'task' ? { task_id: id } : { project_id: id };
  const { data } = useQuery(queries.labels(of));
  return data?.map(({ name }) => name) ?? noLabels;
}
