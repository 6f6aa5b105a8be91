import { type ReadAttributes, truthOf } from '../kit/read-attributes.ts';
import { brief } from '../kit/records.ts';
import type { Attribute, LabeledShape } from '../kit/task-data.ts';
import type { CocoAnnotation } from './fast/coco-annotation.ts';

/** Attribute for `iscrowd`, named as in CVAT. */
export const crowdName = 'is_crowd';

/** Value of the crowd attribute; undefined if the shape lacks it. */
export function crowdOf({ attributes }: Pick<LabeledShape, 'attributes'>): boolean | undefined {
  const value = attributes.find(({ name }) => name === crowdName)?.value.toLowerCase();
  return value === undefined ? undefined : value === 'true' || value === '1';
}

/** Attributes of an annotation, plus the crowd attribute if `iscrowd` is set. Calls `note` for unreadable values. */
export function readCrowd(
  { own, problems }: ReadAttributes,
  { iscrowd }: CocoAnnotation,
  note: (problem: string) => void,
): readonly Attribute[] {
  problems.forEach(note);
  // Fast path: almost no annotation is a crowd.
  if (iscrowd === 0 || iscrowd === undefined || iscrowd === null) return own;
  const isCrowd = truthOf(iscrowd);
  if (isCrowd === undefined) note(`"iscrowd" must be 0 or 1, but is ${brief(iscrowd)}.`);
  return isCrowd === true ? [...own.filter(({ name }) => name !== crowdName), { name: crowdName, value: 'true' }] : own;
}
