import { useState } from 'react';
import type { Attribute } from '../../../../../preload/contract/schema/labels.ts';
import { Checkbox, Group, NumberInput, Radio, Select, TextInput } from '../../../../ui/kit.ts';

interface AttributeFieldProps {
  readonly attribute: Attribute;
  readonly value: string;
  readonly disabled: boolean;
  readonly onChange: (value: string) => void;
}

/** Commits one edit on blur or Enter instead of one per character. */
const TypedText = ({ attribute, value, disabled, onChange }: AttributeFieldProps) => {
  const [typed, setTyped] = useState<string | null>(null);
  const keep = (): void => {
    if (typed !== null && typed !== value) onChange(typed);
    setTyped(null);
  };
  return (
    <TextInput
      size="xs"
      label={attribute.name}
      disabled={disabled}
      maxLength={4096}
      value={typed ?? value}
      onChange={setTyped}
      onBlur={keep}
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.currentTarget.blur();
        if (event.key === 'Escape') setTyped(null);
      }}
    />
  );
};

/** CVAT's format for numbers: minimum, maximum, step. */
const TypedNumber = ({ attribute, value, disabled, onChange }: AttributeFieldProps) => {
  const [min = 0, max = 100, step = 1] = attribute.values.map(Number);
  const [typed, setTyped] = useState<number | string | null>(null);
  const keep = (): void => {
    if (typeof typed === 'number' && String(typed) !== value) onChange(String(typed));
    setTyped(null);
  };
  return (
    <NumberInput
      size="xs"
      label={attribute.name}
      disabled={disabled}
      min={min}
      max={max}
      step={step}
      inSteps
      value={typed ?? Number(value)}
      onChange={setTyped}
      onBlur={keep}
      onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
    />
  );
};

export function AttributeField(props: AttributeFieldProps) {
  const { attribute, value, disabled, onChange } = props;
  switch (attribute.input_type) {
    case 'checkbox':
      return (
        <Checkbox
          size="xs"
          label={attribute.name}
          disabled={disabled}
          checked={value.toLowerCase() === 'true'}
          onChange={(isOn) => onChange(String(isOn))}
        />
      );
    case 'radio':
      return (
        <Radio.Group size="xs" label={attribute.name} value={value} onChange={(next) => onChange(String(next))}>
          <Group gap={12} mt={4}>
            {attribute.values.map((item) => (
              <Radio key={item} size="xs" value={item} label={item} disabled={disabled} />
            ))}
          </Group>
        </Radio.Group>
      );
    case 'select':
      return (
        <Select
          size="xs"
          label={attribute.name}
          disabled={disabled}
          allowDeselect={false}
          data={[...new Set(attribute.values)]}
          value={value}
          onChange={(next) => next !== null && onChange(next)}
        />
      );
    case 'number':
      return <TypedNumber {...props} />;
    case 'text':
      return <TypedText {...props} />;
  }
}
