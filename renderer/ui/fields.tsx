import {
  Checkbox as KitCheckbox,
  PasswordInput as KitPasswordInput,
  Select,
  Switch as KitSwitch,
  Textarea as KitTextarea,
  TextInput as KitTextInput,
  type SelectProps,
} from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import type { ComponentProps } from 'react';
import { useText } from '../i18n/index.ts';

/** Properties of a field that reports its new value instead of an event. */
type Valued<Props, Value> = Omit<Props, 'onChange'> & { readonly onChange?: ((value: Value) => void) | undefined };

export const TextInput = ({ onChange, ...props }: Valued<ComponentProps<typeof KitTextInput>, string>) => (
  <KitTextInput {...props} onChange={(event) => onChange?.(event.currentTarget.value)} />
);

export const Textarea = ({ onChange, ...props }: Valued<ComponentProps<typeof KitTextarea>, string>) => (
  <KitTextarea {...props} onChange={(event) => onChange?.(event.currentTarget.value)} />
);

/** The button that reveals the password has a translated name. */
export const PasswordInput = ({ onChange, ...props }: Valued<ComponentProps<typeof KitPasswordInput>, string>) => {
  const t = useText();
  const reveal = { 'aria-label': t('common.showPassword') };
  return (
    <KitPasswordInput
      visibilityToggleButtonProps={reveal}
      {...props}
      onChange={(event) => onChange?.(event.currentTarget.value)}
    />
  );
};

export const Checkbox = ({ onChange, ...props }: Valued<ComponentProps<typeof KitCheckbox>, boolean>) => (
  <KitCheckbox {...props} onChange={(event) => onChange?.(event.currentTarget.checked)} />
);
Checkbox.Group = KitCheckbox.Group;

export const Switch = ({ onChange, ...props }: Valued<ComponentProps<typeof KitSwitch>, boolean>) => (
  <KitSwitch {...props} onChange={(event) => onChange?.(event.currentTarget.checked)} />
);

type Option<Value extends string> = Value | { readonly value: Value; readonly label: string };

interface ChoiceFieldProps<Value extends string> extends Omit<
  SelectProps<Value>,
  'data' | 'value' | 'onChange' | 'allowDeselect'
> {
  readonly data: readonly (Option<Value> | { readonly group: string; readonly items: Option<Value>[] })[];
  readonly value: Value | null;
  readonly onChange?: (value: Value) => void;
}

/** A list of which one value is chosen and cannot be removed. */
export const ChoiceField = <Value extends string>({ data, onChange, ...props }: ChoiceFieldProps<Value>) => (
  <Select<Value>
    allowDeselect={false}
    data={[...data]}
    onChange={(value) => value !== null && onChange?.(value)}
    {...props}
  />
);

interface SearchFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
  /** Replaces the default width. */
  readonly className?: string | undefined;
}

export const SearchField = ({ label, className, ...props }: SearchFieldProps) => (
  <TextInput
    {...(className === undefined ? { w: 280 } : { className })}
    size="xs"
    leftSection={<IconSearch size={14} />}
    placeholder={label}
    aria-label={label}
    {...props}
  />
);
