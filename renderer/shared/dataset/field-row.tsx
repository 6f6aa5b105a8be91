import type { ReactNode } from 'react';
import { PartName, Text } from '../../ui/kit.ts';
import classes from './dataset.module.css';

interface FieldRowProps {
  readonly label: string;
  readonly note?: ReactNode;
  readonly children: ReactNode;
}

/** A row with a label on the left and a control on the right. The control has its own accessible name. */
export const FieldRow = ({ label, note, children }: FieldRowProps) => (
  <div className={classes.row}>
    <PartName aria-hidden className={classes.rowLabel}>
      {label}
    </PartName>
    <div className={classes.rowBody}>
      {children}
      {note !== undefined && note !== null && (
        <Text fz="xs" c="dimmed" component="div">
          {note}
        </Text>
      )}
    </div>
  </div>
);
