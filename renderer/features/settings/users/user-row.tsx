import { IconKey, IconUserCheck, IconUserOff } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { UserPatch } from '../../../../preload/contract/schema/people.ts';
import { groups, type User } from '../../../../preload/contract/schema/server.ts';
import { call } from '../../../api/client.ts';
import { useText } from '../../../i18n/index.ts';
import { formatDate, formatShort } from '../../../shared/format-text.ts';
import { userName } from '../../../shared/people/people.tsx';
import { Avatar } from '../../../ui/avatar.tsx';
import { ask } from '../../../ui/confirm.tsx';
import { Badge, Menu, ChoiceField } from '../../../ui/kit.ts';
import { Cell, Row } from '../../../ui/list.tsx';
import { DeleteItem, MoreMenu } from '../../../ui/more-menu.tsx';
import { notify } from '../../../ui/notify.ts';

/** Permissions on this workbench: CVAT's groups, strongest first. */
export type Role = (typeof groups)[number];
export const roles: readonly Role[] = groups;

const roleOf = ({ groups: [role = 'user'] }: User): Role => role;

export const rolePatch = (role: Role): UserPatch => ({
  groups: [role],
  is_superuser: role === 'admin',
  is_staff: role === 'admin',
});

interface UserRowProps {
  readonly user: User;
  readonly isSelf: boolean;
  readonly onReset: () => void;
}

export function UserRow({ user, isSelf, onReset }: UserRowProps) {
  const t = useText();
  const client = useQueryClient();
  const name = userName(user);
  const reload = () => client.invalidateQueries({ queryKey: ['users'] });
  const fail = (error: unknown) => notify.failure(t('users.notChanged', { name }), error);
  const change = useMutation({
    mutationFn: (body: UserPatch) => call('updateUser', { params: { id: user.id }, body }),
    onError: fail,
    onSettled: reload,
  });
  const remove = useMutation({
    mutationFn: () => call('deleteUser', { params: { id: user.id } }),
    onSuccess: () => notify.success(t('users.deleted', { name })),
    onError: fail,
    onSettled: reload,
  });
  const lastSeen = user.last_login === null ? t('users.never') : formatShort(user.last_login);
  const askAndDeactivate = async (): Promise<void> => {
    const confirm = t('users.deactivate');
    const title = t('users.deactivateTitle', { name });
    if (await ask({ title, text: t('users.deactivateText'), confirm })) change.mutate({ is_active: false });
  };
  const askAndRemove = async (): Promise<void> => {
    const confirm = t('users.delete');
    const title = t('users.deleteTitle', { name });
    if (await ask({ title, text: t('users.deleteText'), confirm })) remove.mutate();
  };
  return (
    <Row
      lead={<Avatar person={{ id: user.id, name }} />}
      name={isSelf ? `${name} (${t('organizations.you')})` : name}
      meta={[name === user.username ? null : user.username, user.email]}
    >
      {isSelf || !user.is_active ? (
        <Cell width={136}>{t(`users.roles.${roleOf(user)}`)}</Cell>
      ) : (
        <ChoiceField
          size="xs"
          w={136}
          aria-label={t('organizations.roleOf', { name })}
          data={roles.map((value) => ({ value, label: t(`users.roles.${value}`) }))}
          value={roleOf(user)}
          // The values come from the list.
          onChange={(role) => change.mutate(rolePatch(role))}
        />
      )}
      <Cell width={96} title={user.last_login === null ? undefined : formatDate(user.last_login)}>
        {user.is_active ? (
          lastSeen
        ) : (
          <Badge variant="default" size="sm" tt="none" title={t('users.deactivateText')}>
            {t('users.deactivated')}
          </Badge>
        )}
      </Cell>
      <MoreMenu of="row" label={t('users.more', { name })}>
        {/* Resetting one's own password would end this session before it is copied; Account changes it. */}
        <Menu.Item leftSection={<IconKey size={16} />} disabled={isSelf || !user.is_active} onClick={onReset}>
          {t('users.reset')}
        </Menu.Item>
        {user.is_active ? (
          <Menu.Item leftSection={<IconUserOff size={16} />} disabled={isSelf} onClick={() => void askAndDeactivate()}>
            {t('users.deactivate')}
          </Menu.Item>
        ) : (
          <Menu.Item leftSection={<IconUserCheck size={16} />} onClick={() => change.mutate({ is_active: true })}>
            {t('users.activate')}
          </Menu.Item>
        )}
        {!isSelf && <DeleteItem onClick={() => void askAndRemove()} />}
      </MoreMenu>
    </Row>
  );
}
