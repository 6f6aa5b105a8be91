import { useMutation } from '@tanstack/react-query';
import { useState, type SyntheticEvent } from 'react';
import type { User } from '../../../preload/contract/schema/server.ts';
import { call } from '../../api/client.ts';
import { fieldErrors } from '../../api/field-errors.ts';
import { useText } from '../../i18n/index.ts';
import { FormError } from '../../ui/form.tsx';
import { Checkbox, Group, PasswordInput, QuietButton, SimpleGrid, Stack } from '../../ui/kit.ts';
import { notify } from '../../ui/notify.ts';
import { SectionHead } from '../../ui/section-head.tsx';

interface Passwords {
  readonly old: string;
  readonly next: string;
  readonly repeat: string;
}
const empty: Passwords = { old: '', next: '', repeat: '' };
const shortest = 8;

/** An administrator may set a password without the old one, which ends every session: this one signs in again. */
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

export function PasswordForm({ user }: { readonly user: User }) {
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
    onChange: (event: { currentTarget: { value: string } }) => {
      const { value } = event.currentTarget;
      setValues((before) => ({ ...before, [field]: value }));
    },
  });
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (ready) change.mutate();
  };
  return (
    <form onSubmit={submit}>
      <SectionHead title={t('settings.account.passwordTitle')}>{t('settings.account.passwordText')}</SectionHead>
      <Stack gap="md">
        {/* Password managers want to know whose password it is. */}
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
              onChange={(event) => setForgotten(event.currentTarget.checked)}
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
