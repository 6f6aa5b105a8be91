import type { LabelInfo } from '../kit/task-data.ts';

/** The columns of the tables that Limner writes; behind them comes one column for each attribute. */
export const ownColumns = [
  'image',
  'subset',
  'frame',
  'label',
  'type',
  'xmin',
  'ymin',
  'xmax',
  'ymax',
  'rotation',
  'points',
  'group',
  'track',
  'occluded',
  'outside',
  'z_order',
  'source',
  'score',
  'keyframe',
] as const;

/** Names of all attributes, each once, in the order of the labels. */
export function attributeColumns(labels: readonly LabelInfo[]): string[] {
  return [...new Set(labels.flatMap(({ attributes }) => attributes.map(({ name }) => name)))];
}
