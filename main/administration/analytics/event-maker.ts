import type { ActivityEvent } from '../../../preload/contract/schema/activity.ts';
import type { UserRepository } from '../../people/users/user-repository.ts';

export type Fields = Partial<Omit<ActivityEvent, 'scope' | 'timestamp'>>;

/** For those who hear what happens in the house. */
export interface EventMaker {
  /** While it is off nothing is looked at. */
  readonly isOn: () => boolean;
  readonly add: (events: readonly ActivityEvent[]) => void;
  readonly event: (scope: string, userId: number | null, fields: Fields) => ActivityEvent;
}

/** Makes events of the service itself, which happen now. */
export function createEventMaker(users: Pick<UserRepository, 'get'>): EventMaker['event'] {
  const by = (userId: number | null): Fields => {
    const user = userId === null ? undefined : users.get(userId);
    return { user_id: userId, user_name: user?.username ?? null, user_email: user?.email || null };
  };
  return (scope, userId, fields) => ({
    scope,
    timestamp: new Date(Date.now()).toISOString(),
    source: 'server',
    count: 1,
    duration: 0,
    ...by(userId),
    ...fields,
  });
}
