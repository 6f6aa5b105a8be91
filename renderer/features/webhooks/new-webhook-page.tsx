import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { webhookTypes } from '../../../preload/contract/schema/webhooks.ts';
import { call } from '../../api/client.ts';
import { organizationContext } from '../../api/organization-context.ts';
import { peopleQueries } from '../../api/people-queries.ts';
import { queries } from '../../api/queries.ts';
import { useChange } from '../../shared/use-change.ts';
import { useText } from '../../i18n/index.ts';
import { ResourceSelect } from '../../shared/lists/resource-select.tsx';
import { useUnsaved } from '../../shared/use-form.ts';
import { Dimmed, Radio, SimpleGrid, Stack, ChoiceField } from '../../ui/kit.ts';
import { notify } from '../../ui/notify.ts';
import { Page } from '../../ui/page.tsx';
import { placeError, WebhookForm } from './form/webhook-form.tsx';
import { emptyWebhook, type WebhookValues, writableOfValues } from './form/webhook-values.ts';

interface PlaceFieldProps {
  readonly values: WebhookValues;
  readonly onChange: (change: Partial<WebhookValues>) => void;
  readonly error: string | undefined;
}

/** Scope of a new webhook. Organizations are offered if there are any, the server to administrators. */
function PlaceField({ values, onChange, error }: PlaceFieldProps) {
  const t = useText();
  const organizations = useQuery(peopleQueries.organizations()).data?.results ?? [];
  const projects = useQuery(queries.projects({ page: 1, pageSize: 1 }));
  const isAdmin = useQuery(queries.self()).data?.is_superuser === true;
  const project =
    projects.data?.count === 0 ? (
      <Dimmed>
        {t('webhookForm.noProjects')}
        <Link to="/projects" search={{ create: true }}>
          {t('webhookForm.makeProject')}
        </Link>
      </Dimmed>
    ) : (
      <ResourceSelect
        kind="project"
        labelled
        required
        label={t('webhookForm.project')}
        placeholder={t('webhookForm.chooseProject')}
        value={values.projectId}
        onChange={(projectId) => onChange({ projectId })}
        error={error}
      />
    );
  if (organizations.length === 0 && !isAdmin) return project;
  return (
    <Stack gap="sm">
      <Radio.Group
        label={t('webhookForm.belongs')}
        description={t('webhookForm.fixed')}
        value={values.type}
        onChange={(type) => onChange({ type: webhookTypes.find((known) => known === type) ?? 'project' })}
      >
        <SimpleGrid cols={3} spacing="sm" mt={8}>
          <Radio value="project" label={t('webhookForm.ofProject')} />
          {organizations.length > 0 && <Radio value="organization" label={t('webhookForm.ofOrganization')} />}
          {isAdmin && <Radio value="server" label={t('webhookForm.ofServer')} />}
        </SimpleGrid>
      </Radio.Group>
      {values.type === 'project' && project}
      {values.type === 'organization' && (
        <ChoiceField
          label={t('webhookForm.organization')}
          placeholder={t('webhookForm.chooseOrganization')}
          required
          data={organizations.map(({ slug, name }) => ({ value: slug, label: name === '' ? slug : name }))}
          value={values.organization}
          onChange={(organization) => onChange({ organization })}
          error={error}
        />
      )}
    </Stack>
  );
}

const create = ({ type, projectId, organization, ...values }: WebhookValues) => {
  const fields = writableOfValues({ type, projectId, organization, ...values });
  return type === 'project'
    ? call('createWebhook', { body: { ...fields, type, project_id: projectId }, organization: null })
    : call('createWebhook', { body: { ...fields, type }, organization: type === 'server' ? null : organization });
};

/** Creates a webhook and opens it, so that it can be tested. */
export function NewWebhookPage({
  projectId,
  target,
}: {
  readonly projectId?: number | undefined;
  readonly target?: string | undefined;
}) {
  const t = useText();
  const navigate = useNavigate();
  const [values, setValues] = useState<WebhookValues>(() => {
    const slug = organizationContext();
    return { ...emptyWebhook(projectId ?? null, slug === '' ? null : slug), target_url: target ?? '' };
  });
  const [isChanged, setChanged] = useState(false);
  const save = useChange(() => create(values), {
    reloads: [['webhooks', 'list']],
    done: async (webhook) => {
      notify.success(t('webhookForm.created'));
      const params = { webhookId: String(webhook.id) };
      await navigate({ to: '/webhooks/$webhookId', params, ignoreBlocker: true });
    },
  });
  const change = (part: Partial<WebhookValues>): void => {
    setChanged(true);
    setValues((before) => ({ ...before, ...part }));
  };
  useUnsaved(isChanged, t('pages.unsavedForm'));
  const isPlaced =
    values.type === 'server' || (values.type === 'project' ? values.projectId : values.organization) !== null;
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
        onCancel={() => void navigate({ to: '/webhooks', ignoreBlocker: true })}
      />
    </Page>
  );
}
