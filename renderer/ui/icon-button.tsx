import { ActionIcon, Group, Kbd, Text, Tooltip, type ActionIconProps } from '@mantine/core';
import type { MouseEventHandler, ReactNode } from 'react';
import classes from './icon-button.module.css';

interface IconButtonProps extends Pick<
  ActionIconProps,
  'size' | 'variant' | 'color' | 'disabled' | 'loading' | 'className'
> {
  /** Name of what it does: the tooltip and the accessible name. */
  readonly label: string;
  readonly icon: ReactNode;
  /** As shown to the person, for example `Ctrl+Z`. */
  readonly shortcut?: string | undefined;
  /** For toggles: whether it is on. */
  readonly pressed?: boolean | undefined;
  readonly onClick?: MouseEventHandler<HTMLButtonElement> | undefined;
  readonly side?: 'top' | 'right' | 'bottom' | 'left';
  readonly testId?: string | undefined;
}

/** A button that is only an icon: always with a name, a tooltip and, where it has one, its shortcut. */
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
