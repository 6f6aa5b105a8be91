import { Menu, type MenuProps } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './menu-at.module.css';

interface MenuAtProps {
  /** Pixels of the window, or of the positioned parent. */
  readonly at: { readonly x: number; readonly y: number };
  readonly within?: 'window' | 'parent';
  readonly label: string;
  readonly position?: Extract<MenuProps['position'], 'top-start' | 'bottom-start'>;
  readonly width?: number;
  readonly returnFocus?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

export const MenuAt = (props: MenuAtProps) => {
  const {
    at,
    within = 'window',
    label,
    position = 'bottom-start',
    width,
    returnFocus = false,
    onClose,
    children,
  } = props;
  return (
    <Menu
      opened
      onClose={onClose}
      position={position}
      offset={2}
      {...(width === undefined ? {} : { width })}
      returnFocus={returnFocus}
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>
        <button
          type="button"
          tabIndex={-1}
          aria-label={label}
          className={classes.place}
          data-within={within}
          style={{ left: at.x, top: at.y }}
        />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{label}</Menu.Label>
        {children}
      </Menu.Dropdown>
    </Menu>
  );
};
