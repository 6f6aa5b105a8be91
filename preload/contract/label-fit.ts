import type { Attribute } from './schema/labels.ts';

/**
 * True if a label can be used for an object of a type (a shape's, or `tag`). Labels of type "any" exclude skeletons,
 * because the points of a skeleton need a label that names them.
 */
export const labelTakes = (labelType: string, type: string): boolean =>
  labelType === type || (labelType === 'any' && type !== 'skeleton');

/** True for a skeleton whose label is not a skeleton label, so that its points have no labels. */
export const lacksPoints = (labelType: string, type: string): boolean =>
  type === 'skeleton' && labelType !== 'skeleton';

/**
 * True if a task's label can receive the results of a model's label: one accepts the other's type, or they are a mask
 * and a polygon, which are converted.
 */
export function labelsFit(modelType: string, taskType: string): boolean {
  const isOutline = (type: string): boolean => type === 'mask' || type === 'polygon';
  return (
    labelTakes(taskType, modelType) || labelTakes(modelType, taskType) || (isOutline(modelType) && isOutline(taskType))
  );
}

/** Labels that a model fills in unless others are chosen: those for tags, or those of any type if there are none. */
export function filledLabels<Own extends { readonly type: string }>(labels: readonly Own[]): readonly Own[] {
  const tags = labels.filter(({ type }) => type === 'tag');
  return tags.length > 0 ? tags : labels.filter(({ type }) => type === 'any');
}

/** Labels of objects whose attributes a model can fill in. */
export const objectLabels = <Own extends { readonly type: string; readonly attributes: readonly unknown[] }>(
  labels: readonly Own[],
): readonly Own[] =>
  labels.filter(({ type, attributes }) => type !== 'tag' && type !== 'interval' && attributes.length > 0);

export function misfit(label: { readonly name: string; readonly type: string }, type: string): string {
  if (type === 'skeleton')
    return `The label "${label.name}" cannot be used for a skeleton: only a skeleton label has points.`;
  return `The label "${label.name}" is only for ${label.type}, not for ${type}.`;
}

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
