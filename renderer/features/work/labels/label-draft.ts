import type { z } from 'zod';
import { labelColor } from '../../../../preload/contract/colors.ts';
import type {
  attributeWriteSchema,
  InputType,
  Label,
  LabelType,
  LabelWrite,
} from '../../../../preload/contract/schema/labels.ts';

export interface AttributeDraft {
  readonly key: string;
  readonly id?: number;
  readonly name: string;
  readonly inputType: InputType;
  readonly defaultValue: string;
  /** For a number: minimum, maximum, step. */
  readonly values: readonly string[];
  readonly mutable: boolean;
}

export interface LabelDraft {
  readonly key: string;
  readonly id?: number;
  readonly name: string;
  readonly color: string;
  readonly type: LabelType;
  readonly attributes: readonly AttributeDraft[];
  /** Points and drawing of a skeleton, which has a separate editor. */
  readonly skeleton: Pick<LabelWrite, 'svg' | 'sublabels'>;
}

type AttributeWrite = z.input<typeof attributeWriteSchema>;

const newKey = (): string => crypto.randomUUID();

export const attributeDraft = (attribute: AttributeWrite): AttributeDraft => ({
  key: attribute.id === undefined ? newKey() : `attribute-${attribute.id}`,
  ...(attribute.id === undefined ? {} : { id: attribute.id }),
  name: attribute.name,
  inputType: attribute.input_type,
  defaultValue: attribute.default_value ?? '',
  values: attribute.values ?? [],
  mutable: attribute.mutable ?? false,
});

export const labelDraft = (label: LabelWrite): LabelDraft => ({
  key: label.id === undefined ? newKey() : `label-${label.id}`,
  ...(label.id === undefined ? {} : { id: label.id }),
  name: label.name ?? '',
  color: label.color ?? '',
  type: label.type ?? 'any',
  attributes: (label.attributes ?? []).map(attributeDraft),
  skeleton: {
    ...(label.svg === undefined ? {} : { svg: label.svg }),
    ...(label.sublabels === undefined || label.sublabels.length === 0 ? {} : { sublabels: label.sublabels }),
  },
});

/** A label of the service without read-only members (parents, addresses). */
export const draftOfLabel = (label: Label): LabelDraft =>
  labelDraft({
    id: label.id,
    name: label.name,
    color: label.color,
    type: label.type,
    attributes: label.attributes,
    ...(label.svg === undefined ? {} : { svg: label.svg }),
    sublabels: label.sublabels.map(({ id, name, color, type, attributes }) => ({ id, name, color, type, attributes })),
  });

export const newLabelDraft = (name: string, existing: readonly LabelDraft[]): LabelDraft =>
  labelDraft({ name, color: labelColor(name, new Set(existing.map((label) => label.color))), type: 'any' });

export const newAttributeDraft = (): AttributeDraft => ({
  key: newKey(),
  name: '',
  inputType: 'text',
  defaultValue: '',
  values: [],
  mutable: false,
});

/** Adapts values and default to another input type and keeps as many as possible. */
export function withInputType(attribute: AttributeDraft, inputType: InputType): AttributeDraft {
  const list = inputType === 'select' || inputType === 'radio';
  const wasList = attribute.inputType === 'select' || attribute.inputType === 'radio';
  if (list && wasList) return { ...attribute, inputType };
  if (inputType === 'number') return { ...attribute, inputType, values: ['0', '100', '1'], defaultValue: '0' };
  if (inputType === 'checkbox') return { ...attribute, inputType, values: ['false', 'true'], defaultValue: 'false' };
  return { ...attribute, inputType, values: [], defaultValue: '' };
}

export const writeOfAttribute = (attribute: AttributeDraft) => ({
  ...(attribute.id === undefined ? {} : { id: attribute.id }),
  name: attribute.name.trim(),
  input_type: attribute.inputType,
  mutable: attribute.mutable,
  default_value: attribute.defaultValue,
  values: [...attribute.values],
});

export const writeOfLabel = (label: LabelDraft): LabelWrite => ({
  ...(label.id === undefined ? {} : { id: label.id }),
  name: label.name.trim(),
  ...(label.color === '' ? {} : { color: label.color }),
  type: label.type,
  attributes: label.attributes.map(writeOfAttribute),
  // A label may have been a skeleton before its type changed.
  ...(label.type === 'skeleton' ? label.skeleton : {}),
});

/** Labels to send: every label in its new state, and deleted ones marked. */
export function labelChanges(before: readonly Label[], drafts: readonly LabelDraft[]): LabelWrite[] {
  const kept = new Set(drafts.map((draft) => draft.id));
  const removed = before.filter((label) => !kept.has(label.id)).map(({ id }) => ({ id, deleted: true }));
  const changed = drafts.map((draft) => {
    const attributes = new Set(draft.attributes.map(({ id }) => id));
    const earlier = before.find(({ id }) => id === draft.id)?.attributes ?? [];
    const gone = earlier.filter(({ id }) => !attributes.has(id)).map((one) => ({ ...one, deleted: true }));
    const label = writeOfLabel(draft);
    return { ...label, attributes: [...gone, ...(label.attributes ?? [])] };
  });
  return [...removed, ...changed];
}

/** Names of a pasted list, one per line; ignores empty lines. */
export const namesInLines = (text: string): string[] =>
  text
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
