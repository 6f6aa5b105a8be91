import type { Icon } from '@tabler/icons-react';
import type { ComponentProps } from 'react';
import { IconButton } from '../../../ui/icon-button.tsx';
import { useShortcuts, useWorkspace } from './session-context.ts';

interface ActionButtonProps extends Omit<ComponentProps<typeof IconButton>, 'shortcut' | 'onClick' | 'icon'> {
  readonly action: string;
  readonly icon: Icon;
  readonly iconSize?: number;
}

export function ActionButton({ action, icon: Sign, iconSize = 16, ...props }: ActionButtonProps) {
  const { actions } = useWorkspace();
  const keyOf = useShortcuts();
  const icon = <Sign size={iconSize} stroke={1.5} />;
  return <IconButton {...props} shortcut={keyOf(action)} icon={icon} onClick={() => actions.run(action)} />;
}
