import type { ReactNode } from 'react';
import classes from './state-dot.module.css';

export type Tone = 'ok' | 'busy' | 'bad' | 'rest';

interface StateDotProps {
  readonly tone: Tone;
  readonly title?: string;
  readonly role?: 'status';
  readonly testId?: string;
  readonly children?: ReactNode;
}

export const StateDot = ({ tone, title, role, testId, children }: StateDotProps) => (
  <span className={classes.state} data-tone={tone} title={title} role={role} data-testid={testId}>
    {children}
  </span>
);
