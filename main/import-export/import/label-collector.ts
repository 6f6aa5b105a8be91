import { longestName } from '../../../preload/contract/annotation-names.ts';
import { labelTypes, type LabelType, type LabelWrite } from '../../../preload/contract/schema/labels.ts';
import { attributeProblem } from '../../work/labels/label-rules.ts';
import type { Attribute, FileLabel, LabeledShape, Track } from '../../formats/kit/task-data.ts';

const maxAttributes = 200;

interface Found {
  readonly declared: FileLabel | undefined;
  readonly types: Set<string>;
  /** Values by attribute. Mutable if a track's shapes have the attribute. */
  readonly attributes: Map<string, { readonly values: Set<string>; mutable: boolean }>;
  readonly sublabels: Map<string, Found>;
}

const found = (declared?: FileLabel): Found => ({
  declared,
  types: new Set(),
  attributes: new Map(),
  sublabels: new Map((declared?.sublabels ?? []).map((sublabel) => [sublabel.name, found(sublabel)])),
});

/** Collects labels with attributes and types from the objects of a file. */
export function createLabelCollector() {
  const labels = new Map<string, Found>();
  const entry = (from: Map<string, Found>, name: string): Found => {
    const known = from.get(name) ?? found();
    from.set(name, known);
    return known;
  };

  function note(label: Found, type: string, attributes: readonly Attribute[], mutable: boolean): void {
    label.types.add(type);
    for (const { name, value } of attributes) {
      if (name.trim() !== name || name === '' || name.length > longestName) continue;
      const known = label.attributes.get(name) ?? { values: new Set(), mutable };
      if (label.attributes.size < maxAttributes) label.attributes.set(name, known);
      if (known.values.size < 3) known.values.add(value.toLowerCase());
    }
  }
  function shape(value: LabeledShape, from: Map<string, Found>): void {
    const label = entry(from, value.label);
    note(label, value.type, value.attributes, false);
    for (const element of value.elements ?? []) shape(element, label.sublabels);
  }
  function track(value: Track, from: Map<string, Found>): void {
    const label = entry(from, value.label);
    note(label, value.shapes[0]?.type ?? 'any', value.attributes ?? [], false);
    for (const one of value.shapes) note(label, one.type, one.attributes, true);
    for (const element of value.elements ?? []) track(element, label.sublabels);
  }

  return {
    declare(label: FileLabel): void {
      if (!labels.has(label.name)) labels.set(label.name, found(label));
    },
    object: (name: string, type: string, attributes: readonly Attribute[], mutable: boolean) =>
      note(entry(labels, name), type, attributes, mutable),
    shape: (value: LabeledShape) => shape(value, labels),
    track: (value: Track) => track(value, labels),
    /**
     * Excludes labels that are invalid in a project: their objects are rejected one by one, and the rest is imported.
     */
    result: (): LabelWrite[] =>
      [...labels].filter(([name]) => isPossibleName(name)).map(([name, label]) => labelOf(name, label, null)),
  };
}

const isPossibleName = (name: string): boolean => name.trim() === name && name !== '' && name.length <= longestName;

type WrittenAttribute = NonNullable<LabelWrite['attributes']>[number];

/** Changes an attribute to text if its values are invalid for its type, so that no value is lost. */
function possible(attribute: WrittenAttribute): WrittenAttribute {
  if (attributeProblem(attribute) === undefined) return attribute;
  return { ...attribute, input_type: 'text', values: [], default_value: attribute.default_value ?? '' };
}

const isLabelType = (type: string | undefined): type is LabelType => labelTypes.some((known) => known === type);

function labelOf(name: string, label: Found, parentType: LabelType | null): LabelWrite {
  const { declared, types, attributes, sublabels } = label;
  const isSkeleton = types.has('skeleton') || (parentType === null && sublabels.size > 0);
  const [only] = types;
  const guessed = isSkeleton
    ? 'skeleton'
    : parentType !== null && types.size === 1 && isLabelType(only)
      ? only
      : undefined;
  const type = isLabelType(declared?.type) ? declared.type : (guessed ?? (parentType === null ? 'any' : 'points'));
  const color = /^#[0-9a-f]{6}$/i.test(declared?.color ?? '') ? { color: declared?.color } : {};
  const stated = (declared?.attributes ?? []).map(({ name: attribute, ...rest }) =>
    possible({
      name: attribute,
      ...rest,
      // Importers only give known input types.
      input_type: rest.input_type as WrittenAttribute['input_type'],
      values: [...rest.values],
    }),
  );
  const known = stated.filter(
    (one, index) => isPossibleName(one.name) && stated.findIndex((other) => other.name === one.name) === index,
  );
  const extra = [...attributes].filter(([attribute]) => !known.some((one) => one.name === attribute));
  return {
    name,
    type,
    ...color,
    svg: declared?.svg,
    attributes: [
      ...known,
      ...extra.map(([attribute, { values, mutable }]) => freeAttribute(attribute, values, mutable)),
    ],
    sublabels:
      type === 'skeleton'
        ? [...sublabels]
            .filter(([sublabel]) => isPossibleName(sublabel))
            .map(([sublabel, one]) => labelOf(sublabel, one, type))
        : undefined,
  };
}

/** Infers an attribute from its values alone: a checkbox or text. */
function freeAttribute(name: string, values: ReadonlySet<string>, mutable: boolean) {
  const isCheckbox = values.size > 0 && [...values].every((value) => value === 'true' || value === 'false');
  return {
    name,
    mutable,
    input_type: isCheckbox ? ('checkbox' as const) : ('text' as const),
    default_value: isCheckbox ? 'false' : '',
    values: isCheckbox ? ['false'] : [],
  };
}
