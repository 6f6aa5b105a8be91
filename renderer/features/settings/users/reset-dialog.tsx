import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { User } from '../../../../preload/contract/schema/server.ts';
import { call } from '../../../api/client.ts';
import { useText } from '../../../i18n/index.ts';
import { userName } from '../../../parts/people/user-name.ts';
import { FormDialog } from '../../../ui/form.tsx';
import { Checkbox, Text } from '../../../ui/kit.ts';
import { newPassword } from './new-password.ts';
import type { MadePassword } from './password-once.tsx';

interface ResetDialogProps {
  readonly user: User;
  readonly onMade: (made: MadePassword) => void;
  readonly onClose: () => void;
}

/** Gives somebody another password, after saying what ends by it. */
export function ResetDialog({ user, onMade, onClose }: ResetDialogProps) {
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
      onSubmit={() => reset.mutate()}
      onClose={onClose}
      isBusy={reset.isPending}
      error={reset.error?.message}
    >
      <Text fz="sm">{t('users.resetText')}</Text>
      <Checkbox
        data-autofocus
        label={t('users.revoke')}
        description={t('users.revokeHint')}
        checked={revokes}
        onChange={(event) => setRevokes(event.currentTarget.checked)}
      />
    </FormDialog>
  );
}
