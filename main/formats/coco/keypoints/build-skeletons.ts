import { wayOf } from '../fast/fast-codec.ts';
import { createInstanceBuilder, type CocoInstance, type InstanceBuilder } from '../coco-instances.ts';
import { crowdOf } from '../crowd.ts';
import { createLossNotes } from '../../kit/dropped-details.ts';
import { createFormatReport, type FormatReport } from '../../kit/report.ts';
import type { FrameInfo, LabeledShape, LabelInfo } from '../../kit/task-data.ts';

const format = 'COCO Keypoints';

/** x, y and state of each point in the order of the sublabels: 0 absent, 1 hidden, 2 visible. */
function keypointsOf({ elements = [] }: LabeledShape, { sublabels }: LabelInfo): number[] {
  return sublabels.flatMap(({ name }) => {
    const element = elements.find(({ label }) => label === name);
    const [x = 0, y = 0] = element?.points ?? [];
    const state = !element || element.outside === true ? 0 : element.occluded ? 1 : 2;
    return [x, y, state];
  });
}

function visibleBox(keypoints: readonly number[]): [number, number, number, number] {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let index = 0; index < keypoints.length; index += 3) {
    const [x = 0, y = 0, state] = keypoints.slice(index, index + 3);
    if (state === 0) continue;
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  }
  return left > right ? [0, 0, 0, 0] : [left, top, right, bottom];
}

/** Outline of a skeleton from its group: the polygons or mask, or else its box. */
function outlineOf(frame: FrameInfo, parts: readonly LabeledShape[]): CocoInstance | undefined {
  const found: CocoInstance[] = [];
  // The caller reports these shapes together with their skeleton.
  const builder = createInstanceBuilder(createFormatReport(), 'plain', wayOf({}));
  builder.build(frame, parts, (instance) => found.push({ ...instance, polygons: [...instance.polygons] }));
  return found.find(({ leader }) => leader.type !== 'rectangle') ?? found[0];
}

function elementProblem({ type, points }: LabeledShape): string | undefined {
  if (type !== 'points') return `${format} has points only as parts of a skeleton, and no ${type}s.`;
  return points.length === 2 ? undefined : `${format} has one point for each part of a skeleton.`;
}

/** Writes an annotation for each skeleton. Shapes of its group give it a box or outline; others are reported. */
export function createSkeletonBuilder(report: FormatReport, labels: readonly LabelInfo[]): InstanceBuilder {
  const byName = new Map(labels.map((label) => [label.name, label]));
  const notes = createLossNotes(report, format, {
    attributes: true,
    occluded: true,
    z_order: true,
    score: true,
  });

  const noteElements = ({ elements = [], label }: LabeledShape): void => {
    for (const element of elements) {
      const problem = elementProblem(element);
      if (problem !== undefined) report.dropped(element.type, label, problem);
      if (element.attributes.length > 0)
        report.dropped('attribute', label, `${format} has no attributes for the points of a skeleton.`);
    }
  };

  const instanceOf = (shape: LabeledShape, label: LabelInfo, outline: CocoInstance | undefined): CocoInstance => {
    const keypoints = keypointsOf(
      { ...shape, elements: shape.elements?.filter((one) => !elementProblem(one)) ?? [] },
      label,
    );
    const box = visibleBox(keypoints);
    const area = (box[2] - box[0]) * (box[3] - box[1]);
    const isCrowd = crowdOf(shape) ?? false;
    const own: CocoInstance = { leader: shape, polygons: [], runs: undefined, isCrowd, area, box, keypoints };
    if (!outline) return own;
    const { leader: _leader, ...rest } = outline;
    return { ...rest, leader: shape, isCrowd, keypoints };
  };

  return {
    build(frame, shapes, emit) {
      const parts = Map.groupBy(
        shapes.filter((shape) => shape.type !== 'skeleton' && shape.group !== 0),
        ({ group }) => group,
      );
      for (const shape of shapes) {
        if (shape.type !== 'skeleton') {
          const hasSkeleton =
            shape.group !== 0 && shapes.some((one) => one.type === 'skeleton' && one.group === shape.group);
          report.dropped(
            shape.type,
            shape.label,
            hasSkeleton
              ? `${format} has no separate ${shape.type}s: it became the outline of its group's skeleton.`
              : `${format} has skeletons only.`,
          );
          continue;
        }
        const label = byName.get(shape.label);
        if (!label) {
          report.dropped('skeleton', shape.label, 'The label is not in the list of labels.');
          continue;
        }
        const outline = parts.get(shape.group);
        if (outline) parts.delete(shape.group);
        notes.shape(shape);
        noteElements(shape);
        emit(instanceOf(shape, label, outline && outlineOf(frame, outline)));
        report.included('skeleton', shape.label);
      }
    },
    finish() {},
  };
}
