import { IconRefresh, IconX } from '@tabler/icons-react';
import type { Invitation } from '../../../preload/contract/schema/people.ts';
import { call } from '../../api/client.ts';
import { useChange } from '../../shared/use-change.ts';
import { useText } from '../../i18n/index.ts';
import { CopyIconButton } from '../../shared/code/code-view.tsx';
import { formatWhen } from '../../shared/format-text.ts';
import { userName } from '../../shared/people/people.tsx';
import { ask } from '../../ui/confirm.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Badge, Group } from '../../ui/kit.ts';
import { List, Row, Sign } from '../../ui/list.tsx';
import { notify } from '../../ui/notify.ts';

/** Address where the invited user creates an account; it contains the key. */
export const invitationLink = (key: string): string => `${window.location.origin}/join?key=${encodeURIComponent(key)}`;

const InvitationRow = ({ invitation }: { readonly invitation: Invitation }) => {
  const t = useText();
  const name = userName(invitation.user);
  const params = { key: invitation.key };
  const change = useChange(
    (what: 'resendInvitation' | 'deleteInvitation') => call(what, { params, organization: null }),
    {
      reloads: ['organizations'],
      done: (_, what) =>
        notify.success(what === 'deleteInvitation' ? t('organizations.revoked') : t('organizations.renewed', { name })),
      failed: name,
    },
  );
  const revoke = async (): Promise<void> => {
    const confirm = t('organizations.revokeTitle').replace('?', '');
    const text = t('organizations.revokeText', { name });
    if (await ask({ title: t('organizations.revokeTitle'), text, confirm })) change.mutate('deleteInvitation');
  };
  return (
    <Row
      lead={<Sign round>{name.slice(0, 2).toUpperCase()}</Sign>}
      name={name}
      meta={[
        t('organizations.invitedBy', {
          role: t(`organizations.roles.${invitation.role}`),
          when: formatWhen(invitation.created_date),
        }),
      ]}
    >
      {invitation.expired === true && !invitation.accepted && (
        <Badge variant="dot" color="red" size="sm" tt="none">
          {t('organizations.expired')}
        </Badge>
      )}
      <Group gap={4} wrap="nowrap">
        <CopyIconButton value={invitationLink(invitation.key)} label={t('organizations.copyLink', { name })} />
        <IconButton
          label={t('organizations.renew')}
          size="sm"
          icon={<IconRefresh size={15} stroke={1.5} />}
          onClick={() => change.mutate('resendInvitation')}
        />
        <IconButton
          label={t('organizations.revoke', { name })}
          size="sm"
          icon={<IconX size={15} stroke={1.5} />}
          onClick={() => void revoke()}
        />
      </Group>
    </Row>
  );
};

export const InvitationList = ({ invitations }: { readonly invitations: readonly Invitation[] }) => (
  <List>
    {invitations.map((invitation) => (
      <InvitationRow key={invitation.key} invitation={invitation} />
    ))}
  </List>
);
