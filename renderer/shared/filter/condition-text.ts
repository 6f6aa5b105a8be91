import type { FilterField } from '../../../preload/contract/object-filter/filter-fields.ts';
import {
  valueCount,
  type FilterCondition,
  type FilterRule,
} from '../../../preload/contract/object-filter/object-filter.ts';
import type { TextFunction } from '../../i18n/index.ts';
import { formatNumber, locale } from '../../i18n/language.ts';
import { relationText, type FilterWords } from './filter-form.tsx';

interface Known {
  readonly byName: ReadonlyMap<string, FilterField>;
  readonly words: FilterWords;
}

/** A condition as a sentence. */
export function conditionText(
  condition: FilterCondition,
  { byName, words }: Known,
  t: TextFunction,
): { readonly about: string; readonly rest: string } {
  if (condition.kind === 'group') {
    const parts = condition.of.map((one) => {
      const { about, rest } = conditionText(one, { byName, words }, t);
      return `${about} ${rest}`;
    });
    return { about: t(`find.joins.${condition.join}`), rest: parts.join(', ') };
  }
  const field = byName.get(condition.field);
  const about = words.field(condition.field, field);
  const relation = relationText(condition.relation, field?.kind, t);
  if (valueCount(condition.relation) === 0) return { about, rest: relation };
  return { about, rest: `${relation} ${valuesText(condition, field, words, t)}` };
}

const day = (value: string): string =>
  new Intl.DateTimeFormat(locale(), { dateStyle: 'medium' }).format(
    new Date(value.length === 10 ? `${value}T00:00` : value),
  );

function valuesText(
  { field: name, relation, values }: FilterRule,
  field: FilterField | undefined,
  words: FilterWords,
  t: TextFunction,
): string {
  if (relation === 'within') return `${formatNumber(Number(values[0]))} ${t('find.filter.days')}`;
  const shown = values.map((value) => {
    if (field?.kind === 'date') return day(String(value));
    if (typeof value === 'boolean') return t(value ? 'find.filter.yes' : 'find.filter.no');
    return field?.kind === 'choice' ? words.value(name, String(value)) : String(value);
  });
  return new Intl.ListFormat(locale(), { type: relation === 'between' ? 'conjunction' : 'disjunction' }).format(shown);
}
