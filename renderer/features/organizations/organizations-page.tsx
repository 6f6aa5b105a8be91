import { IconBuilding } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Invitation } from '../../../preload/contract/schema/people.ts';
import { call } from '../../api/client.ts';
import { peopleQueries } from '../../api/people-queries.ts';
import { queries } from '../../api/queries.ts';
import { useChange } from '../../shared/use-change.ts';
import { useText } from '../../i18n/index.ts';
import { NewButton, PlainListPage } from '../../shared/lists/list-page.tsx';
import { userName } from '../../shared/people/people.tsx';
import { Box, Button, Group, Title } from '../../ui/kit.ts';
import { List, Row, Sign } from '../../ui/list.tsx';
import { notify } from '../../ui/notify.ts';
import { ContextButton } from './context-button.tsx';
import { OrganizationDialog } from './organization-dialog.tsx';
import { organizationName } from './organization-name.ts';

type Answer = { readonly invitation: Invitation; readonly accept: boolean };

function OwnInvitations({ userId }: { readonly userId: number }) {
  const t = useText();
  const invitations = useQuery(peopleQueries.invitationsTo(userId)).data?.results ?? [];
  const answer = useChange(
    ({ invitation: { key }, accept }: Answer) =>
      call(accept ? 'acceptInvitation' : 'declineInvitation', { params: { key }, organization: null }),
    {
      reloads: ['organizations'],
      done: (_, { invitation, accept }) => {
        const { slug } = invitation.organization_info;
        notify.success(t(accept ? 'organizations.accepted' : 'organizations.declined', { slug }));
      },
      failed: ({ invitation }) => invitation.organization_info.slug,
    },
  );
  if (invitations.length === 0) return null;
  return (
    <Box component="section" mb={32}>
      <Title order={2} mb={8}>
        {t('organizations.toYou')}
      </Title>
      <List>
        {invitations.map((invitation) => (
          <Row
            key={invitation.key}
            name={invitation.organization_info.slug}
            meta={[
              t('organizations.toYouText', {
                owner: invitation.owner === null ? t('organizations.somebody') : userName(invitation.owner),
                role: t(`organizations.roles.${invitation.role}`),
              }),
            ]}
          >
            <Group gap={8} wrap="nowrap">
              <Button size="compact-sm" onClick={() => answer.mutate({ invitation, accept: true })}>
                {t('organizations.accept')}
              </Button>
              <Button size="compact-sm" variant="default" onClick={() => answer.mutate({ invitation, accept: false })}>
                {t('organizations.decline')}
              </Button>
            </Group>
          </Row>
        ))}
      </List>
    </Box>
  );
}

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
