import { IconDoorExit, IconPencil, IconPlus } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Organization } from '../../../preload/contract/schema/people.ts';
import { call } from '../../api/client.ts';
import { chooseOrganization, organizationContext } from '../../api/organization-context.ts';
import { peopleQueries } from '../../api/people-queries.ts';
import { useText } from '../../i18n/index.ts';
import { formatDate } from '../../shared/format-text.ts';
import { userName } from '../../shared/people/people.tsx';
import { ToList } from '../../shared/lists/list-page.tsx';
import { ask } from '../../ui/confirm.tsx';
import { Button, Group, Menu, Stack, Text, Title } from '../../ui/kit.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { DeleteItem, MoreMenu } from '../../ui/more-menu.tsx';
import { notify } from '../../ui/notify.ts';
import { Page } from '../../ui/page.tsx';
import { Facts } from '../../ui/panel.tsx';
import { ContextButton } from './context-button.tsx';
import { InvitationList } from './invitation-list.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { MemberList } from './member-list.tsx';
import { OrganizationDialog } from './organization-dialog.tsx';
import { organizationName } from './organization-name.ts';
import { useOwnRole, type OwnRole } from './use-own-role.ts';

export function OrganizationPage({ organizationId }: { readonly organizationId: number }) {
  const t = useText();
  const organization = useQuery({ ...peopleQueries.organization(organizationId), refetchOnMount: 'always' });
  return (
    <Loaded
      query={organization}
      page={t('organizations.title')}
      elsewhere={<ToList to="/organizations" title={t('organizations.title')} />}
    >
      {(loaded) => <OrganizationView organization={loaded} />}
    </Loaded>
  );
}

/** Confirms leaving or deleting an organization and returns to the list. */
function useWaysOut(organization: Organization, own: OwnRole) {
  const t = useText();
  const client = useQueryClient();
  const navigate = useNavigate();
  const name = organizationName(organization);
  const go = async (work: () => Promise<unknown>, done: string): Promise<void> => {
    try {
      await work();
    } catch (error) {
      return notify.failure(t('organizations.failed'), error);
    }
    notify.success(done);
    if (organizationContext() === organization.slug) chooseOrganization('');
    await navigate({ to: '/organizations' });
    client.removeQueries({ queryKey: ['organizations', 'one', organization.id] });
    await client.invalidateQueries();
  };
  const cancel = t('common.cancel');
  return {
    async leave(): Promise<void> {
      const question = { title: t('organizations.leaveTitle', { name }), text: t('organizations.leaveText') };
      if (!(await ask({ ...question, confirm: t('organizations.leave'), cancel }))) return;
      const id = own.membership?.id ?? 0;
      const work = () => call('deleteMembership', { params: { id }, organization: null });
      await go(work, t('organizations.left', { name }));
    },
    async remove(): Promise<void> {
      const question = { title: t('organizations.deleteTitle', { name }), text: t('organizations.deleteText') };
      if (!(await ask({ ...question, confirm: t('common.delete'), cancel }))) return;
      const work = () => call('deleteOrganization', { params: { id: organization.id }, organization: null });
      await go(work, t('organizations.deleted', { name }));
    },
  };
}

interface ActionsProps {
  readonly organization: Organization;
  readonly own: OwnRole;
  readonly onEdit: () => void;
}

function OrganizationActions({ organization, own, onEdit }: ActionsProps) {
  const t = useText();
  const { leave, remove } = useWaysOut(organization, own);
  const mayLeave = own.membership !== null && own.membership.role !== 'owner';
  return (
    <>
      <ContextButton slug={organization.slug} />
      {(own.manages || mayLeave) && (
        <MoreMenu of="page">
          {own.manages && (
            <Menu.Item leftSection={<IconPencil size={16} />} onClick={onEdit}>
              {t('organizations.edit')}
            </Menu.Item>
          )}
          {mayLeave && (
            <Menu.Item leftSection={<IconDoorExit size={16} />} onClick={() => void leave()}>
              {t('organizations.leave')}
            </Menu.Item>
          )}
          {own.owns && <DeleteItem onClick={() => void remove()} />}
        </MoreMenu>
      )}
    </>
  );
}

const OrganizationFacts = ({ organization }: { readonly organization: Organization }) => {
  const t = useText();
  const { owner, slug, description, created_date: created, contact } = organization;
  const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);
  return (
    <Stack gap="md">
      {description !== '' && <Text style={{ whiteSpace: 'pre-wrap' }}>{description}</Text>}
      <Facts
        facts={[
          [t('organizations.slug'), slug],
          [t('organizations.owner'), owner === null ? null : userName(owner)],
          [t('organizations.created'), formatDate(created)],
          [t('organizations.email'), text(contact['email'])],
          [t('organizations.phoneNumber'), text(contact['phoneNumber'])],
          [t('organizations.location'), text(contact['location'])],
        ]}
      />
    </Stack>
  );
};

function OrganizationView({ organization }: { readonly organization: Organization }) {
  const t = useText();
  const [dialog, setDialog] = useState<'edit' | 'invite' | null>(null);
  const own = useOwnRole(organization.slug);
  const members = useQuery({ ...peopleQueries.members(organization.slug), refetchOnMount: 'always' });
  const invitations = useQuery({ ...peopleQueries.openInvitations(organization.slug), enabled: own.manages });
  const close = (): void => setDialog(null);
  const open = invitations.data?.results ?? [];
  const all = members.data?.results ?? [];
  // Users who can manage invitations see the invited ones below.
  const shown = own.manages ? all.filter((one) => one.is_active) : all;
  return (
    <Page
      title={organizationName(organization)}
      crumbs={<Link to="/organizations">{t('organizations.title')}</Link>}
      actions={<OrganizationActions organization={organization} own={own} onEdit={() => setDialog('edit')} />}
    >
      <Stack gap={32}>
        <OrganizationFacts organization={organization} />
        <section>
          <Group justify="space-between" mb={8} mih={30}>
            <Title order={2}>{t('organizations.members', { count: shown.length })}</Title>
            {own.manages && (
              <Button size="xs" leftSection={<IconPlus size={14} />} onClick={() => setDialog('invite')}>
                {t('organizations.invite')}
              </Button>
            )}
          </Group>
          <Loaded query={members}>{() => <MemberList members={shown} own={own} />}</Loaded>
        </section>
        {open.length > 0 && (
          <section>
            <Title order={2} mb={8}>
              {t('organizations.invitations')}
            </Title>
            <InvitationList invitations={open} />
          </section>
        )}
      </Stack>
      {dialog === 'edit' && (
        <OrganizationDialog
          organization={organization}
          onClose={close}
          onSaved={() => {
            notify.success(t('organizations.saved'));
            close();
          }}
        />
      )}
      {dialog === 'invite' && (
        <InviteDialog
          organization={organization}
          roles={own.gives}
          members={all.map((one) => one.user.id)}
          onClose={close}
        />
      )}
    </Page>
  );
}
