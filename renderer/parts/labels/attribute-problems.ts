import type { TextFunction } from '../../i18n/index.ts';
import type { AttributeDraft } from './label-draft.ts';

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

export const repeated = (names: readonly string[]): string | undefined =>
  names.find((name, index) => name !== '' && names.indexOf(name) !== index);

/** What keeps the attributes of a label, or of a skeleton's point, from being saved. */
export function attributeProblems(label: string, attributes: readonly AttributeDraft[], t: TextFunction): string[] {
  const twice = repeated(attributes.map(({ name }) => name.trim()));
  return [
    ...attributes.flatMap((attribute) => problemsOf(label, attribute, t)),
    ...(twice === undefined ? [] : [t('labels.problems.attributeDuplicate', { label, name: twice })]),
  ];
}
