import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { organizationContext } from '../../api/organization-context.ts';
import { useText } from '../../i18n/index.ts';
import { notify } from '../../ui/notify.ts';
import { Page } from '../../ui/page.tsx';
import { PlaceField } from './form/place-field.tsx';
import { placeError, WebhookForm } from './form/webhook-form.tsx';
import { emptyWebhook, writableOfValues, type WebhookValues } from './form/webhook-values.ts';

const create = ({ type, projectId, organization, ...values }: WebhookValues) => {
  const fields = writableOfValues({ type, projectId, organization, ...values });
  return type === 'project'
    ? call('createWebhook', { body: { ...fields, type, project_id: projectId }, organization: null })
    : call('createWebhook', { body: { ...fields, type }, organization });
};

/** Makes a webhook and opens it, where it can be tried. */
export function NewWebhookPage({
  projectId,
  target,
}: {
  readonly projectId?: number | undefined;
  readonly target?: string | undefined;
}) {
  const t = useText();
  const navigate = useNavigate();
  const client = useQueryClient();
  const [values, setValues] = useState<WebhookValues>(() => {
    const slug = organizationContext();
    return { ...emptyWebhook(projectId ?? null, slug === '' ? null : slug), target_url: target ?? '' };
  });
  const save = useMutation({
    mutationFn: () => create(values),
    onSuccess: async (webhook) => {
      notify.success(t('webhookForm.created'));
      void client.invalidateQueries({ queryKey: ['webhooks', 'list'] });
      await navigate({ to: '/webhooks/$webhookId', params: { webhookId: String(webhook.id) } });
    },
  });
  const change = (part: Partial<WebhookValues>): void => setValues((before) => ({ ...before, ...part }));
  const isPlaced = values.type === 'project' ? values.projectId !== null : values.organization !== null;
  return (
    <Page column title={t('webhooks.new')} crumbs={<Link to="/webhooks">{t('webhooks.title')}</Link>}>
      <WebhookForm
        values={values}
        onChange={change}
        place={<PlaceField values={values} onChange={change} error={placeError(save.error)} />}
        secret={null}
        error={save.error}
        submit={t('webhookForm.create')}
        isBusy={save.isPending}
        isReady={values.target_url.trim() !== '' && isPlaced}
        onSubmit={() => save.mutate()}
        onCancel={() => void navigate({ to: '/webhooks' })}
      />
    </Page>
  );
}
