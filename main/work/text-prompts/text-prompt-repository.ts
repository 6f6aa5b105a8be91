import { textPromptsSchema } from '../../../preload/contract/schema/text-prompts.ts';
import type { Store } from '../../db/store.ts';

export interface TextPromptOwner {
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
    of({ project_id, task_id }: TextPromptOwner): readonly string[] {
      const row = of.get({ project_id, task_id }) as { readonly prompts: string } | undefined;
      return row === undefined ? [] : textPromptsSchema.shape.prompts.parse(JSON.parse(row.prompts));
    },
    put({ project_id, task_id }: TextPromptOwner, prompts: readonly string[]): void {
      remove.run({ project_id, task_id });
      if (prompts.length > 0) insert.run({ project_id, task_id, prompts: JSON.stringify(prompts) });
    },
  };
}
