import type { BasicUser } from '../../../preload/contract/schema/common.ts';
import { useText } from '../../i18n/index.ts';
import { Avatar } from '../../ui/avatar.tsx';
import classes from './person.module.css';
import { userName } from './user-name.ts';

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
