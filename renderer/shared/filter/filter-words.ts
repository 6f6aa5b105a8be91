import type { FieldKind, FilterField } from '../../../preload/contract/object-filter/filter-fields.ts';
import type { FilterGroup, Relation } from '../../../preload/contract/object-filter/object-filter.ts';
import type { TextFunction } from '../../i18n/index.ts';

type Fields = ReadonlyMap<string, FilterField>;

interface Choice {
  readonly value: string;
  readonly label: string;
}

export interface FilterWords {
  /** A deleted field is undefined. */
  readonly field: (name: string, field: FilterField | undefined) => string;
  readonly value: (field: string, value: string) => string;
  readonly choices: (fields: Fields) => { group: string; items: Choice[] }[];
  readonly first: (group: FilterGroup, fields: Fields) => FilterField | undefined;
  readonly gone: string;
}

export function relationText(relation: Relation, kind: FieldKind | undefined, t: TextFunction): string {
  if (kind === 'date' && (relation === 'atLeast' || relation === 'below')) return t(`find.dateRelations.${relation}`);
  return t(`find.relations.${relation}`);
}
