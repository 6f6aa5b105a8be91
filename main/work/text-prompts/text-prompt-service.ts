import type { Store } from '../../db/store.ts';
import type { Actor } from '../../users/access/actor.ts';
import type { JobRow } from '../tables/job-table.ts';
import type { WorkAccess } from '../work-access.ts';
import { createTextPromptRepository, type TextPromptOwner } from './text-prompt-repository.ts';

/** Phrases that models looked for last, kept by project, or by task without one. */
export function createTextPromptService({
  database,
  access,
}: {
  readonly database: Store;
  readonly access: Pick<WorkAccess, 'job'>;
}) {
  const rows = createTextPromptRepository(database);
  const ownerOf = ({ project_id: project, task_id: task }: JobRow): TextPromptOwner => ({
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
