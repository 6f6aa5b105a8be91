import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { call } from '../../api/client.ts';
import { fieldErrors } from '../../api/field-errors.ts';
import { useText } from '../../i18n/index.ts';
import { EntryCard } from '../../ui/entry-card.tsx';
import { FormError } from '../../ui/form.tsx';
import { PasswordInput, SimpleGrid, TextInput } from '../../ui/kit.ts';
import { useTexts } from '../../shared/use-form.ts';

const fields = ['invitation', 'username', 'password1', 'password2', 'first_name', 'last_name'] as const;
type Field = (typeof fields)[number];

export function JoinPage({ invitation }: { readonly invitation: string }) {
  const t = useText();
  const client = useQueryClient();
  const navigate = useNavigate();
  const { values, bind } = useTexts<Field>({
    invitation,
    username: '',
    password1: '',
    password2: '',
    first_name: '',
    last_name: '',
  });
  const join = useMutation({
    mutationFn: async () => {
      await call('register', { body: { ...values, invitation: values.invitation.trim() }, organization: null });
      await call('login', { body: { username: values.username, password: values.password1 }, organization: null });
    },
    onSuccess: async () => {
      client.clear();
      await navigate({ to: '/tasks' });
    },
  });
  const { of, rest } = fieldErrors(join.error, fields);
  const differ = values.password2 !== '' && values.password1 !== values.password2;
  const ready =
    values.invitation.trim() !== '' &&
    values.username.length >= 5 &&
    values.password1.length >= 8 &&
    values.password1 === values.password2;
  const input = (field: Field) => bind(field, of[field]);
  return (
    <EntryCard
      title={t('join.title')}
      text={t('join.text')}
      submit={t('join.submit')}
      onSubmit={() => join.mutate()}
      isBusy={join.isPending}
      isReady={ready}
      other={<Link to="/sign-in">{t('join.haveAccount')}</Link>}
    >
      <TextInput label={t('join.key')} spellCheck={false} {...input('invitation')} />
      <TextInput
        label={t('join.username')}
        description={t('join.usernameHint')}
        autoComplete="username"
        {...input('username')}
      />
      <SimpleGrid cols={2} spacing="sm">
        <TextInput label={t('join.firstName')} autoComplete="given-name" {...input('first_name')} />
        <TextInput label={t('join.lastName')} autoComplete="family-name" {...input('last_name')} />
      </SimpleGrid>
      <PasswordInput
        label={t('join.password')}
        description={t('join.passwordHint')}
        autoComplete="new-password"
        {...input('password1')}
      />
      <PasswordInput
        label={t('join.repeat')}
        autoComplete="new-password"
        {...input('password2')}
        error={differ ? t('join.differ') : of.password2}
      />
      <FormError text={rest} />
    </EntryCard>
  );
}
