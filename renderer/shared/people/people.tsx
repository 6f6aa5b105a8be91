import { useQuery } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import type { BasicUser } from '../../../preload/contract/schema/common.ts';
import { peopleQueries } from '../../api/people-queries.ts';
import { useText } from '../../i18n/index.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Select } from '../../ui/kit.ts';
import classes from './person.module.css';

export function userName(user: Pick<BasicUser, 'username' | 'first_name' | 'last_name'>): string {
  const full = `${user.first_name} ${user.last_name}`.trim();
  return full === '' ? user.username : full;
}

/** Users who can be assigned. A single user sees no such field. */
export function usePeople(): { readonly people: readonly BasicUser[]; readonly areSeveral: boolean } {
  const people = useQuery(peopleQueries.users()).data?.results ?? [];
  return { people, areSeveral: people.length > 1 };
}

export function Person({ user }: { readonly user: BasicUser | null }) {
  const t = useText();
  const person = user === null ? null : { id: user.id, name: userName(user) };
  return (
    <span className={classes.person}>
      <Avatar person={person} />
      <span>{person?.name ?? t('jobs.nobody')}</span>
    </span>
  );
}

interface AssigneeSelectProps extends Omit<ComponentProps<typeof Select>, 'data' | 'value' | 'onChange'> {
  readonly assignee: BasicUser | null;
  readonly onChange: (id: number | null) => void;
}

export function AssigneeSelect({ assignee, onChange, ...props }: AssigneeSelectProps) {
  const t = useText();
  const { people } = usePeople();
  // Keeps an assignee whom this user cannot list.
  const known = assignee === null || people.some((one) => one.id === assignee.id) ? people : [...people, assignee];
  return (
    <Select
      placeholder={t('jobs.nobody')}
      searchable
      clearable
      data={known.map((one) => ({ value: String(one.id), label: userName(one) }))}
      value={assignee === null ? null : String(assignee.id)}
      onChange={(id) => onChange(id === null ? null : Number(id))}
      {...props}
    />
  );
}
