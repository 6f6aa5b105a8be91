import { textPromptsSchema } from '../../../preload/contract/schema/text-prompts.ts';
import type { Store } from '../../db/store.ts';
import type { Actor } from '../../users/access/actor.ts';
import type { JobRow } from '../tables/job-table.ts';
import type { WorkAccess } from '../work-access.ts';

export interface Owner {
  readonly project_id: number | null;
  readonly task_id: number | null;
}

/** Text prompts of a project, or of a task without one. */
export function createTextPromptRepository(database: Store) {
  const of = database.query('SELECT prompts FROM text_prompt WHERE project_id = +@project_id OR task_id = +@task_id');
  const remove = database.query('DELETE FROM text_prompt WHERE project_id = +@project_id OR task_id = +@task_id');
  const insert = database.query(
    'INSERT INTO text_prompt (project_id, task_id, prompts) VALUES (@project_id, @task_id, @prompts)',
  );
  return {
    of({ project_id, task_id }: Owner): readonly string[] {
      const row = of.get({ project_id, task_id }) as { readonly prompts: string } | undefined;
      return row === undefined ? [] : textPromptsSchema.shape.prompts.parse(JSON.parse(row.prompts));
    },
    put({ project_id, task_id }: Owner, prompts: readonly string[]): void {
      remove.run({ project_id, task_id });
      if (prompts.length > 0) insert.run({ project_id, task_id, prompts: JSON.stringify(prompts) });
    },
  };
}

export function createTextPromptService({
  database,
  access,
}: {
  readonly database: Store;
  readonly access: Pick<WorkAccess, 'job'>;
}) {
  const rows = createTextPromptRepository(database);
  const ownerOf = ({ project_id: project, task_id: task }: JobRow): Owner => ({
    project_id: project,
    task_id: project === null ? task : null,
  });
  return {
    get: (actor: Actor, job: number) => ({ prompts: [...rows.of(ownerOf(access.job(actor, job, 'view')))] }),
    put(actor: Actor, job: number, prompts: readonly string[]) {
      const owner = ownerOf(access.job(actor, job, 'update:annotations'));
      database.write(() => rows.put(owner, prompts));
      return { prompts: [...prompts] };
    },
  };
}
