import { IconBuilding } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { peopleQueries } from '../../api/people-queries.ts';
import { queries } from '../../api/queries.ts';
import { useText } from '../../i18n/index.ts';
import { PlainListPage, NewButton } from '../../parts/lists/list-page.tsx';
import { userName } from '../../parts/people/user-name.ts';
import { List, Row, Sign } from '../../ui/list.tsx';
import { notify } from '../../ui/notify.ts';
import { ContextButton } from './context-button.tsx';
import { OrganizationDialog } from './organization-dialog.tsx';
import { organizationName } from './organization-name.ts';
import { OwnInvitations } from './own-invitations.tsx';

/** The organizations of this person, and what invites to others. */
export function OrganizationsPage() {
  const t = useText();
  const navigate = useNavigate();
  const [creating, setCreating] = useState(false);
  const organizations = useQuery({ ...peopleQueries.organizations(), refetchOnMount: 'always' });
  const self = useQuery(queries.self()).data;
  return (
    <PlainListPage
      words="organizations"
      icon={IconBuilding}
      query={organizations}
      create={<NewButton text={t('organizations.new')} onClick={() => setCreating(true)} />}
      above={self !== undefined && <OwnInvitations userId={self.id} />}
      dialogs={
        creating && (
          <OrganizationDialog
            organization={null}
            onClose={() => setCreating(false)}
            onSaved={(made) => {
              notify.success(t('organizations.createdDone', { name: organizationName(made) }));
              void navigate({ to: '/organizations/$organizationId', params: { organizationId: String(made.id) } });
            }}
          />
        )
      }
    >
      {(found) => (
        <List>
          {found.map((organization) => {
            const { id, slug, owner, description } = organization;
            const name = organizationName(organization);
            return (
              <Row
                key={id}
                renderLink={(row) => (
                  <Link to="/organizations/$organizationId" params={{ organizationId: String(id) }} {...row} />
                )}
                lead={
                  <Sign>
                    <IconBuilding size={18} stroke={1.5} />
                  </Sign>
                }
                name={name}
                title={name}
                meta={[
                  slug,
                  owner === null ? null : `${t('organizations.owner')}: ${userName(owner)}`,
                  description.split('\n', 1)[0],
                ]}
              >
                <ContextButton slug={slug} small />
              </Row>
            );
          })}
        </List>
      )}
    </PlainListPage>
  );
}
