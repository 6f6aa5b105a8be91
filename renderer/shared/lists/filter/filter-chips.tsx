import { IconPlus, IconX } from '@tabler/icons-react';
import type { FilterField } from '../../../../preload/contract/object-filter/filter-fields.ts';
import { useText, type TextFunction } from '../../../i18n/index.ts';
import en from '../../../i18n/en.json' with { type: 'json' };
import { conditionText } from '../../filter/condition-text.ts';
import type { FilterWords } from '../../filter/filter-form.tsx';
import { usePeople, userName } from '../../people/people.tsx';
import { type ListField, type ListFieldName, conditionsOf, filterText } from './list-filter.ts';
import classes from '../lists.module.css';

type Values = typeof en.lists.values;
type Status = keyof typeof en.tasks.status;
const isNamed = (name: string): name is ListFieldName => Object.hasOwn(en.lists.fields, name);
const isStatus = (value: string): value is Status => Object.hasOwn(en.tasks.status, value);

function valueText(field: string, value: string, t: TextFunction): string {
  const known: Partial<Record<string, Readonly<Record<string, string>>>> = en.lists.values;
  if (known[field] !== undefined && Object.hasOwn(known[field], value)) {
    // Both were looked up above.
    return t(`lists.values.${field as 'action'}.${value as keyof Values['action']}`);
  }
  return isStatus(value) ? t(`tasks.status.${value}`) : value;
}

/** Fields of a list with the selectable users, and the texts of its form. */
export function useListWords(fields: readonly ListField[]) {
  const t = useText();
  const { people } = usePeople();
  const names = new Map(people.map((one) => [one.username, userName(one)]));
  const usernames = [...names.keys()];
  const shown = fields.map((field): ListField => (field.isPerson === true ? { ...field, values: usernames } : field));
  const byName = new Map<string, FilterField>(shown.map((field) => [field.name, field]));
  const personal = new Set<string>(fields.filter(({ isPerson }) => isPerson).map(({ name }) => name));
  const words: FilterWords = {
    field: (name) => (isNamed(name) ? t(`lists.fields.${name}`) : name),
    value: (field, value) => (personal.has(field) ? (names.get(value) ?? value) : valueText(field, value, t)),
    choices: () => [
      {
        group: t('lists.filter.fields'),
        items: shown.map(({ name }) => ({ value: name, label: t(`lists.fields.${name}`) })),
      },
    ],
    first: ({ of }) => {
      const used = new Set(of.map((one) => (one.kind === 'rule' ? one.field : '')));
      return shown.find(({ name }) => !used.has(name)) ?? shown[0];
    },
    gone: t('lists.filter.gone'),
  };
  return { fields: shown, byName, words };
}

interface FilterChipsProps {
  readonly filter: string | undefined;
  readonly words: ReturnType<typeof useListWords>;
  readonly onChange: (filter: string | undefined) => void;
  readonly onEdit: () => void;
  readonly onAdd: () => void;
}

interface ChipProps {
  readonly about: string;
  readonly rest: string;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
}

const Chip = ({ about, rest, onEdit, onRemove }: ChipProps) => {
  const t = useText();
  const condition = `${about} ${rest}`.trim();
  return (
    <li className={classes.chip} title={condition}>
      <button type="button" aria-label={t('lists.filter.edit', { condition })} onClick={onEdit}>
        <span className={classes.about}>{about}</span> {rest}
      </button>
      <button type="button" aria-label={t('lists.filter.remove', { condition })} onClick={onRemove}>
        <IconX size={13} />
      </button>
    </li>
  );
};

/** Conditions of the list as sentences that can be edited or removed. */
export function FilterChips({ filter, words, onChange, onEdit, onAdd }: FilterChipsProps) {
  const t = useText();
  const group = conditionsOf(filter, words.fields);
  const gone = (index: number): void => {
    if (group !== null) onChange(filterText({ ...group, of: group.of.filter((_, at) => at !== index) }));
  };
  const isOne = group !== null && group.join !== 'all';
  return (
    <ul className={classes.chips} aria-label={t('lists.filter.chips')}>
      {group === null && (
        <Chip about={t('lists.filter.json')} rest="" onEdit={onEdit} onRemove={() => onChange(undefined)} />
      )}
      {/* Alternative conditions form a single chip. */}
      {isOne && <Chip {...conditionText(group, words, t)} onEdit={onEdit} onRemove={() => onChange(undefined)} />}
      {group !== null &&
        !isOne &&
        group.of.map((condition, index) => (
          <Chip
            // oxlint-disable-next-line react/no-array-index-key -- conditions have nothing else that tells them apart
            key={index}
            {...conditionText(condition, words, t)}
            onEdit={onEdit}
            onRemove={() => gone(index)}
          />
        ))}
      {group !== null && (
        <li>
          <button type="button" className={classes.add} onClick={onAdd}>
            <IconPlus size={13} />
            {t('lists.filter.add')}
          </button>
        </li>
      )}
    </ul>
  );
}
