import { IconBuilding, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Organization } from '../../../preload/contract/schema/people.ts';
import { peopleQueries } from '../../api/people-queries.ts';
import { queries } from '../../api/queries.ts';
import { useText } from '../../i18n/index.ts';
import rows from '../../parts/lists/rows.module.css';
import { userName } from '../../parts/people/user-name.ts';
import { Button, Stack } from '../../ui/kit.ts';
import { notify } from '../../ui/notify.ts';
import { Empty, Page, PageLoader, Problem } from '../../ui/page.tsx';
import { ContextButton } from './context-button.tsx';
import { OrganizationDialog } from './organization-dialog.tsx';
import { organizationName } from './organization-name.ts';
import classes from './organizations.module.css';
import { OwnInvitations } from './own-invitations.tsx';

const OrganizationRow = ({ organization }: { readonly organization: Organization }) => {
  const t = useText();
  const { id, slug, owner, description } = organization;
  const meta = [
    slug,
    owner === null ? null : `${t('organizations.owner')}: ${userName(owner)}`,
    description.split('\n', 1)[0],
  ].filter((part) => part !== null && part !== '' && part !== undefined);
  return (
    <div className={rows.row} role="listitem">
      <Link to="/organizations/$organizationId" params={{ organizationId: String(id) }} className={rows.main}>
        <div className={classes.sign} aria-hidden>
          <IconBuilding size={20} stroke={1.5} />
        </div>
        <div className={rows.text}>
          <div className={rows.name} title={organizationName(organization)}>
            {organizationName(organization)}
          </div>
          <div className={rows.meta}>{meta.join(' · ')}</div>
        </div>
      </Link>
      <ContextButton slug={slug} small />
    </div>
  );
};

/** The organizations of this person, and what invites to others. */
export function OrganizationsPage() {
  const t = useText();
  const navigate = useNavigate();
  const [creating, setCreating] = useState(false);
  const organizations = useQuery({ ...peopleQueries.organizations(), refetchOnMount: 'always' });
  const self = useQuery(queries.self()).data;
  const isEmpty = organizations.data?.count === 0;
  const create = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setCreating(true)}>
      {t('organizations.new')}
    </Button>
  );
  return (
    <Page title={t('organizations.title')} actions={isEmpty ? undefined : create} narrow>
      <Stack gap={32}>
        {self !== undefined && <OwnInvitations userId={self.id} />}
        {organizations.isPending && <PageLoader label={t('app.loading')} />}
        {organizations.isError && organizations.data === undefined && (
          <Problem
            title={t('common.loadFailed')}
            message={organizations.error.message}
            retry={{ label: t('common.retry'), run: () => void organizations.refetch() }}
          />
        )}
        {isEmpty && (
          <Empty
            icon={<IconBuilding size={48} stroke={1.25} />}
            title={t('organizations.emptyTitle')}
            text={t('organizations.emptyText')}
            action={create}
          />
        )}
        {organizations.data !== undefined && !isEmpty && (
          <div className={rows.list} role="list">
            {organizations.data.results.map((organization) => (
              <OrganizationRow key={organization.id} organization={organization} />
            ))}
          </div>
        )}
      </Stack>
      {creating && (
        <OrganizationDialog
          organization={null}
          onClose={() => setCreating(false)}
          onSaved={(made) => {
            notify.success(t('organizations.createdDone', { name: organizationName(made) }));
            void navigate({ to: '/organizations/$organizationId', params: { organizationId: String(made.id) } });
          }}
        />
      )}
    </Page>
  );
}
