import type { Attribute } from './schema/labels.ts';

/**
 * Whether an object of a type (a shape's, or `tag`) can carry a label. A label for anything takes all but a skeleton:
 * its points need a label that names them.
 */
export const labelTakes = (labelType: string, type: string): boolean =>
  labelType === type || (labelType === 'any' && type !== 'skeleton');

/** Whether an object is a skeleton and its label is not, so that its points have no labels. */
export const lacksPoints = (labelType: string, type: string): boolean =>
  type === 'skeleton' && labelType !== 'skeleton';

/**
 * Which label of a task can take the results of a model's label: what one of them takes the other does, too, and masks
 * and polygons become each other.
 */
export function labelsFit(modelType: string, taskType: string): boolean {
  const isOutline = (type: string): boolean => type === 'mask' || type === 'polygon';
  return (
    labelTakes(taskType, modelType) || labelTakes(modelType, taskType) || (isOutline(modelType) && isOutline(taskType))
  );
}

/** Why an object cannot carry a label. */
export function misfit(label: { readonly name: string; readonly type: string }, type: string): string {
  if (type === 'skeleton')
    return `The label "${label.name}" is no skeleton: a skeleton needs a label that has its points.`;
  return `The label "${label.name}" is for ${label.type} only, and this is a ${type}.`;
}

/** Whether an attribute can have a value. */
export function attributeTakes({ input_type: type, values }: Pick<Attribute, 'input_type' | 'values'>, value: string) {
  switch (type) {
    case 'number': {
      const [least = -Infinity, most = Infinity, step = 1] = values.map(Number);
      const number = Number(value);
      const isStep = step <= 0 || Number.isInteger(Math.round(((number - least) / step) * 1e6) / 1e6);
      return /^-?\d+(\.\d+)?$/.test(value.trim()) && number >= least && number <= most && isStep;
    }
    case 'checkbox':
      return value === 'true' || value === 'false';
    case 'select':
    case 'radio':
      return values.includes(value);
    case 'text':
      return true;
  }
}
