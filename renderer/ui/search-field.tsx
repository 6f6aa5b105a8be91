import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';

interface SearchFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
  /** Replaces the default width. */
  readonly className?: string | undefined;
}

export const SearchField = ({ label, value, onChange, className }: SearchFieldProps) => (
  <TextInput
    {...(className === undefined ? { w: 280 } : { className })}
    size="xs"
    leftSection={<IconSearch size={14} />}
    placeholder={label}
    aria-label={label}
    value={value}
    onChange={(event) => onChange(event.currentTarget.value)}
  />
);
