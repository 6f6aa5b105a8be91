import { ActionIcon, Menu } from '@mantine/core';
import { IconDots, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useText } from '../i18n/index.ts';

interface MoreMenuProps {
  /** `page` is in a page's heading, `row` at the end of a row. */
  readonly of: 'page' | 'row';
  readonly label?: string;
  readonly loading?: boolean;
  readonly children: ReactNode;
}

export function MoreMenu({ of, label, loading = false, children }: MoreMenuProps) {
  const t = useText();
  const look =
    of === 'page' ? ({ variant: 'default', size: 32 } as const) : ({ variant: 'subtle', color: 'gray' } as const);
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon {...look} aria-label={label ?? t('common.more')} loading={loading}>
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}

interface DeleteItemProps {
  readonly onClick: () => void;
  readonly children?: ReactNode;
}

export function DeleteItem({ onClick, children }: DeleteItemProps) {
  const t = useText();
  return (
    <>
      <Menu.Divider />
      <Menu.Item color="var(--limner-failure)" leftSection={<IconTrash size={16} />} onClick={onClick}>
        {children ?? t('common.delete')}
      </Menu.Item>
    </>
  );
}
