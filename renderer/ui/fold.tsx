import { UnstyledButton } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './fold.module.css';

interface FoldProps {
  readonly isOpen: boolean;
  readonly onChange: (isOpen: boolean) => void;
  readonly children: ReactNode;
}

export const Fold = ({ isOpen, onChange, children }: FoldProps) => (
  <UnstyledButton fz="inherit" className={classes.fold} aria-expanded={isOpen} onClick={() => onChange(!isOpen)}>
    {children}
    <IconChevronDown size={16} />
  </UnstyledButton>
);
