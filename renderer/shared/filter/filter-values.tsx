import { useState } from 'react';
import type { FilterField } from '../../../preload/contract/object-filter/filter-fields.ts';
import {
  valueCount,
  type FilterRule,
  type FilterValue,
} from '../../../preload/contract/object-filter/object-filter.ts';
import { useText } from '../../i18n/index.ts';
import { MultiSelect, NumberInput, TagsInput, TextInput, ChoiceField } from '../../ui/kit.ts';
import classes from './filter.module.css';
import type { FilterWords } from './filter-words.ts';

interface ValueProps {
  readonly rule: FilterRule;
  readonly field: FilterField | undefined;
  readonly words: FilterWords;
  readonly onChange: (values: readonly FilterValue[]) => void;
}

interface NumberBoxProps {
  readonly label: string;
  readonly value: FilterValue;
  readonly onChange: (value: number | '') => void;
}

const numberIn = (typed: string | number): number | '' =>
  typed === '' || !Number.isFinite(Number(typed)) ? '' : Number(typed);

/** Keeps incomplete input such as `0.` while its value equals the rule's. */
const NumberBox = ({ label, value, onChange }: NumberBoxProps) => {
  const [typed, setTyped] = useState<string | number>('');
  return (
    <NumberInput
      size="xs"
      hideControls
      aria-label={label}
      value={numberIn(typed) === value ? typed : String(value)}
      onChange={(next) => {
        setTyped(next);
        onChange(numberIn(next));
      }}
    />
  );
};

const NumberValue = ({ rule, onChange }: ValueProps) => {
  const t = useText();
  const places = rule.relation === 'between' ? (['from', 'to'] as const) : (['value'] as const);
  const valueAt = (index: number): FilterValue => rule.values[index] ?? '';
  return (
    <div className={classes.values}>
      {places.map((place, index) => (
        <NumberBox
          key={place}
          label={t(`find.filter.${place}`)}
          value={valueAt(index)}
          onChange={(value) => onChange(places.map((_, at) => (at === index ? value : valueAt(at))))}
        />
      ))}
    </div>
  );
};

const ListValue = ({ rule, field, words, onChange }: ValueProps) => {
  const t = useText();
  const values = rule.values.map(String);
  const label = t('find.filter.values');
  if (field?.kind !== 'choice') {
    const read = (texts: readonly string[]): readonly FilterValue[] =>
      field?.kind === 'number' ? texts.map(Number).filter((value) => !Number.isNaN(value)) : texts;
    return <TagsInput size="xs" aria-label={label} value={values} onChange={(texts) => onChange(read(texts))} />;
  }
  // A filter may still contain a deleted label.
  const offered = [...new Set([...(field.values ?? []), ...values])];
  return (
    <MultiSelect
      size="xs"
      aria-label={label}
      searchable
      // Beside the chosen ones, if there is space.
      styles={{ inputField: { minWidth: 32 } }}
      data={offered.map((value) => ({ value, label: words.value(field.name, value) }))}
      value={values}
      placeholder={values.length === 0 ? t('find.filter.choose') : ''}
      onChange={onChange}
    />
  );
};

const OneValue = ({ rule, field, words, onChange }: ValueProps) => {
  const t = useText();
  const label = t('find.filter.value');
  const [value] = rule.values;
  if (field?.kind === 'text') {
    return (
      <TextInput
        size="xs"
        aria-label={label}
        value={value === undefined ? '' : String(value)}
        onChange={(value) => onChange([value])}
      />
    );
  }
  const isSwitch = field?.kind === 'boolean';
  const offered = isSwitch ? ['true', 'false'] : [...new Set([...(field?.values ?? []), ...rule.values.map(String)])];
  const nameOf = (one: string): string => {
    if (isSwitch) return t(one === 'true' ? 'find.filter.yes' : 'find.filter.no');
    return words.value(rule.field, one);
  };
  return (
    <ChoiceField
      size="xs"
      aria-label={label}
      searchable={!isSwitch}
      placeholder={t('find.filter.choose')}
      data={offered.map((one) => ({ value: one, label: nameOf(one) }))}
      value={value === undefined ? null : String(value)}
      onChange={(next) => onChange([isSwitch ? next === 'true' : next])}
    />
  );
};

/** Days in the local time zone. */
const DateValue = ({ rule, onChange }: ValueProps) => {
  const t = useText();
  const places = rule.relation === 'between' ? (['from', 'to'] as const) : (['value'] as const);
  return (
    <div className={classes.values}>
      {places.map((place, index) => (
        <TextInput
          key={place}
          type="date"
          size="xs"
          aria-label={t(`find.filter.${place}`)}
          value={String(rule.values[index] ?? '').slice(0, 10)}
          onChange={(value) => onChange(places.map((_, at) => (at === index ? value : (rule.values[at] ?? ''))))}
        />
      ))}
    </div>
  );
};

const DaysValue = (props: ValueProps) => {
  const t = useText();
  return (
    <div className={classes.values}>
      <NumberValue {...props} />
      <span className={classes.unit}>{t('find.filter.days')}</span>
    </div>
  );
};

export function FilterValues(props: ValueProps) {
  const { rule, field } = props;
  if (valueCount(rule.relation) === 0) return <span />;
  if (valueCount(rule.relation) === null) return <ListValue {...props} />;
  if (field?.kind === 'date') return rule.relation === 'within' ? <DaysValue {...props} /> : <DateValue {...props} />;
  return field?.kind === 'number' ? <NumberValue {...props} /> : <OneValue {...props} />;
}
