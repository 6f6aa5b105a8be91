import { IconCheck, type Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { actionText } from '../../../../i18n/canvas-text.ts';
import { Group, Kbd, Menu } from '../../../../ui/kit.ts';
import type { ShapeRecord } from '../../../../canvas/types.ts';
import type { MenuRequest } from '../../model/types.ts';
import { useShortcuts, useWorkspace } from '../session-context.ts';

export interface MenuProps extends Pick<MenuRequest, 'at' | 'within'> {
  readonly onClose: () => void;
}

export interface ShapeMenuProps extends MenuProps {
  readonly shape: ShapeRecord;
}

export const menuIcon = (Shown: Icon): ReactNode => <Shown size={16} stroke={1.5} />;

/** Shows `Ctrl+Shift+V` as one keycap per key. */
export const KeyCaps = ({ text }: { readonly text: string | undefined }) =>
  text === undefined ? null : (
    <Group component="span" gap={2} wrap="nowrap" aria-hidden>
      {text.split(/(?<=.)\+/).map((key) => (
        <Kbd key={key} size="xs">
          {key}
        </Kbd>
      ))}
    </Group>
  );

/** Mantine's checkable items have no icon, and its plain items accept no role. */
const asCheckbox = (item: HTMLButtonElement | null): void => item?.setAttribute('role', 'menuitemcheckbox');

interface ActionRowProps {
  readonly action: string;
  readonly icon: Icon;
  readonly name?: string;
  /** Only for a toggle. */
  readonly checked?: boolean;
  readonly blocked?: string | null;
  readonly danger?: boolean;
}

/** Menu row of an action with its key; renders nothing if the table lacks the action. */
export function ActionRow({ action: id, icon, name, checked, blocked = null, danger = false }: ActionRowProps) {
  const { actions } = useWorkspace();
  const keyOf = useShortcuts();
  const action = actions.get(id);
  if (action === undefined) return null;
  return (
    <Menu.Item
      leftSection={menuIcon(icon)}
      rightSection={
        <Group component="span" gap={6} wrap="nowrap">
          {checked === true && <IconCheck size={14} />}
          <KeyCaps text={keyOf(id)} />
        </Group>
      }
      {...(checked === undefined ? {} : { ref: asCheckbox, 'aria-checked': checked })}
      {...(danger ? { color: 'var(--limner-failure)' } : {})}
      {...(blocked === null ? {} : { title: blocked })}
      disabled={blocked !== null || !action.when()}
      onClick={() => actions.run(id)}
    >
      {name ?? actionText(action)}
    </Menu.Item>
  );
}
