import { annotationSources, shapeTypes } from '../annotation-names.ts';
import type { InputType } from '../schema/labels.ts';

export type FieldKind = 'choice' | 'number' | 'boolean' | 'text' | 'date';

export interface FilterField {
  /** Name in `var` of JSON Logic. */
  readonly name: string;
  readonly kind: FieldKind;
  /** For choices, in display order. */
  readonly values?: readonly string[];
  readonly attribute?: { readonly label: string; readonly name: string; readonly specIds: readonly number[] };
}

export interface FilterLabel {
  readonly id: number;
  readonly name: string;
  readonly attributes: readonly {
    readonly id: number;
    readonly name: string;
    readonly input_type: InputType;
    readonly values: readonly string[];
  }[];
}

export const objectTypes = ['shape', 'track', 'tag'] as const;
export type ObjectType = (typeof objectTypes)[number];

/**
 * Names and meanings are those of CVAT's filters; fields from `source` on are Limner extensions. Lengths are in image
 * pixels.
 */
export const plainFields = [
  { name: 'label', kind: 'choice' },
  { name: 'type', kind: 'choice', values: objectTypes },
  { name: 'shape', kind: 'choice', values: shapeTypes },
  { name: 'score', kind: 'number' },
  { name: 'occluded', kind: 'boolean' },
  { name: 'width', kind: 'number' },
  { name: 'height', kind: 'number' },
  { name: 'rotation', kind: 'number' },
  { name: 'serverID', kind: 'number' },
  { name: 'source', kind: 'choice', values: annotationSources },
  { name: 'area', kind: 'number' },
  { name: 'group', kind: 'number' },
  { name: 'frame', kind: 'number' },
  { name: 'z_order', kind: 'number' },
] as const satisfies readonly FilterField[];
export type PlainField = (typeof plainFields)[number]['name'];

/** Replaces dots, which would mean a nested field. */
const inPath = (name: string): string => name.replaceAll('.', '\u2219');
const pathOf = (label: string, attribute: string): string => `attr.${inPath(label)}.${inPath(attribute)}`;

const kindOf = (type: InputType): FieldKind => {
  if (type === 'number' || type === 'text') return type;
  return type === 'checkbox' ? 'boolean' : 'choice';
};

export function filterFields(labels: readonly FilterLabel[]): ReadonlyMap<string, FilterField> {
  const fields = new Map<string, FilterField>();
  for (const field of plainFields) fields.set(field.name, field);
  fields.set('label', { name: 'label', kind: 'choice', values: labels.map(({ name }) => name) });
  for (const label of labels) {
    for (const { id, name, input_type: type, values } of label.attributes) {
      const path = pathOf(label.name, name);
      const before = fields.get(path);
      const kind = kindOf(type);
      fields.set(path, {
        name: path,
        kind,
        ...(kind === 'choice' ? { values: [...new Set([...(before?.values ?? []), ...values])] } : {}),
        attribute: { label: label.name, name, specIds: [...(before?.attribute?.specIds ?? []), id] },
      });
    }
  }
  return fields;
}
