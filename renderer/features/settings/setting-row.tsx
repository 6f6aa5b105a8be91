import type { ReactNode } from 'react';
import { Dimmed, PartName } from '../../ui/kit.ts';
import classes from './settings-page.module.css';

interface SettingRowProps {
  readonly name: string;
  readonly hint: ReactNode;
  readonly children: ReactNode;
}

export const SettingRow = ({ name, hint, children }: SettingRowProps) => (
  <div className={classes.settingRow}>
    <div>
      <PartName>{name}</PartName>
      <Dimmed>{hint}</Dimmed>
    </div>
    {children}
  </div>
);
