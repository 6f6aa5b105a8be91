import type { Attribute, LabelWrite } from '../../../preload/contract/schema/labels.ts';
import { AppError, invalidField } from '../../platform/errors.ts';
import type { AttributeFields } from '../tables/label-repository.ts';

/**
 * Skeleton drawings are displayed as images. Elements that could run scripts or load files are refused, because no
 * drawing needs them.
 */
const hostileSvg =
  /<\s*(script|foreignobject|iframe|image|use|style|a|animate|set)\b|\son\w+\s*=|javascript:|href\s*=/i;

export function checkLabel(label: LabelWrite): void {
  if (label.svg !== undefined && hostileSvg.test(label.svg)) {
    throw invalidField(
      'svg',
      `The drawing of label "${label.name ?? ''}" contains elements other than points and lines.`,
    );
  }
  if (label.sublabels && label.sublabels.length > 0 && label.type !== undefined && label.type !== 'skeleton') {
    throw invalidField('sublabels', 'Only a skeleton label has sublabels.');
  }
  checkDistinct(label.attributes ?? [], 'attribute');
  checkDistinct(label.sublabels ?? [], 'sublabel');
  for (const attribute of label.attributes ?? []) if (attribute.deleted !== true) checkAttribute(attribute);
  for (const sublabel of label.sublabels ?? []) checkLabel(sublabel);
}

interface Item {
  readonly id?: number;
  readonly name?: string;
  readonly deleted?: boolean;
}

function checkDistinct(items: readonly Item[], what: string): void {
  const ids = items.flatMap(({ id }) => id ?? []);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined) {
    throw new AppError('invalid', `The ${what} ${twice} appears twice.`, [
      `The ${what} with id ${twice} appears twice.`,
    ]);
  }
  const names = items.filter((item) => item.deleted !== true && item.name !== undefined).map((item) => item.name);
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) {
    const sentence =
      what === 'attribute'
        ? `Duplicate attribute with name '${repeated}' exists`
        : `All ${what} names must be unique; "${repeated}" appears twice.`;
    throw new AppError('invalid', `The ${what} name "${repeated}" appears twice.`, [sentence]);
  }
}

/**
 * Returns the reason why an attribute is invalid, as a sentence. A number's values are minimum, maximum and step; the
 * default must be one of a list's values.
 */
export function attributeProblem({
  input_type: inputType,
  values,
  name,
}: Pick<AttributeFields, 'input_type' | 'values' | 'name'>): string | undefined {
  if (inputType === 'number') {
    const [minimum, maximum, step] = values.map(Number);
    const good =
      values.length === 3 &&
      minimum !== undefined &&
      maximum !== undefined &&
      step !== undefined &&
      [minimum, maximum, step].every(Number.isFinite) &&
      minimum <= maximum &&
      step > 0;
    if (!good) return `The number "${name}" needs minimum, maximum and a step above 0.`;
  }
  if ((inputType === 'select' || inputType === 'radio') && values.length === 0) {
    return `The attribute "${name}" needs at least one value.`;
  }
  return undefined;
}

function checkAttribute(attribute: AttributeFields): void {
  const problem = attributeProblem(attribute);
  if (problem !== undefined) throw invalidField('attributes', problem);
}

/** Refuses changes that would make values used by annotations invalid. */
export function checkAttributeChange(existing: Attribute, wanted: AttributeFields): void {
  const what = `of the attribute "${existing.name}"`;
  const refuse = (reason: string) => invalidField('attributes', `${reason} Nothing was changed.`);
  if (wanted.input_type !== existing.input_type) throw refuse(`The input_type ${what} cannot be changed.`);
  if (wanted.mutable !== existing.mutable) throw refuse(`The field mutable ${what} cannot be changed.`);
  if (!keepsValues(existing, wanted)) {
    throw refuse(`The values ${what} can be reordered and added to, but none can be removed or changed.`);
  }
  if (wanted.default_value !== existing.default_value && !takesDefault(wanted)) {
    throw refuse(`The default value "${wanted.default_value}" ${what} is invalid: it is not one of its values.`);
  }
}

/** Annotations refer to the values of lists. The values of a text or a checkbox are only suggestions. */
function keepsValues({ input_type: inputType, values: present }: Attribute, { values }: AttributeFields): boolean {
  switch (inputType) {
    case 'text':
    case 'checkbox':
      return true;
    case 'number':
      return present.every((value, index) => values[index] === value);
    case 'select':
    case 'radio':
      return present.every((value) => values.includes(value));
  }
}

function takesDefault({ input_type: inputType, default_value: value, values }: AttributeFields): boolean {
  switch (inputType) {
    case 'checkbox':
      return value === 'true' || value === 'false';
    case 'select':
    case 'radio':
      return values.includes(value);
    case 'number': {
      const [minimum = 0, maximum = 0] = values.map(Number);
      const number = Number(value);
      return value.trim() !== '' && number >= minimum && number <= maximum;
    }
    case 'text':
      return true;
  }
}

export function checkLabels(labels: readonly LabelWrite[]): void {
  if (labels.some(({ id, deleted }) => deleted === true && id === undefined)) {
    throw invalidField('labels', 'Deleted label must have an ID');
  }
  checkDistinct(labels, 'label');
  for (const label of labels) checkLabel(label);
}
