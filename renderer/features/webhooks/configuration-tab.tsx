import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Webhook, WebhookState } from '../../../preload/contract/schema/webhooks.ts';
import { call } from '../../api/client.ts';
import { webhookQueries } from '../../api/webhook-queries.ts';
import { useText } from '../../i18n/index.ts';
import { TextInput } from '../../ui/kit.ts';
import { notify } from '../../ui/notify.ts';
import { WebhookForm } from './form/webhook-form.tsx';
import { usePlaceName } from './webhook-row.tsx';
import { valuesOfWebhook, writableOfValues, type WebhookValues } from './form/webhook-values.ts';

interface ConfigurationTabProps {
  readonly webhook: Webhook;
  readonly state: WebhookState;
}

/** Changes a webhook. What it belongs to stays. */
export function ConfigurationTab({ webhook, state }: ConfigurationTabProps) {
  const t = useText();
  const client = useQueryClient();
  // Only what was changed here: the switch in the heading changes the webhook, too.
  const [changes, setChanges] = useState<Partial<WebhookValues>>({});
  const values = { ...valuesOfWebhook(webhook), ...changes };
  const place = usePlaceName(webhook);
  const save = useMutation({
    mutationFn: () => call('updateWebhook', { params: { id: webhook.id }, body: writableOfValues(values) }),
    onSuccess: async (saved) => {
      client.setQueryData(webhookQueries.one(webhook.id).queryKey, saved);
      setChanges({});
      notify.success(t('webhookForm.saved'));
      await client.invalidateQueries({ queryKey: ['webhooks'] });
    },
  });
  return (
    <WebhookForm
      values={values}
      onChange={(part) => setChanges((before) => ({ ...before, ...part }))}
      place={<TextInput label={t('webhookForm.belongs')} description={t('webhookForm.fixed')} readOnly value={place} />}
      secret={state}
      error={save.error}
      submit={t('webhookForm.save')}
      isBusy={save.isPending}
      isReady={values.target_url.trim() !== '' && Object.keys(changes).length > 0}
      onSubmit={() => save.mutate()}
    />
  );
}
