import { ActionIcon, Group, Kbd, Text, Tooltip, type ActionIconProps } from '@mantine/core';
import type { MouseEventHandler, ReactNode } from 'react';
import classes from './icon-button.module.css';

interface IconButtonProps extends Pick<
  ActionIconProps,
  'size' | 'variant' | 'color' | 'disabled' | 'loading' | 'className'
> {
  readonly label: string;
  readonly icon: ReactNode;
  /** In display form, for example `Ctrl+Z`. */
  readonly shortcut?: string | undefined;
  /** Only for toggles. */
  readonly pressed?: boolean | undefined;
  readonly onClick?: MouseEventHandler<HTMLButtonElement> | undefined;
  readonly side?: 'top' | 'right' | 'bottom' | 'left';
  readonly testId?: string | undefined;
}

export function IconButton(props: IconButtonProps) {
  const { label, icon, shortcut, pressed, onClick, side = 'bottom', testId, className = '', ...rest } = props;
  const tip = (
    <Group gap={8} wrap="nowrap">
      <Text span fz="xs">
        {label}
      </Text>
      {shortcut !== undefined && <Kbd size="xs">{shortcut}</Kbd>}
    </Group>
  );
  return (
    <Tooltip label={tip} position={side}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="md"
        aria-label={label}
        {...(pressed === undefined ? {} : { 'aria-pressed': pressed })}
        {...(testId === undefined ? {} : { 'data-testid': testId })}
        {...rest}
        className={`${classes.button} ${className}`}
        {...(onClick === undefined ? {} : { onClick })}
      >
        {icon}
      </ActionIcon>
    </Tooltip>
  );
}
