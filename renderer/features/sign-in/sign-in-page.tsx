import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { useText } from '../../i18n/index.ts';
import { EntryCard } from '../../ui/entry-card.tsx';
import { PasswordInput, TextInput } from '../../ui/kit.ts';

/** Sign-in with user name and password, for visits without a launch link. Continues to `next`. */
export function SignInPage({ next }: { readonly next: string }) {
  const t = useText();
  const router = useRouter();
  const client = useQueryClient();
  const [username, setUsername] = useState('admin');
  const [password, setPassword] = useState('');
  const signIn = useMutation({
    mutationFn: () => call('login', { body: { username, password } }),
    onSuccess: () => {
      client.clear();
      router.history.push(next);
    },
  });
  return (
    <EntryCard
      title={t('signIn.title')}
      text={t('signIn.text')}
      submit={t('signIn.submit')}
      onSubmit={() => signIn.mutate()}
      isBusy={signIn.isPending}
      isReady={username !== '' && password !== ''}
      other={<Link to="/join">{t('join.have')}</Link>}
    >
      <TextInput label={t('signIn.username')} autoComplete="username" value={username} onChange={setUsername} />
      <PasswordInput
        label={t('signIn.password')}
        autoComplete="current-password"
        data-autofocus
        value={password}
        onChange={setPassword}
        error={signIn.error?.message}
      />
    </EntryCard>
  );
}
