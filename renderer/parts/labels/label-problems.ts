import type { TextFunction } from '../../i18n/index.ts';
import { skeletonProblems } from './skeleton/template-problems.ts';
import type { AttributeDraft, LabelDraft } from './label-draft.ts';

const numberIsGood = (values: readonly string[]): boolean => {
  const [minimum, maximum, step] = values.map((value) => (value.trim() === '' ? Number.NaN : Number(value)));
  const finite = [minimum, maximum, step].every((value) => value !== undefined && Number.isFinite(value));
  return finite && values.length === 3 && (minimum ?? 0) <= (maximum ?? 0) && (step ?? 0) > 0;
};

const repeated = (names: readonly string[]): string | undefined =>
  names.find((name, index) => name !== '' && names.indexOf(name) !== index);

function attributeProblems(label: string, attribute: AttributeDraft, t: TextFunction): string[] {
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

/** What keeps the labels from being saved, as sentences; empty when they can be. */
export function labelProblems(labels: readonly LabelDraft[], t: TextFunction): string[] {
  const found: string[] = [];
  const names = labels.map((label) => label.name.trim());
  if (names.includes('')) found.push(t('labels.problems.noName'));
  const twice = repeated(names);
  if (twice !== undefined) found.push(t('labels.problems.duplicate', { name: twice }));
  for (const label of labels) {
    const name = label.name.trim();
    for (const attribute of label.attributes) found.push(...attributeProblems(name, attribute, t));
    const attributeTwice = repeated(label.attributes.map((attribute) => attribute.name.trim()));
    if (attributeTwice !== undefined) {
      found.push(t('labels.problems.attributeDuplicate', { label: name, name: attributeTwice }));
    }
    if (label.type === 'skeleton') found.push(...skeletonProblems(label, t));
  }
  return found;
}
