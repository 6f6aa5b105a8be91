import type { FieldKind, FilterField } from '../../../preload/contract/object-filter/filter-fields.ts';
import type { FilterGroup, Relation } from '../../../preload/contract/object-filter/object-filter.ts';
import type { TextFunction } from '../../i18n/index.ts';

type Fields = ReadonlyMap<string, FilterField>;

interface Choice {
  readonly value: string;
  readonly label: string;
}

/** What the form of a filter says about what is filtered. */
export interface FilterWords {
  /** One that is not there any more has no field. */
  readonly field: (name: string, field: FilterField | undefined) => string;
  /** A value of a choice. */
  readonly value: (field: string, value: string) => string;
  /** Fields as a list to choose from. */
  readonly choices: (fields: Fields) => { group: string; items: Choice[] }[];
  /** What a new condition of the group asks about at first. */
  readonly first: (group: FilterGroup, fields: Fields) => FilterField | undefined;
  /** Said of a field that is not there. */
  readonly gone: string;
}

export function relationText(relation: Relation, kind: FieldKind | undefined, t: TextFunction): string {
  if (kind === 'date' && (relation === 'atLeast' || relation === 'below')) return t(`find.dateRelations.${relation}`);
  return t(`find.relations.${relation}`);
}
