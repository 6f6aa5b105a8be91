import { useState } from 'react';
import { NumberInput, Switch } from '../../../../ui/kit.ts';
import { useSession } from '../session-context.ts';
import classes from './modes.module.css';
import { useModeChoice } from './use-modes.ts';

interface ChoiceSwitchProps {
  readonly name: 'nextValue' | 'nextFrame' | 'nextAfterTag' | 'nextAfterShapes';
  readonly label: string;
}

export function ChoiceSwitch({ name, label }: ChoiceSwitchProps) {
  const { choices } = useSession().modes;
  return (
    <Switch
      size="xs"
      className={classes.switch ?? ''}
      label={label}
      checked={useModeChoice(name)}
      onChange={(isOn) => choices.set({ [name]: isOn })}
    />
  );
}

interface CountFieldProps {
  readonly name: string;
  readonly hint?: string;
  readonly value: number;
  readonly least: number;
  readonly most: number;
  readonly onChange: (value: number) => void;
}

/** Integer field of the options bar; Enter returns the focus to the canvas. */
export function CountField({ name, hint, value, least, most, onChange }: CountFieldProps) {
  const [typed, setTyped] = useState<string | number | null>(null);
  const keep = (next: string | number): void => {
    setTyped(next);
    const number = Number(next);
    if (next !== '' && Number.isInteger(number) && number >= least && number <= most) onChange(number);
  };
  return (
    <NumberInput
      size="xs"
      w={72}
      aria-label={name}
      title={hint ?? name}
      min={least}
      max={most}
      allowDecimal={false}
      allowNegative={false}
      value={typed ?? value}
      onChange={keep}
      onBlur={() => setTyped(null)}
      onKeyDown={(event) => {
        if (event.key === 'Enter' || event.key === 'Escape') event.currentTarget.blur();
      }}
    />
  );
}
