import { compileJsonLogic } from '../../db/json-logic.ts';
import { AppError, invalidField } from '../../platform/errors.ts';
import { jobFilterFields } from '../tables/job-table.ts';
import type { JobRepository } from '../tables/job-repository.ts';
import type { JobRow } from '../tables/job-table.ts';

/** Refuses a job filter that a report could not apply. */
export function requireJobFilter(filter: string | undefined): void {
  if (filter === undefined || filter === '') return;
  try {
    compileJsonLogic(filter, jobFilterFields);
  } catch (error) {
    throw error instanceof AppError ? invalidField('job_filter', error.message) : error;
  }
}

/** Annotation jobs of a task that quality reports compare, and those that the job filter of the settings excludes. */
export function comparedJobs(
  jobs: Pick<JobRepository, 'ofTask' | 'matching'>,
  taskId: number,
  filter: string,
): { readonly included: readonly JobRow[]; readonly excluded: readonly number[] } {
  const all = jobs.ofTask(taskId).filter(({ type }) => type === 'annotation');
  if (filter === '') return { included: all, excluded: [] };
  const matching = new Set(jobs.matching(taskId, compileJsonLogic(filter, jobFilterFields)));
  return {
    included: all.filter(({ id }) => matching.has(id)),
    excluded: all.flatMap(({ id }) => (matching.has(id) ? [] : [id])),
  };
}
