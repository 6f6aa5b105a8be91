import type { ReactNode } from 'react';
import { Dimmed, PartName } from '../../ui/kit.ts';
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
      <PartName>{name}</PartName>
      <Dimmed>{hint}</Dimmed>
    </div>
    {children}
  </div>
);
