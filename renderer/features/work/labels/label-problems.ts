import { longestDrawing } from '../../../../preload/contract/schema/labels.ts';
import type { TextFunction } from '../../../i18n/index.ts';
import { type AttributeDraft, attributeDraft, type LabelDraft } from './label-draft.ts';

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
