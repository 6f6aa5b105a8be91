import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { WebhookSettings } from '../../preload/contract/schema/webhooks.ts';
import { call } from '../api/client.ts';
import { queries } from '../api/queries.ts';
import { webhookQueries } from '../api/webhook-queries.ts';
import { useText } from '../i18n/index.ts';
import { Dimmed, Hint, Stack, Switch } from '../ui/kit.ts';
import { Loaded } from '../ui/loaded.tsx';
import { notify } from '../ui/notify.ts';

export function PolicySwitches() {
  const t = useText();
  const client = useQueryClient();
  const policy = useQuery({ ...webhookQueries.policy(), refetchOnMount: 'always' });
  const isAdmin = useQuery(queries.self()).data?.is_superuser === true;
  const key = webhookQueries.policy().queryKey;
  const change = useMutation({
    mutationFn: (body: Partial<WebhookSettings>) => call('updateWebhookSettings', { body }),
    // Optimistic update, reverted if the service refuses.
    onMutate: async (body) => {
      await client.cancelQueries({ queryKey: key });
      client.setQueryData(key, (before) => (before === undefined ? before : { ...before, ...body }));
    },
    onSuccess: (saved) => client.setQueryData(key, saved),
    onError: (error) => {
      notify.failure(t('webhookPolicy.failed'), error);
      void client.invalidateQueries({ queryKey: key });
    },
  });
  return (
    <Loaded query={policy}>
      {({ allow_loopback: loopback, allow_private_networks: privateNetworks }) => (
        <Stack gap="md">
          <Dimmed>{t('webhookPolicy.text')}</Dimmed>
          <Switch
            data-autofocus
            label={t('webhookPolicy.loopback')}
            description={t('webhookPolicy.loopbackHint')}
            disabled={!isAdmin}
            checked={loopback}
            onChange={(isOn) => change.mutate({ allow_loopback: isOn })}
          />
          <Switch
            label={t('webhookPolicy.privateNetworks')}
            description={t('webhookPolicy.privateNetworksHint')}
            disabled={!isAdmin}
            checked={privateNetworks}
            onChange={(isOn) => change.mutate({ allow_private_networks: isOn })}
          />
          <Hint>
            {t('webhookPolicy.never')} {!isAdmin && t('webhookPolicy.adminOnly')}
          </Hint>
        </Stack>
      )}
    </Loaded>
  );
}
