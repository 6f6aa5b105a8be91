import { ApiError, type TestClient } from '../../support/client.ts';
import { below, type Random } from '../../support/random.ts';
import type { LabeledData } from '../../../preload/contract/schema/annotations.ts';
import { applied, judge, modelOf, type Edit, type Verdict } from './annotation-model.ts';
import { randomEdit, type EditedTask } from './random-edits.ts';

/** A client that edits one task, request after request, and remembers answered edits. */
export function createEditor(random: Random, task: EditedTask) {
  let model = new Map<string, string>();
  let unanswered: { readonly edit: Edit; readonly key: string } | null = null;
  let answered = 0;
  let objects = 0;

  /** Repeatable requests have a key: the service must apply them once. */
  const send = (client: TestClient, edit: Edit, key: string) =>
    client.good<LabeledData | undefined>(edit.method, `/api/${edit.target}/${edit.id}/annotations/`, {
      ...(edit.action ? { query: { action: edit.action } } : {}),
      ...(edit.body ? { json: edit.body } : {}),
      headers: edit.method === 'PATCH' ? { 'Idempotency-Key': key } : {},
    });

  function acknowledge(edit: Edit, answer: LabeledData | undefined): void {
    model = applied(model, edit, answer);
    unanswered = null;
    answered += 1;
    objects += edit.changes.size + edit.added.length;
  }

  return {
    get answered() {
      return answered;
    },
    get objects() {
      return objects;
    },
    /** Edits until the connection breaks. A refused edit fails the test. */
    async edit(client: TestClient, isKilled: () => boolean): Promise<void> {
      while (!isKilled()) {
        const edit = randomEdit(random, task, model);
        const key = `edit ${answered} ${below(random, 2 ** 30)}`;
        unanswered = { edit, key };
        try {
          acknowledge(edit, await send(client, edit, key));
        } catch (error) {
          if (error instanceof ApiError || !isKilled()) throw error;
          return;
        }
      }
    },
    /** After a restart, compares the store with the answered edits and the unanswered one. */
    async check(client: TestClient): Promise<Verdict> {
      const actual = modelOf(await client.annotations('tasks', task.id));
      const verdict = judge(model, actual, unanswered?.edit ?? null);
      if (unanswered?.edit.method === 'PATCH' && verdict.unanswered !== 'half' && random() < 0.5) {
        const { edit, key } = unanswered;
        acknowledge(edit, await send(client, edit, key));
        const again = judge(model, modelOf(await client.annotations('tasks', task.id)), null);
        return { lost: [...verdict.lost, ...again.lost], unanswered: verdict.unanswered };
      }
      unanswered = null;
      model = actual;
      return verdict;
    },
  };
}
