import type { ReactNode } from 'react';
import { Text } from '../../ui/kit.ts';
import classes from './settings-page.module.css';

interface SettingRowProps {
  readonly name: string;
  readonly hint: ReactNode;
  readonly children: ReactNode;
}

/** What is set, what it means, and on the right how it is set. */
export const SettingRow = ({ name, hint, children }: SettingRowProps) => (
  <div className={classes.settingRow}>
    <div>
      <Text fz="sm" fw={500}>
        {name}
      </Text>
      <Text fz="sm" c="dimmed">
        {hint}
      </Text>
    </div>
    {children}
  </div>
);
