import { IconPlus } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { User } from '../../../../preload/contract/schema/server.ts';
import { call } from '../../../api/client.ts';
import { peopleQueries } from '../../../api/people-queries.ts';
import { queries } from '../../../api/queries.ts';
import { useText } from '../../../i18n/index.ts';
import { userName } from '../../../shared/people/people.tsx';
import { FormDialog } from '../../../ui/form.tsx';
import { Button, Checkbox, Group, Hint, Stack, Text, Title, TextInput, ChoiceField } from '../../../ui/kit.ts';
import { Cell, List, ListHead } from '../../../ui/list.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { SearchField } from '../../../ui/fields.tsx';
import { type MadePassword, newPassword, PasswordOnce } from './password-once.tsx';
import { UserRow, type Role, rolePatch, roles } from './user-row.tsx';
import { fieldErrors } from '../../../api/field-errors.ts';
import { notify } from '../../../ui/notify.ts';
import { useTexts } from '../../../shared/use-form.ts';

interface NewUserDialogProps {
  readonly onMade: (made: MadePassword) => void;
  readonly onClose: () => void;
}

function NewUserDialog({ onMade, onClose }: NewUserDialogProps) {
  const t = useText();
  const client = useQueryClient();
  const { values: names, bind } = useTexts({ username: '', email: '', first_name: '', last_name: '' }, (text) =>
    text.trimStart(),
  );
  const [role, setRole] = useState<Role>('user');
  const create = useMutation({
    mutationFn: async () => {
      const password = newPassword();
      const { username } = names;
      await call('register', { body: { ...names, password1: password, password2: password }, organization: null });
      return { username, password };
    },
    onSuccess: async (made) => {
      onMade(made);
      if (role === 'user') return;
      // The account exists and its password is shown, so a failure here must not hide it.
      await giveRole(made.username, role).catch((error: unknown) =>
        notify.failure(t('users.notChanged', { name: made.username }), error),
      );
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['users'] }),
  });
  const { of, rest } = fieldErrors(create.error, ['username', 'email', 'first_name', 'last_name']);
  const input = (field: keyof typeof names) => bind(field, of[field]);
  return (
    <FormDialog
      title={t('users.new')}
      submit={t('users.create')}
      change={create}
      onClose={onClose}
      isReady={names.username.trim() !== ''}
      error={rest}
    >
      <TextInput
        label={t('settings.account.username')}
        description={t('settings.account.usernameHint')}
        data-autofocus
        autoComplete="off"
        {...input('username')}
      />
      <Group gap="sm" grow align="flex-start">
        <TextInput label={t('settings.account.firstName')} autoComplete="off" {...input('first_name')} />
        <TextInput label={t('settings.account.lastName')} autoComplete="off" {...input('last_name')} />
      </Group>
      <TextInput
        label={t('settings.account.email')}
        description={t('settings.account.emailHint')}
        autoComplete="off"
        {...input('email')}
      />
      <ChoiceField
        label={t('users.role')}
        description={t(`users.roleHints.${role}`)}
        data={roles.map((value) => ({ value, label: t(`users.roles.${value}`) }))}
        value={role}
        // The values come from the list.
        onChange={(value) => setRole(value as Role)}
      />
      <Hint>{t('users.newText')}</Hint>
    </FormDialog>
  );
}

/** Accounts start as CVAT's `user`; another role needs a separate change. */
async function giveRole(username: string, role: Role): Promise<void> {
  const { results } = await call('listUsers', { query: { username }, organization: null });
  const [user] = results;
  if (user !== undefined) await call('updateUser', { params: { id: user.id }, body: rolePatch(role) });
}

interface ResetDialogProps {
  readonly user: User;
  readonly onMade: (made: MadePassword) => void;
  readonly onClose: () => void;
}

function ResetDialog({ user, onMade, onClose }: ResetDialogProps) {
  const t = useText();
  const [revokes, setRevokes] = useState(true);
  const reset = useMutation({
    mutationFn: async () => {
      const password = newPassword();
      const { uid, token } = await call('createPasswordReset', { params: { id: user.id } });
      await call('confirmPasswordReset', {
        body: { uid, token, new_password1: password, new_password2: password, limner_keep_access_tokens: !revokes },
      });
      return { username: user.username, password };
    },
    onSuccess: onMade,
  });
  return (
    <FormDialog
      title={t('users.resetTitle', { name: userName(user) })}
      submit={t('users.reset')}
      change={reset}
      onClose={onClose}
    >
      <Text fz="sm">{t('users.resetText')}</Text>
      <Checkbox
        data-autofocus
        label={t('users.revoke')}
        description={t('users.revokeHint')}
        checked={revokes}
        onChange={setRevokes}
      />
    </FormDialog>
  );
}

/** Administrators receive every account completely. */
const isInFull = (user: object): user is User => 'groups' in user;

const contains = (user: User, words: readonly string[]): boolean => {
  const text = [user.username, user.first_name, user.last_name, user.email].join(' ').toLowerCase();
  return words.every((word) => text.includes(word));
};

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
