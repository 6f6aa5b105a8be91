import {
  annotationSources,
  shapeTypes,
  type AnnotationSource,
  type ShapeType,
} from '../../../preload/contract/annotation-names.ts';
import {
  objectTypes,
  plainFields,
  type FilterField,
  type ObjectType,
  type PlainField,
} from '../../../preload/contract/object-filter/filter-fields.ts';
import type { TextFunction } from '../../i18n/index.ts';
import type { FilterWords } from './filter-form.tsx';

const isPlain = (name: string): name is PlainField => plainFields.some((field) => field.name === name);
const isType = (value: string): value is ObjectType => objectTypes.some((type) => type === value);
const isShape = (value: string): value is ShapeType => shapeTypes.some((type) => type === value);
const isSource = (value: string): value is AnnotationSource => annotationSources.some((one) => one === value);

/** Label of a field in the form; the plain name if the field no longer exists. */
function fieldText(name: string, field: FilterField | undefined, t: TextFunction): string {
  if (field?.attribute !== undefined) return field.attribute.name;
  return isPlain(name) ? t(`find.fields.${name}`) : name;
}

function valueText(name: string, value: string, t: TextFunction): string {
  if (name === 'type' && isType(value)) return t(`find.types.${value}`);
  if (name === 'shape' && isShape(value)) return t(`annotate.shape.${value}`);
  if (name === 'source' && isSource(value)) return t(`find.sources.${value}`);
  return value;
}

function fieldChoices(fields: ReadonlyMap<string, FilterField>, t: TextFunction) {
  const groups = new Map<string, { value: string; label: string }[]>();
  for (const [name, field] of fields) {
    const group = field.attribute?.label ?? t('find.filter.ofObject');
    groups.set(group, [...(groups.get(group) ?? []), { value: name, label: fieldText(name, field, t) }]);
  }
  return [...groups].map(([group, items]) => ({ group, items }));
}

export const objectWords = (t: TextFunction): FilterWords => ({
  field: (name, field) => fieldText(name, field, t),
  value: (name, value) => valueText(name, value, t),
  choices: (fields) => fieldChoices(fields, t),
  first: ({ of }, fields) =>
    fields.get(of.some((one) => one.kind === 'rule' && one.field === 'label') ? 'score' : 'label'),
  gone: t('find.filter.gone'),
});
