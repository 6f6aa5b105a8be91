import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type SyntheticEvent } from 'react';
import type { User } from '../../../preload/contract/schema/server.ts';
import { call } from '../../api/client.ts';
import { fieldErrors } from '../../api/field-errors.ts';
import { useText } from '../../i18n/index.ts';
import { FormError } from '../../ui/form.tsx';
import { Button, Group, SimpleGrid, Stack, TextInput, Title } from '../../ui/kit.ts';
import { notify } from '../../ui/notify.ts';

const fields = ['username', 'email', 'first_name', 'last_name'] as const;
type Names = Pick<User, (typeof fields)[number]>;

/** User name, names and e-mail of the signed-in person. */
export function NameForm({ user }: { readonly user: User }) {
  const t = useText();
  const client = useQueryClient();
  const [changes, setChanges] = useState<Partial<Names>>({});
  const save = useMutation({
    mutationFn: () => call('updateUser', { params: { id: user.id }, body: changes }),
    onSuccess: async () => {
      setChanges({});
      notify.success(t('settings.account.saved'));
      await client.invalidateQueries({ queryKey: ['self'] });
      await client.invalidateQueries({ queryKey: ['users'] });
    },
  });
  const { of, rest } = fieldErrors(save.error, fields);
  const input = (field: keyof Names) => ({
    value: changes[field] ?? user[field],
    error: of[field],
    onChange: (event: { currentTarget: { value: string } }) => {
      const { value } = event.currentTarget;
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
