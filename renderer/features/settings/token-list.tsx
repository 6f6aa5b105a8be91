import { IconTrash } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import type { accessTokenSchema } from '../../../preload/contract/schema/server.ts';
import { messageOf } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import { useText } from '../../i18n/index.ts';
import { formatDate, formatWhen, isPast } from '../../parts/format-text.ts';
import { ask } from '../../ui/confirm.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Text } from '../../ui/kit.ts';
import { notify } from '../../ui/notify.ts';
import { DataTable, RowActions } from '../../ui/table.tsx';

type AccessToken = z.infer<typeof accessTokenSchema>;

const Expiry = ({ date }: { readonly date: string | null }) => {
  const t = useText();
  if (date === null) return t('settings.api.never');
  if (!isPast(date)) return formatDate(date);
  return (
    <Text span inherit c="red">
      {t('settings.api.expired', { when: formatWhen(date) })}
    </Text>
  );
};

/** The person's access tokens: never their values, which nobody has any more. */
export function TokenList({ tokens }: { readonly tokens: readonly AccessToken[] }) {
  const t = useText();
  const client = useQueryClient();
  const revoke = useMutation({
    mutationFn: ({ id }: AccessToken) => call('deleteAccessToken', { params: { id } }),
    onSuccess: (_, { name }) => notify.success(t('settings.api.revoked', { name })),
    onError: (error, { name }) => notify.failure(name, messageOf(error)),
    onSettled: () => client.invalidateQueries({ queryKey: ['access-tokens'] }),
  });
  const askAndRevoke = async (token: AccessToken): Promise<void> => {
    const { name } = token;
    const words = { confirm: t('settings.api.revoke'), cancel: t('common.cancel') };
    const title = t('settings.api.revokeTitle', { name });
    if (await ask({ title, text: t('settings.api.revokeText'), ...words })) revoke.mutate(token);
  };
  return (
    <DataTable
      label={t('settings.api.tokens')}
      columns={[
        t('settings.api.name'),
        t('settings.api.access'),
        t('settings.api.lastUsed'),
        t('settings.api.expires'),
      ]}
    >
      {tokens.map((token) => (
        <tr key={token.id}>
          <td>{token.name}</td>
          <td>{t(token.read_only ? 'settings.api.readOnly' : 'settings.api.readWrite')}</td>
          <td>{token.last_used_date === null ? t('settings.api.neverUsed') : formatWhen(token.last_used_date)}</td>
          <td>
            <Expiry date={token.expiry_date} />
          </td>
          <RowActions>
            {' '}
            <IconButton
              label={t('settings.api.revokeToken', { name: token.name })}
              icon={<IconTrash size={16} stroke={1.5} />}
              onClick={() => void askAndRevoke(token)}
            />
          </RowActions>
        </tr>
      ))}
    </DataTable>
  );
}
