import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { User } from '../../../../preload/contract/schema/server.ts';
import { peopleQueries } from '../../../api/people-queries.ts';
import { queries } from '../../../api/queries.ts';
import { useText } from '../../../i18n/index.ts';
import { Button, Group, Hint, Stack, Text, Title } from '../../../ui/kit.ts';
import { Cell, List, ListHead } from '../../../ui/list.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { SearchField } from '../../../ui/search-field.tsx';
import { NewUserDialog } from './new-user-dialog.tsx';
import { PasswordOnce, type MadePassword } from './password-once.tsx';
import { ResetDialog } from './reset-dialog.tsx';
import { UserRow } from './user-row.tsx';

/** Administrators are shown every account in full. */
const isInFull = (user: object): user is User => 'groups' in user;

const contains = (user: User, words: readonly string[]): boolean => {
  const text = [user.username, user.first_name, user.last_name, user.email].join(' ').toLowerCase();
  return words.every((word) => text.includes(word));
};

/** Everybody with an account on this workbench. */
export function UsersSection() {
  const t = useText();
  const [search, setSearch] = useState('');
  const [dialog, setDialog] = useState<'new' | User | null>(null);
  const [made, setMade] = useState<MadePassword | null>(null);
  const users = useQuery({ ...peopleQueries.users(), refetchOnMount: 'always' });
  const own = useQuery(queries.self()).data?.id;
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const show = (password: MadePassword): void => {
    setDialog(null);
    setMade(password);
  };
  return (
    <Stack gap="md">
      <Title order={2}>{t('users.title')}</Title>
      <Group justify="space-between">
        <SearchField label={t('users.search')} value={search} onChange={setSearch} />
        <Button size="xs" leftSection={<IconPlus size={14} />} onClick={() => setDialog('new')}>
          {t('users.new')}
        </Button>
      </Group>
      {made !== null && <PasswordOnce made={made} onDone={() => setMade(null)} />}
      <Loaded query={users}>
        {({ results }) => {
          const found = results.filter(isInFull).filter((user) => contains(user, words));
          if (found.length === 0) return <Text c="dimmed">{t('users.nothingFound')}</Text>;
          return (
            <div>
              <ListHead lead={<span style={{ width: 20 }} />} name={t('users.person')}>
                <Cell width={136}>{t('users.role')}</Cell>
                <Cell width={96}>{t('users.lastSeen')}</Cell>
                <Cell width={28} />
              </ListHead>
              <List>
                {found.map((user) => (
                  <UserRow key={user.id} user={user} isSelf={user.id === own} onReset={() => setDialog(user)} />
                ))}
              </List>
            </div>
          );
        }}
      </Loaded>
      <Hint>{t('users.footer')}</Hint>
      {dialog === 'new' && <NewUserDialog onMade={show} onClose={() => setDialog(null)} />}
      {dialog !== null && dialog !== 'new' && (
        <ResetDialog user={dialog} onMade={show} onClose={() => setDialog(null)} />
      )}
    </Stack>
  );
}
