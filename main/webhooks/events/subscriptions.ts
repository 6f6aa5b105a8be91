import type { Place } from '../../db/changes.ts';
import type { Subscription, WebhookRepository } from '../store/webhook-repository.ts';

export type Subscriptions = ReturnType<typeof createSubscriptions>;

/**
 * Active webhooks in memory, because most changes happen without a subscriber. Code that changes a webhook must call
 * `invalidate` after its transaction.
 */
export function createSubscriptions(webhooks: Pick<WebhookRepository, 'subscriptions'>) {
  let known: readonly Subscription[] | null = null;
  const all = () => (known ??= webhooks.subscriptions());
  const isOfOrganization = (one: Subscription, id: number | null) =>
    one.type === 'organization' && id !== null && one.organizationId === id;
  const isOfProject = (one: Subscription, id: number | null) =>
    one.type === 'project' && id !== null && one.projectId === id;
  return {
    ofOrganization: (key: string, id: number | null): Subscription[] =>
      all().filter((one) => isOfOrganization(one, id) && one.events.has(key)),
    ofServer: (key: string): Subscription[] => all().filter(({ type, events }) => type === 'server' && events.has(key)),
    ofProject: (key: string, id: number | null): Subscription[] =>
      all().filter((one) => isOfProject(one, id) && one.events.has(key)),
    /** True if a webhook subscribes to this event at the object's place. */
    wants: (key: string, { projectId, organizationId }: Place): boolean =>
      all().some(
        (one) =>
          (one.type === 'server' || isOfOrganization(one, organizationId) || isOfProject(one, projectId)) &&
          one.events.has(key),
      ),
    isEmpty: (): boolean => all().length === 0,
    invalidate(): void {
      known = null;
    },
  };
}
