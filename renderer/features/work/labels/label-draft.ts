import { z } from 'zod';
import { labelColor } from '../../../../preload/contract/colors.ts';
import {
  type attributeWriteSchema,
  type InputType,
  type Label,
  type LabelType,
  type LabelWrite,
  longestDrawing,
  labelWriteSchema,
} from '../../../../preload/contract/schema/labels.ts';
import type { TextFunction } from '../../../i18n/index.ts';

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

const numberIsGood = (values: readonly string[]): boolean => {
  const [minimum, maximum, step] = values.map((value) => (value.trim() === '' ? Number.NaN : Number(value)));
  const finite = [minimum, maximum, step].every((value) => value !== undefined && Number.isFinite(value));
  return finite && values.length === 3 && (minimum ?? 0) <= (maximum ?? 0) && (step ?? 0) > 0;
};

function problemsOf(label: string, attribute: AttributeDraft, t: TextFunction): string[] {
  const name = attribute.name.trim();
  const found = name === '' ? [t('labels.problems.attributeNoName', { label })] : [];
  const list = attribute.inputType === 'select' || attribute.inputType === 'radio';
  if (list && attribute.values.length === 0) found.push(t('labels.problems.noValues', { label, name }));
  else if (list && attribute.defaultValue !== '' && !attribute.values.includes(attribute.defaultValue)) {
    found.push(t('labels.problems.defaultNotValue', { label, name }));
  }
  if (attribute.inputType === 'number' && !numberIsGood(attribute.values)) {
    found.push(t('labels.problems.numberRange', { label, name }));
  }
  return found;
}

const repeated = (names: readonly string[]): string | undefined =>
  names.find((name, index) => name !== '' && names.indexOf(name) !== index);

/** Reasons why the attributes of a label, or of a skeleton's point, cannot be saved. */
function attributeProblems(label: string, attributes: readonly AttributeDraft[], t: TextFunction): string[] {
  const twice = repeated(attributes.map(({ name }) => name.trim()));
  return [
    ...attributes.flatMap((attribute) => problemsOf(label, attribute, t)),
    ...(twice === undefined ? [] : [t('labels.problems.attributeDuplicate', { label, name: twice })]),
  ];
}

/** Reasons why a skeleton's points cannot be saved. A saved skeleton without points is accepted. */
export function skeletonProblems({ id, name, skeleton }: LabelDraft, t: TextFunction): string[] {
  const { svg = '', sublabels: points = [] } = skeleton;
  const label = name.trim();
  if (points.length === 0) return id === undefined ? [t('skeleton.problems.noPoints', { label })] : [];
  const names = points.map((point) => (point.name ?? '').trim());
  const nameless = names.indexOf('');
  const long = names.findIndex((one) => one.length > 64);
  const twice = repeated(names);
  return [
    ...(nameless < 0 ? [] : [t('skeleton.problems.noName', { label, number: nameless + 1 })]),
    ...(long < 0 ? [] : [t('skeleton.problems.longName', { label, number: long + 1 })]),
    ...(twice === undefined ? [] : [t('skeleton.problems.twice', { label, name: twice })]),
    ...(svg.length > longestDrawing ? [t('skeleton.problems.tooLarge', { label })] : []),
    ...points.flatMap(({ attributes = [] }, index) =>
      attributeProblems(`${label} · ${names[index]}`, attributes.map(attributeDraft), t),
    ),
  ];
}

export function labelProblems(labels: readonly LabelDraft[], t: TextFunction): string[] {
  const found: string[] = [];
  const names = labels.map((label) => label.name.trim());
  if (names.includes('')) found.push(t('labels.problems.noName'));
  const twice = repeated(names);
  if (twice !== undefined) found.push(t('labels.problems.duplicate', { name: twice }));
  for (const label of labels) {
    found.push(...attributeProblems(label.name.trim(), label.attributes, t));
    if (label.type === 'skeleton') found.push(...skeletonProblems(label, t));
  }
  return found;
}

export const rawOfDrafts = (drafts: readonly LabelDraft[]): string => JSON.stringify(drafts.map(writeOfLabel), null, 2);

type RawResult =
  | { readonly ok: true; readonly drafts: LabelDraft[] }
  | { readonly ok: false; readonly syntax: string }
  | { readonly ok: false; readonly problems: readonly string[] };

const placeOf = (path: readonly PropertyKey[]): string =>
  path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '');

/** Parses the raw tab. Problems name the position, for example `[2].attributes[0].name`. */
export function draftsOfRaw(text: string): RawResult {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { ok: false, syntax: error instanceof Error ? error.message : String(error) };
  }
  const parsed = z.array(labelWriteSchema).safeParse(value);
  if (parsed.success) return { ok: true, drafts: parsed.data.map(labelDraft) };
  return { ok: false, problems: parsed.error.issues.map((issue) => `${placeOf(issue.path)}: ${issue.message}`) };
}
