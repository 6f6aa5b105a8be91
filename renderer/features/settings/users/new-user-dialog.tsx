import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../api/client.ts';
import { fieldErrors } from '../../../api/field-errors.ts';
import { useText } from '../../../i18n/index.ts';
import { FormDialog } from '../../../ui/form.tsx';
import { Group, Hint, TextInput, ChoiceField } from '../../../ui/kit.ts';
import { notify } from '../../../ui/notify.ts';
import { type MadePassword, newPassword } from './password-once.tsx';
import { type Role, rolePatch, roles } from './user-row.tsx';
import { useTexts } from '../../../shared/use-form.ts';

interface NewUserDialogProps {
  readonly onMade: (made: MadePassword) => void;
  readonly onClose: () => void;
}

export function NewUserDialog({ onMade, onClose }: NewUserDialogProps) {
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
