import type { FormatOptionField } from '../../../preload/contract/schema/formats.ts';
import { useText, type TextFunction } from '../../i18n/index.ts';
import en from '../../i18n/en.json' with { type: 'json' };
import { NumberInput, Switch, TextInput, ChoiceField } from '../../ui/kit.ts';
import { FieldRow } from './field-row.tsx';

export type OptionValues = Readonly<Record<string, string | number | boolean | undefined>>;

interface OptionFieldsProps {
  readonly options: readonly FormatOptionField[];
  readonly values: OptionValues;
  readonly onChange: (values: OptionValues) => void;
}

const { formatOptions } = en;
const keys = new Map<string, keyof typeof formatOptions>();
// `Object.keys` loses the type of keys.
for (const key of Object.keys(formatOptions) as (keyof typeof formatOptions)[]) keys.set(formatOptions[key], key);

/** A text of an option in the user's language; texts of plug-ins stay unchanged. */
function optionText(t: TextFunction, text: string): string {
  const key = keys.get(text);
  return key === undefined ? text : t(`formatOptions.${key}`);
}

export function OptionFields({ options, values, onChange }: OptionFieldsProps) {
  const t = useText();
  return options.map((option) => (
    <FieldRow
      key={option.name}
      label={optionText(t, option.title)}
      note={option.description === undefined ? undefined : optionText(t, option.description)}
    >
      <OptionField
        option={option}
        value={values[option.name]}
        onChange={(value) => onChange({ ...values, [option.name]: value })}
      />
    </FieldRow>
  ));
}

interface OptionFieldProps {
  readonly option: FormatOptionField;
  readonly value: OptionValues[string];
  readonly onChange: (value: OptionValues[string]) => void;
}

function OptionField({ option, value, onChange }: OptionFieldProps) {
  const t = useText();
  const label = optionText(t, option.title);
  if (option.kind === 'boolean') {
    return (
      <Switch aria-label={label} checked={value === undefined ? option.default : value === true} onChange={onChange} />
    );
  }
  if (option.kind === 'choice') {
    return (
      <ChoiceField
        aria-label={label}
        size="xs"
        data={option.choices.map(({ value: of, title }) => ({ value: of, label: optionText(t, title) }))}
        value={typeof value === 'string' ? value : (option.choices[0]?.value ?? null)}
        onChange={onChange}
      />
    );
  }
  if (option.kind === 'number') {
    return (
      <NumberInput
        aria-label={label}
        size="xs"
        maw={160}
        min={option.minimum}
        max={option.maximum}
        value={typeof value === 'number' ? value : (option.default ?? '')}
        onChange={(next) => onChange(typeof next === 'number' ? next : undefined)}
      />
    );
  }
  return <TextInput aria-label={label} size="xs" value={typeof value === 'string' ? value : ''} onChange={onChange} />;
}
