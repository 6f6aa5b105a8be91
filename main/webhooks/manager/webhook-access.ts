import { AppError, notFound } from '../../platform/errors.ts';
import { isAdmin, requireAllowed } from '../../users/access/access-rules.ts';
import type { ActionOf } from '../../users/access/access-table.ts';
import type { Actor } from '../../users/access/actor.ts';
import type { WorkAccess } from '../../work/work-access.ts';
import type { WebhookRepository, WebhookRow } from '../store/webhook-repository.ts';

export type WebhookAccess = ReturnType<typeof createWebhookAccess>;

/** Loads webhooks for an actor: 404 if unknown, 403 if the action is not allowed. */
export function createWebhookAccess({
  webhooks,
  access,
}: {
  readonly webhooks: Pick<WebhookRepository, 'get'>;
  readonly access: Pick<WorkAccess, 'facts'>;
}) {
  function stored(id: number): WebhookRow {
    const row = webhooks.get(id);
    if (!row) throw notFound();
    return row;
  }
  function open(actor: Actor, id: number, action: ActionOf<'webhook'>): WebhookRow {
    const row = stored(id);
    requireAllowed(actor, 'webhook', action, {
      ...access.facts.place(actor, row.organization),
      people: { owner: row.owner_id, projectOwner: row.project_owner_id },
    });
    return row;
  }

  return {
    stored,
    open,
    /** Administrators may also change a webhook that was deleted with its project. */
    mayChange(actor: Actor, id: number): boolean {
      if (isAdmin(actor)) return true;
      try {
        return open(actor, id, 'update') !== undefined;
      } catch (error) {
        if (error instanceof AppError) return false;
        throw error;
      }
    },
  };
}
