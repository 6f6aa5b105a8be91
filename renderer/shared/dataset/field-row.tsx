import type { ReactNode } from 'react';
import { Group, Radio, PartName, Text } from '../../ui/kit.ts';
import classes from './dataset.module.css';

interface ChoiceRowProps<Value extends string> {
  readonly label: string;
  readonly note?: ReactNode;
  readonly value: Value;
  readonly choices: readonly { readonly value: Value; readonly label: string }[];
  readonly onChange: (value: Value) => void;
}

/** The row shows the label; the control has it as accessible name. */
export const hiddenLabel = { label: { display: 'none' } } as const;

export function ChoiceRow<Value extends string>({ label, note, value, choices, onChange }: ChoiceRowProps<Value>) {
  return (
    <FieldRow label={label} note={note}>
      <Radio.Group
        label={label}
        styles={hiddenLabel}
        value={value}
        onChange={(next) => {
          const found = choices.find((choice) => choice.value === next);
          if (found) onChange(found.value);
        }}
      >
        <Group gap="lg" mih={30} style={{ rowGap: 4 }}>
          {choices.map((choice) => (
            <Radio key={choice.value} value={choice.value} label={choice.label} size="xs" fz="sm" />
          ))}
        </Group>
      </Radio.Group>
    </FieldRow>
  );
}

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
