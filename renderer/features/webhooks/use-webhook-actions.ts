import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Webhook, WebhookDelivery } from '../../../preload/contract/schema/webhooks.ts';
import { call } from '../../api/client.ts';
import { webhookQueries } from '../../api/webhook-queries.ts';
import { useText } from '../../i18n/index.ts';
import { ask } from '../../ui/confirm.tsx';
import { notify } from '../../ui/notify.ts';

export function useWebhookActions(webhook: Webhook) {
  const t = useText();
  const client = useQueryClient();
  const params = { id: webhook.id };
  const reload = () => client.invalidateQueries({ queryKey: ['webhooks'] });
  const onError = (error: unknown) => notify.failure(t('webhooks.failed'), error);
  const toggle = useMutation({
    mutationFn: (active: boolean) => call('updateWebhook', { params, body: { is_active: active } }),
    // Optimistic update, reverted if the service refuses.
    onMutate: async (active) => {
      const { queryKey } = webhookQueries.one(webhook.id);
      await client.cancelQueries({ queryKey });
      client.setQueryData(queryKey, { ...webhook, is_active: active });
    },
    onSuccess: ({ is_active: active }) => notify.success(t(active ? 'webhooks.switchedOn' : 'webhooks.switchedOff')),
    onError,
    onSettled: reload,
  });
  const ping = useMutation<WebhookDelivery>({
    mutationFn: () => call('pingWebhook', { params }),
    onSettled: reload,
  });
  return {
    toggle,
    ping,
    /** Returns true if deleted. */
    async remove(): Promise<boolean> {
      const text = t('webhooks.deleteText', { target: webhook.target_url });
      const confirm = t('common.delete');
      if (!(await ask({ title: t('webhooks.deleteTitle'), text, confirm }))) return false;
      try {
        await call('deleteWebhook', { params });
      } catch (error) {
        onError(error);
        return false;
      }
      notify.success(t('webhooks.deleted'));
      void client.invalidateQueries({ queryKey: ['webhooks', 'list'] });
      return true;
    },
  };
}
