import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Webhook } from '../../../preload/contract/schema/webhooks.ts';
import { call } from '../../api/client.ts';
import { useText } from '../../i18n/index.ts';
import { TextInput } from '../../ui/kit.ts';
import { notify } from '../../ui/notify.ts';
import { WebhookForm } from './webhook-form.tsx';
import { usePlaceName } from './webhook-row.tsx';
import { valuesOfWebhook, writableOfValues, type WebhookValues } from './webhook-values.ts';

interface ConfigurationTabProps {
  readonly webhook: Webhook;
  readonly hasSecret: boolean;
}

/** Changes a webhook. What it belongs to stays. */
export function ConfigurationTab({ webhook, hasSecret }: ConfigurationTabProps) {
  const t = useText();
  const client = useQueryClient();
  const [values, setValues] = useState<WebhookValues>(() => valuesOfWebhook(webhook));
  const place = usePlaceName(webhook);
  const save = useMutation({
    mutationFn: () => call('updateWebhook', { params: { id: webhook.id }, body: writableOfValues(values) }),
    onSuccess: async (saved) => {
      setValues(valuesOfWebhook(saved));
      notify.success(t('webhookForm.saved'));
      await client.invalidateQueries({ queryKey: ['webhooks'] });
    },
  });
  return (
    <WebhookForm
      values={values}
      onChange={(part) => setValues((before) => ({ ...before, ...part }))}
      place={
        <TextInput
          label={t('webhookForm.belongs')}
          description={t('webhookForm.fixed')}
          inputWrapperOrder={['label', 'input', 'description']}
          readOnly
          value={place}
        />
      }
      hasSecret={hasSecret}
      error={save.error}
      submit={t('webhookForm.save')}
      isBusy={save.isPending}
      isReady={values.target_url.trim() !== ''}
      onSubmit={() => save.mutate()}
    />
  );
}
