import type {
  LabeledData,
  Shape,
  SubShape,
  Track,
  TrackedShape,
} from '../../../preload/contract/schema/annotations.ts';
import type { Label } from '../../../preload/contract/schema/labels.ts';
import { takesNumbers } from '../../../preload/contract/annotation-names.ts';
import { lacksPoints, misfit } from '../../../preload/contract/label-fit.ts';
import { maskProblem } from '../../../preload/geometry/mask-runs.ts';
import { AppError, invalidField } from '../../platform/errors.ts';

export interface LabelIndex {
  readonly labels: ReadonlyMap<number, Label | Label['sublabels'][number]>;
  readonly attributes: ReadonlyMap<number, number>;
}

export function indexLabels(labels: readonly Label[]): LabelIndex {
  const byId = new Map<number, Label | Label['sublabels'][number]>();
  const attributes = new Map<number, number>();
  for (const label of labels) {
    for (const one of [label, ...label.sublabels]) {
      byId.set(one.id, one);
      for (const attribute of one.attributes) attributes.set(attribute.id, one.id);
    }
  }
  return { labels: byId, attributes };
}

export function checkPoints({ type, points }: Pick<SubShape, 'type' | 'points'>): void {
  if (!points.every(Number.isFinite)) throw invalidField('points', 'Coordinates must be finite numbers.');
  if (!takesNumbers(type, points.length)) throw invalidField('points', `invalid length for shape type '${type}'`);
  const problem = type === 'mask' ? maskProblem(points) : null;
  if (problem !== null) throw invalidField('points', problem);
}

function checkShape(shape: Shape): void {
  checkPoints(shape);
  if (shape.type === 'skeleton' && shape.elements.length === 0) {
    throw invalidField('elements', 'at least one required for skeleton shape');
  }
  if (shape.type !== 'skeleton' && shape.elements.length > 0) {
    throw invalidField('elements', `not allowed for shape type '${shape.type}'`);
  }
  for (const element of shape.elements) checkPoints(element);
}

function checkTrackedShapes(shapes: readonly TrackedShape[]): void {
  for (const shape of shapes) checkPoints(shape);
}

function checkTrack(track: Track): void {
  if (track.shapes.length === 0) throw invalidField('shapes', 'A track needs at least one shape.');
  checkTrackedShapes(track.shapes);
  for (const element of track.elements) checkTrackedShapes(element.shapes);
}

function checkReferences(
  item: { label_id: number; attributes: readonly { spec_id: number }[] },
  index: LabelIndex,
): void {
  if (!index.labels.has(item.label_id)) {
    throw new AppError('invalid', `Unknown label id ${item.label_id}.`, [
      `label_id ${item.label_id} does not belong to this task`,
    ]);
  }
  for (const attribute of item.attributes) {
    if (index.attributes.get(attribute.spec_id) !== item.label_id) {
      throw new AppError('invalid', `Unknown attribute id ${attribute.spec_id}.`, [
        `spec_id ${attribute.spec_id} does not belong to label ${item.label_id}`,
      ]);
    }
  }
}

/** Like in CVAT, an object may have a label of another type. A skeleton cannot, because its label defines its points. */
function checkPointLabels(labelId: number, type: Label['type'], { labels }: LabelIndex): void {
  const label = labels.get(labelId);
  if (label && lacksPoints(label.type, type)) throw invalidField('label_id', misfit(label, type));
}

/** Checks everything before the first write, so that a refused save changes nothing. */
export function checkAnnotations(data: LabeledData, index: LabelIndex): void {
  for (const tag of data.tags) checkReferences(tag, index);
  for (const shape of data.shapes) {
    checkShape(shape);
    for (const item of [shape, ...shape.elements]) {
      checkReferences(item, index);
      checkPointLabels(item.label_id, item.type, index);
    }
  }
  for (const track of data.tracks) {
    checkTrack(track);
    for (const item of [track, ...track.elements]) {
      checkReferences(item, index);
      for (const shape of item.shapes) checkPointLabels(item.label_id, shape.type, index);
    }
    for (const shape of track.shapes)
      checkReferences({ label_id: track.label_id, attributes: shape.attributes }, index);
  }
  if (data.intervals.length > 0) {
    throw new AppError('invalid', 'Intervals belong to audio tasks; this task has images.', {
      intervals: ['Intervals are only allowed in audio tasks.'],
    });
  }
}

export function checkIds(data: LabeledData, wanted: 'absent' | 'present'): void {
  for (const kind of ['tags', 'shapes', 'tracks'] as const) {
    for (const item of data[kind]) {
      if ((item.id === undefined) !== (wanted === 'absent')) {
        throw invalidField('id', wanted === 'absent' ? 'must be absent' : 'must be present');
      }
    }
  }
}

export interface FrameBounds {
  readonly firstFrame: number;
  readonly lastFrame: number;
  /** The frames in between, if not all of them belong to the job. */
  readonly included: readonly number[] | null;
}

/** Requires all frames to be in the job. An outside frame is a caller's error and is not dropped silently. */
export function checkFrames(data: LabeledData, { firstFrame: first, lastFrame: last, included }: FrameBounds): void {
  const numbers = included && new Set(included);
  const checkRange = (frame: number) => {
    if (frame < first || frame > last) {
      throw invalidField('frame', `Frame ${frame} is outside the job's range ${first}–${last}.`);
    }
  };
  const check = (frame: number) => {
    checkRange(frame);
    if (numbers && !numbers.has(frame)) throw invalidField('frame', `Frame ${frame} is not one of the job's frames.`);
  };
  for (const tag of data.tags) check(tag.frame);
  for (const shape of data.shapes) check(shape.frame);
  // A track may span frames that the job does not have.
  for (const track of data.tracks) checkRange(track.frame);
}
