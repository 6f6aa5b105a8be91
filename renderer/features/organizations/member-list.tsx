import { IconUserMinus } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Membership, OrganizationRole } from '../../../preload/contract/schema/people.ts';
import { call } from '../../api/client.ts';
import { useText } from '../../i18n/index.ts';
import { formatWhen } from '../../shared/format-text.ts';
import { userName } from '../../shared/people/people.tsx';
import { ask } from '../../ui/confirm.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Badge, ChoiceField } from '../../ui/kit.ts';
import { List, Row, Sign } from '../../ui/list.tsx';
import { notify } from '../../ui/notify.ts';
import type { OwnRole } from './use-own-role.ts';

interface MemberRowProps {
  readonly member: Membership;
  readonly own: OwnRole;
}

function MemberRow({ member, own }: MemberRowProps) {
  const t = useText();
  const client = useQueryClient();
  const name = userName(member.user);
  const reload = () => client.invalidateQueries({ queryKey: ['organizations'] });
  const give = useMutation({
    mutationFn: (role: OrganizationRole) =>
      call('updateMembership', { params: { id: member.id }, body: { role }, organization: null }),
    onSuccess: (changed) =>
      notify.success(
        t('organizations.roleChanged', { name, role: t(`organizations.roles.${changed.role}`).toLowerCase() }),
      ),
    onError: (error) => notify.failure(name, error),
    onSettled: reload,
  });
  const remove = useMutation({
    mutationFn: () => call('deleteMembership', { params: { id: member.id }, organization: null }),
    onSuccess: () => notify.success(t('organizations.removed', { name })),
    onError: (error) => notify.failure(name, error),
    onSettled: reload,
  });
  const askAndRemove = async (): Promise<void> => {
    const confirm = t('organizations.remove', { name });
    const title = t('organizations.removeTitle', { name });
    if (await ask({ title, text: t('organizations.removeText'), confirm })) remove.mutate();
  };
  const isSelf = member.user.id === own.userId;
  const mayChange = !isSelf && own.gives.includes(member.role);
  return (
    <Row
      lead={<Sign round>{name.slice(0, 2).toUpperCase()}</Sign>}
      name={isSelf ? `${name} (${t('organizations.you')})` : name}
      meta={[
        name === member.user.username ? null : member.user.username,
        member.is_active && member.joined_date !== null
          ? t('organizations.joined', { when: formatWhen(member.joined_date) })
          : t('organizations.pending'),
      ]}
    >
      {mayChange ? (
        <>
          <ChoiceField
            size="xs"
            w={136}
            aria-label={t('organizations.roleOf', { name })}
            data={own.gives.map((value) => ({ value, label: t(`organizations.roles.${value}`) }))}
            value={member.role}
            // The values come from the list.
            onChange={(role) => give.mutate(role)}
          />
          <IconButton
            label={t('organizations.remove', { name })}
            icon={<IconUserMinus size={16} stroke={1.5} />}
            onClick={() => void askAndRemove()}
          />
        </>
      ) : (
        <Badge variant="default" size="sm" tt="none" mr={8}>
          {t(`organizations.roles.${member.role}`)}
        </Badge>
      )}
    </Row>
  );
}

/** Members with roles; a select if this user may change the role. */
export const MemberList = ({ members, own }: { readonly members: readonly Membership[]; readonly own: OwnRole }) => (
  <List>
    {members.map((member) => (
      <MemberRow key={member.id} member={member} own={own} />
    ))}
  </List>
);
