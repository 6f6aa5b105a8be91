import { useMutation, useQuery } from '@tanstack/react-query';
import { type SyntheticEvent, useState } from 'react';
import type { User } from '../../../preload/contract/schema/server.ts';
import { call } from '../../api/client.ts';
import { fieldErrors } from '../../api/field-errors.ts';
import { queries } from '../../api/queries.ts';
import { useChange } from '../../shared/use-change.ts';
import { useText } from '../../i18n/index.ts';
import { FormError } from '../../ui/form.tsx';
import {
  Button,
  Checkbox,
  Group,
  PasswordInput,
  QuietButton,
  SimpleGrid,
  Stack,
  TextInput,
  Title,
} from '../../ui/kit.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { notify } from '../../ui/notify.ts';
import { SectionHead } from '../../ui/section-head.tsx';

interface Passwords {
  readonly old: string;
  readonly next: string;
  readonly repeat: string;
}
const empty: Passwords = { old: '', next: '', repeat: '' };
const shortest = 8;

/** An administrator may set a password without the old one, which ends every session, so this one signs in again. */
async function replacePassword({ id, username }: User, password: string): Promise<void> {
  const { uid, token } = await call('createPasswordReset', { params: { id } });
  await call('confirmPasswordReset', {
    body: { uid, token, new_password1: password, new_password2: password, limner_keep_access_tokens: true },
  });
  await call('login', { body: { username, password } });
}

async function changePassword({ old, next, repeat }: Passwords): Promise<void> {
  await call('changePassword', { body: { old_password: old, new_password1: next, new_password2: repeat } });
}

function PasswordForm({ user }: { readonly user: User }) {
  const t = useText();
  const [values, setValues] = useState(empty);
  const [forgotten, setForgotten] = useState(false);
  const change = useMutation({
    mutationFn: () => (forgotten ? replacePassword(user, values.next) : changePassword(values)),
    onSuccess: () => {
      setValues(empty);
      setForgotten(false);
      notify.success(t('settings.account.changed'));
    },
  });
  const { of, rest } = fieldErrors(change.error, ['old_password', 'new_password1', 'new_password2']);
  const differ = values.repeat !== '' && values.next !== values.repeat;
  const ready = values.next.length >= shortest && values.next === values.repeat && (forgotten || values.old !== '');
  const input = (field: keyof Passwords, autoComplete: string) => ({
    value: values[field],
    autoComplete,
    onChange: (value: string) => setValues((before) => ({ ...before, [field]: value })),
  });
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (ready) change.mutate();
  };
  return (
    <form onSubmit={submit}>
      <SectionHead title={t('settings.account.passwordTitle')}>{t('settings.account.passwordText')}</SectionHead>
      <Stack gap="md">
        {/* Password managers need the user name. */}
        <input type="text" autoComplete="username" value={user.username} readOnly hidden />
        <SimpleGrid cols={2} spacing="md">
          <PasswordInput
            label={t('settings.account.current')}
            disabled={forgotten}
            error={of.old_password}
            {...input('old', 'current-password')}
          />
          {user.is_superuser ? (
            <Checkbox
              mt={32}
              label={t('settings.account.forgotten')}
              description={forgotten ? t('settings.account.forgottenText') : undefined}
              checked={forgotten}
              onChange={setForgotten}
            />
          ) : (
            <span />
          )}
          <PasswordInput
            label={t('settings.account.next')}
            description={t('settings.account.nextHint')}
            error={of.new_password1}
            {...input('next', 'new-password')}
          />
          <PasswordInput
            label={t('settings.account.repeat')}
            error={differ ? t('settings.account.differ') : of.new_password2}
            {...input('repeat', 'new-password')}
          />
        </SimpleGrid>
        <FormError text={rest} />
        <Group gap="sm">
          <QuietButton type="submit" loading={change.isPending} disabled={!ready}>
            {t('settings.account.change')}
          </QuietButton>
        </Group>
      </Stack>
    </form>
  );
}

const fields = ['username', 'email', 'first_name', 'last_name'] as const;
type Names = Pick<User, (typeof fields)[number]>;

function NameForm({ user }: { readonly user: User }) {
  const t = useText();
  const [changes, setChanges] = useState<Partial<Names>>({});
  const save = useChange(() => call('updateUser', { params: { id: user.id }, body: changes }), {
    reloads: ['self', 'users'],
    done: () => {
      setChanges({});
      notify.success(t('settings.account.saved'));
    },
  });
  const { of, rest } = fieldErrors(save.error, fields);
  const input = (field: keyof Names) => ({
    value: changes[field] ?? user[field],
    error: of[field],
    onChange: (value: string) => {
      const { [field]: _, ...others } = changes;
      setChanges(value === user[field] ? others : { ...others, [field]: value });
    },
  });
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Title order={2} mb={12}>
        {t('settings.account.title')}
      </Title>
      <Stack gap="md">
        <SimpleGrid cols={2} spacing="md">
          <TextInput
            label={t('settings.account.username')}
            description={t('settings.account.usernameHint')}
            {...input('username')}
          />
          <TextInput
            label={t('settings.account.email')}
            description={user.is_superuser ? t('settings.account.emailHint') : t('settings.account.emailLocked')}
            disabled={!user.is_superuser}
            {...input('email')}
          />
          <TextInput label={t('settings.account.firstName')} {...input('first_name')} />
          <TextInput label={t('settings.account.lastName')} {...input('last_name')} />
        </SimpleGrid>
        <FormError text={rest} />
        <Group gap="sm">
          <Button type="submit" loading={save.isPending} disabled={Object.keys(changes).length === 0}>
            {t('common.save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

export function AccountSection() {
  const self = useQuery({ ...queries.self(), refetchOnMount: 'always' });
  return (
    <Loaded query={self}>
      {(user) => (
        <>
          <NameForm user={user} />
          <PasswordForm user={user} />
        </>
      )}
    </Loaded>
  );
}
