import { useState } from 'react';
import type { Invitation, Organization, OrganizationRole } from '../../../preload/contract/schema/people.ts';
import { call } from '../../api/client.ts';
import { fieldErrors } from '../../api/field-errors.ts';
import { useChange } from '../../shared/use-change.ts';
import { useText } from '../../i18n/index.ts';
import { CodeBlock } from '../../shared/code/code-view.tsx';
import { usePeople, userName } from '../../shared/people/people.tsx';
import { FormDialog } from '../../ui/form.tsx';
import { Autocomplete, Button, Group, Hint, Modal, Radio, Stack, Text } from '../../ui/kit.ts';
import { notify } from '../../ui/notify.ts';
import { organizationName } from './organization-name.ts';
import { invitationLink } from './invitation-list.tsx';

const HandOver = ({ invitation }: { readonly invitation: Invitation }) => {
  const t = useText();
  return (
    <Stack gap="sm">
      <Text fz="sm">{t('organizations.handOverText')}</Text>
      {(['link', 'key'] as const).map((what) => {
        const text = what === 'link' ? invitationLink(invitation.key) : invitation.key;
        const name = t(`organizations.${what}`);
        return (
          <div key={what}>
            <Hint mb={4}>{name}</Hint>
            <CodeBlock text={text} label={name} copyLabel={`${t('common.copy')}: ${name}`} wrap />
          </div>
        );
      })}
    </Stack>
  );
};

interface InviteDialogProps {
  readonly organization: Organization;
  readonly roles: readonly OrganizationRole[];
  readonly members: readonly number[];
  readonly onClose: () => void;
}

/** Invites by user name or e-mail; shows the link to hand over, because no mail is sent. */
export function InviteDialog({ organization, roles, members, onClose }: InviteDialogProps) {
  const t = useText();
  const { people } = usePeople();
  const [whom, setWhom] = useState('');
  const [role, setRole] = useState<OrganizationRole>('worker');
  const [sent, setSent] = useState<Invitation | null>(null);
  const invite = useChange(
    () => call('createInvitation', { body: { email: whom.trim(), role }, organization: organization.slug }),
    {
      reloads: ['organizations'],
      done: (invitation) => {
        if (!invitation.accepted) return setSent(invitation);
        notify.success(t('organizations.memberNow', { name: userName(invitation.user) }));
        onClose();
      },
    },
  );
  const { of, rest } = fieldErrors(invite.error, ['email']);
  if (sent !== null) {
    return (
      <Modal opened onClose={onClose} size="lg" title={t('organizations.handOverTitle', { name: whom.trim() })}>
        <HandOver invitation={sent} />
        <Group justify="flex-end" mt="md">
          <Button data-autofocus onClick={onClose}>
            {t('organizations.done')}
          </Button>
        </Group>
      </Modal>
    );
  }
  const title = t('organizations.inviteTitle', { name: organizationName(organization) });
  return (
    <FormDialog
      title={title}
      submit={t('organizations.inviteSubmit')}
      change={invite}
      onClose={onClose}
      isReady={whom.trim() !== ''}
      error={rest}
    >
      <Autocomplete
        label={t('organizations.inviteWhom')}
        description={t('organizations.inviteHint')}
        data-autofocus
        openOnFocus={false}
        data={people.filter((one) => !members.includes(one.id)).map((one) => one.username)}
        value={whom}
        onChange={setWhom}
        error={of.email}
      />
      <Radio.Group
        label={t('organizations.role')}
        value={role}
        // The values come from the list below.
        onChange={(value) => setRole(value as OrganizationRole)}
      >
        <Stack gap={8} mt={4}>
          {roles.map((value) => (
            <Radio
              key={value}
              value={value}
              label={t(`organizations.roles.${value}`)}
              description={t(`organizations.roleHints.${value}`)}
            />
          ))}
        </Stack>
      </Radio.Group>
    </FormDialog>
  );
}
