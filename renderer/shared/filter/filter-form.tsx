import { useState } from 'react';
import { IconPlus, IconX } from '@tabler/icons-react';
import type { FieldKind, FilterField } from '../../../preload/contract/object-filter/filter-fields.ts';
import {
  type FilterGroup,
  type Relation,
  valueCount,
  type FilterRule,
  type FilterValue,
  joins,
  relationsOf,
  type FilterCondition,
  type Join,
} from '../../../preload/contract/object-filter/object-filter.ts';
import { type TextFunction, useText } from '../../i18n/index.ts';
import { MultiSelect, NumberInput, TagsInput, TextInput, ChoiceField, Button } from '../../ui/kit.ts';
import classes from './filter.module.css';
import { IconButton } from '../../ui/icon-button.tsx';

type KnownFields = ReadonlyMap<string, FilterField>;

interface Choice {
  readonly value: string;
  readonly label: string;
}

export interface FilterWords {
  /** A deleted field is undefined. */
  readonly field: (name: string, field: FilterField | undefined) => string;
  readonly value: (field: string, value: string) => string;
  readonly choices: (fields: KnownFields) => { group: string; items: Choice[] }[];
  readonly first: (group: FilterGroup, fields: KnownFields) => FilterField | undefined;
  readonly gone: string;
}

export function relationText(relation: Relation, kind: FieldKind | undefined, t: TextFunction): string {
  if (kind === 'date' && (relation === 'atLeast' || relation === 'below')) return t(`find.dateRelations.${relation}`);
  return t(`find.relations.${relation}`);
}

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

function FilterValues(props: ValueProps) {
  const { rule, field } = props;
  if (valueCount(rule.relation) === 0) return <span />;
  if (valueCount(rule.relation) === null) return <ListValue {...props} />;
  if (field?.kind === 'date') return rule.relation === 'within' ? <DaysValue {...props} /> : <DateValue {...props} />;
  return field?.kind === 'number' ? <NumberValue {...props} /> : <OneValue {...props} />;
}

export const newRule = (field: FilterField): FilterRule => {
  const [relation = 'is'] = relationsOf[field.kind];
  return { kind: 'rule', field: field.name, relation, values: field.kind === 'boolean' ? [true] : [] };
};

/** Drops values whose number or kind no longer fits. */
const withRelation = (rule: FilterRule, relation: Relation): FilterRule => {
  const [was, is] = [valueCount(rule.relation), valueCount(relation)];
  const values = is === null ? rule.values.filter((value) => value !== '') : rule.values.slice(0, is);
  return { ...rule, relation, values: was === 2 && is === null ? [] : values };
};

interface RowProps {
  readonly rule: FilterRule;
  readonly fields: KnownFields;
  readonly words: FilterWords;
  /** Null removes the rule. */
  readonly onChange: (rule: FilterRule | null) => void;
}

const RuleRow = ({ rule, fields, words, onChange }: RowProps) => {
  const t = useText();
  const field = fields.get(rule.field);
  const known = words.choices(fields);
  const gone = { group: words.gone, items: [{ value: rule.field, label: rule.field }] };
  return (
    <div className={classes.rule} role="group" aria-label={words.field(rule.field, field)} data-testid="filter-rule">
      <ChoiceField
        size="xs"
        aria-label={t('find.filter.field')}
        searchable
        // Focused when the filter opens; an open list would cover the rest.
        openOnFocus={false}
        data={field === undefined ? [...known, gone] : known}
        value={rule.field}
        onChange={(name) => {
          const next = fields.get(name ?? '');
          if (next !== undefined && next.name !== rule.field) onChange(newRule(next));
        }}
      />
      <ChoiceField
        size="xs"
        aria-label={t('find.filter.relation')}
        data={(field === undefined ? [rule.relation] : relationsOf[field.kind]).map((value) => ({
          value,
          label: relationText(value, field?.kind, t),
        }))}
        value={rule.relation}
        onChange={(relation) => onChange(withRelation(rule, relation))}
      />
      <FilterValues rule={rule} field={field} words={words} onChange={(values) => onChange({ ...rule, values })} />
      <IconButton
        size="sm"
        label={t('find.filter.removeRule')}
        icon={<IconX size={14} />}
        onClick={() => onChange(null)}
      />
    </div>
  );
};

interface GroupProps {
  readonly group: FilterGroup;
  readonly fields: KnownFields;
  readonly words: FilterWords;
  readonly onChange: (group: FilterGroup | null) => void;
  readonly isInner?: boolean;
}

export function FilterForm({ group, fields, words, onChange, isInner = false }: GroupProps) {
  const t = useText();
  const put = (index: number, next: FilterCondition | null): void =>
    onChange({ ...group, of: group.of.flatMap((one, at) => (at === index ? (next ?? []) : one)) });
  const add = (condition: FilterCondition): void => onChange({ ...group, of: [...group.of, condition] });
  const first = words.first(group, fields);
  return (
    <div className={classes.group} data-inner={isInner || undefined}>
      <div className={classes.groupHead}>
        <ChoiceField
          size="xs"
          variant="unstyled"
          w={140}
          aria-label={t('find.filter.join')}
          data={joins.map((value) => ({ value, label: t(`find.joins.${value}`) }))}
          value={group.join}
          onChange={(join: Join | null) => join !== null && onChange({ ...group, join })}
        />
        {isInner && (
          <IconButton
            size="sm"
            label={t('find.filter.removeGroup')}
            icon={<IconX size={14} />}
            onClick={() => onChange(null)}
          />
        )}
      </div>
      {group.of.map((condition, index) =>
        condition.kind === 'rule' ? (
          // oxlint-disable-next-line react/no-array-index-key -- conditions have nothing else that tells them apart
          <RuleRow key={index} rule={condition} fields={fields} words={words} onChange={(next) => put(index, next)} />
        ) : (
          <FilterForm
            // oxlint-disable-next-line react/no-array-index-key -- as above
            key={index}
            group={condition}
            fields={fields}
            words={words}
            isInner
            onChange={(next) => put(index, next)}
          />
        ),
      )}
      <div className={classes.add}>
        <Button
          size="compact-xs"
          variant="subtle"
          color="gray"
          leftSection={<IconPlus size={14} />}
          onClick={() => first !== undefined && add(newRule(first))}
        >
          {t('find.filter.addRule')}
        </Button>
        <Button
          size="compact-xs"
          variant="subtle"
          color="gray"
          leftSection={<IconPlus size={14} />}
          onClick={() => first !== undefined && add({ kind: 'group', join: 'any', of: [newRule(first)] })}
        >
          {t('find.filter.addGroup')}
        </Button>
      </div>
    </div>
  );
}
