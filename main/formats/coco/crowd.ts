import { type ReadAttributes, truthOf } from '../kit/read-attributes.ts';
import { brief } from '../kit/records.ts';
import type { Attribute, LabeledShape } from '../kit/task-data.ts';
import type { CocoAnnotation } from './fast/coco-annotation.ts';

/** The attribute that stands for `iscrowd`, named as in CVAT. */
export const crowdName = 'is_crowd';

/** What the attribute of a shape says; undefined for a shape that lacks it. */
export function crowdOf({ attributes }: Pick<LabeledShape, 'attributes'>): boolean | undefined {
  const value = attributes.find(({ name }) => name === crowdName)?.value.toLowerCase();
  return value === undefined ? undefined : value === 'true' || value === '1';
}

/** Attributes of an annotation, with the crowd attribute where `iscrowd` is set. `note` gets what cannot be read. */
export function readCrowd(
  { own, problems }: ReadAttributes,
  { iscrowd }: CocoAnnotation,
  note: (problem: string) => void,
): readonly Attribute[] {
  problems.forEach(note);
  // Almost every annotation is no crowd.
  if (iscrowd === 0 || iscrowd === undefined || iscrowd === null) return own;
  const isCrowd = truthOf(iscrowd);
  if (isCrowd === undefined) note(`"iscrowd" must be 0 or 1, but is ${brief(iscrowd)}.`);
  return isCrowd === true ? [...own.filter(({ name }) => name !== crowdName), { name: crowdName, value: 'true' }] : own;
}
