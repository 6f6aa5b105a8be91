import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useRouter } from '@tanstack/react-router';
import { useState, type SyntheticEvent } from 'react';
import { call } from '../../api/client.ts';
import { useText } from '../../i18n/index.ts';
import { Button, PasswordInput, Stack, Text, TextInput, Title } from '../../ui/kit.ts';
import classes from './sign-in-page.module.css';

/** For visits without a launch link: user name and password. Goes on to `next`. */
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
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    signIn.mutate();
  };
  return (
    <main className={classes.ground}>
      <form className={classes.card} onSubmit={submit}>
        <Stack gap="md">
          <img src="/favicon.svg" alt="" width={40} height={40} />
          <div>
            <Title order={1}>{t('signIn.title')}</Title>
            <Text c="dimmed" fz="sm" mt={4}>
              {t('signIn.text')}
            </Text>
          </div>
          <TextInput
            label={t('signIn.username')}
            autoComplete="username"
            value={username}
            onChange={(event) => setUsername(event.currentTarget.value)}
          />
          <PasswordInput
            label={t('signIn.password')}
            autoComplete="current-password"
            data-autofocus
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            error={signIn.error?.message}
          />
          <Button type="submit" loading={signIn.isPending} disabled={username === '' || password === ''}>
            {t('signIn.submit')}
          </Button>
          <Link to="/join" className={classes.other}>
            {t('join.have')}
          </Link>
        </Stack>
      </form>
    </main>
  );
}
