import { TextInput } from '../../ui/kit.ts';

interface NameFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (name: string) => void;
  /** By Enter, or by going elsewhere. */
  readonly onDone: () => void;
  /** By Escape. */
  readonly onGiveUp: () => void;
}

/** A name for what is kept, in the place of the button that asks for it. */
export const NameField = ({ label, value, onChange, onDone, onGiveUp }: NameFieldProps) => (
  <TextInput
    size="xs"
    w={160}
    // oxlint-disable-next-line jsx-a11y/no-autofocus -- it stands in the place of the button that was just pressed
    autoFocus
    aria-label={label}
    placeholder={label}
    maxLength={64}
    value={value}
    onChange={(event) => onChange(event.currentTarget.value)}
    onBlur={onDone}
    onKeyDown={(event) => {
      if (event.key === 'Enter') onDone();
      if (event.key !== 'Escape') return;
      // The card around it stays.
      event.preventDefault();
      onGiveUp();
    }}
  />
);
