import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { peopleQueries } from '../../../api/people-queries.ts';
import { queries } from '../../../api/queries.ts';
import { useText } from '../../../i18n/index.ts';
import { ResourceSelect } from '../../../parts/lists/resource-select.tsx';
import { Dimmed, Radio, Select, SimpleGrid, Stack } from '../../../ui/kit.ts';
import type { WebhookValues } from './webhook-values.ts';

interface PlaceFieldProps {
  readonly values: WebhookValues;
  readonly onChange: (change: Partial<WebhookValues>) => void;
  readonly error: string | undefined;
}

/** Of which project or organization a new webhook tells. Organizations are offered only where there are any. */
export function PlaceField({ values, onChange, error }: PlaceFieldProps) {
  const t = useText();
  const organizations = useQuery(peopleQueries.organizations()).data?.results ?? [];
  const projects = useQuery(queries.projects({ page: 1, pageSize: 1 }));
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
  if (organizations.length === 0) return project;
  return (
    <Stack gap="sm">
      <Radio.Group
        label={t('webhookForm.belongs')}
        description={t('webhookForm.fixed')}
        value={values.type}
        onChange={(type) => onChange({ type: type === 'organization' ? 'organization' : 'project' })}
      >
        <SimpleGrid cols={2} spacing="sm" mt={8}>
          <Radio value="project" label={t('webhookForm.ofProject')} />
          <Radio value="organization" label={t('webhookForm.ofOrganization')} />
        </SimpleGrid>
      </Radio.Group>
      {values.type === 'project' ? (
        project
      ) : (
        <Select
          label={t('webhookForm.organization')}
          placeholder={t('webhookForm.chooseOrganization')}
          required
          allowDeselect={false}
          data={organizations.map(({ slug, name }) => ({ value: slug, label: name === '' ? slug : name }))}
          value={values.organization}
          onChange={(organization) => onChange({ organization })}
          error={error}
        />
      )}
    </Stack>
  );
}
