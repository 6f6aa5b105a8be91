import { useState } from 'react';
import { NumberInput } from '../../../ui/kit.ts';

interface NumberFieldProps {
  readonly label: string;
  /** Null: several objects differ. */
  readonly value: number | null;
  readonly decimals: number;
  readonly disabled?: boolean;
  readonly placeholder?: string;
  readonly error?: string | null;
  readonly onChange: (value: number) => void;
}

/** A number that becomes one edit when the field is left or Enter is pressed; Escape takes back what was typed. */
export function NumberField({ label, value, decimals, disabled, placeholder, error, onChange }: NumberFieldProps) {
  const [typed, setTyped] = useState<number | string | null>(null);
  const keep = (): void => {
    const number = Number(typed);
    if (typed !== null && typed !== '' && Number.isFinite(number) && number !== value) onChange(number);
    setTyped(null);
  };
  return (
    <NumberInput
      size="xs"
      label={label}
      disabled={disabled ?? false}
      hideControls
      decimalScale={decimals}
      allowDecimal={decimals > 0}
      placeholder={placeholder ?? ''}
      error={error ?? null}
      value={typed ?? value ?? ''}
      onChange={setTyped}
      onBlur={keep}
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.currentTarget.blur();
        if (event.key === 'Escape') setTyped(null);
      }}
    />
  );
}
