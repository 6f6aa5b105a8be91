import { IconPlus, IconX } from '@tabler/icons-react';
import {
  joins,
  relationsOf,
  valueCount,
  type FilterCondition,
  type FilterGroup,
  type FilterRule,
  type Join,
  type Relation,
} from '../../../preload/contract/object-filter/object-filter.ts';
import type { FilterField } from '../../../preload/contract/object-filter/filter-fields.ts';
import { useText } from '../../i18n/index.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { Button, ChoiceField } from '../../ui/kit.ts';
import { relationText, type FilterWords } from './filter-words.ts';
import { FilterValues } from './filter-values.tsx';
import classes from './filter.module.css';

type Fields = ReadonlyMap<string, FilterField>;

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
  readonly fields: Fields;
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
  readonly fields: Fields;
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
