import type { Store } from '../db/store.ts';

export function createWorkProgressRepository(database: Store) {
  const jobs = database.query(
    `SELECT COUNT(*) AS jobs, COALESCE(SUM(job.state = 'completed'), 0) AS completed FROM job
       JOIN task ON task.id = job.task_id
     WHERE job.type <> 'consensus_replica' AND (:project IS NULL OR task.project_id = +:project)
       AND (:anywhere OR task.organization_id IS +:organization)`,
  );
  const names = {
    project: database.query('SELECT id, name FROM project WHERE id IN (SELECT value FROM json_each(+?))'),
    label: database.query('SELECT id, name FROM label WHERE id IN (SELECT value FROM json_each(+?))'),
    user: database.query('SELECT id, username AS name FROM user WHERE id IN (SELECT value FROM json_each(+?))'),
  };
  return {
    /** @param organizationId null for objects without an organization; undefined for all */
    jobs(projectId: number | undefined, organizationId: number | null | undefined) {
      return jobs.get({
        project: projectId ?? null,
        anywhere: organizationId === undefined ? 1 : 0,
        organization: organizationId ?? null,
      }) as { readonly jobs: number; readonly completed: number };
    },
    names(kind: keyof typeof names, ids: readonly number[]): ReadonlyMap<number, string> {
      const rows = names[kind].all(JSON.stringify(ids)) as { readonly id: number; readonly name: string }[];
      return new Map(rows.map(({ id, name }) => [id, name]));
    },
  };
}

export type WorkProgressRepository = ReturnType<typeof createWorkProgressRepository>;
