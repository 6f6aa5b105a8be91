import type { Joint } from '../../../preload/geometry/skeleton-joints.ts';
import { writeSkeletonSvg } from '../../../preload/geometry/skeleton-svg-writer.ts';
import type { FileLabel, LabeledShape } from './task-data.ts';

/** SVG of a skeleton of which only points and joints are known: the points are on a circle. */
function skeletonDrawing(names: readonly string[], joints: readonly Joint[]): string {
  const center = 50;
  const radius = 40;
  const nodes = names.map((name, index) => {
    const angle = (2 * Math.PI * index) / names.length - Math.PI / 2;
    return { name, x: center + radius * Math.cos(angle), y: center + radius * Math.sin(angle) };
  });
  return writeSkeletonSvg(nodes, joints);
}

/** A skeleton label from the point names and joints of a file. */
export function skeletonLabel(name: string, points: readonly string[], joints: readonly Joint[]): FileLabel {
  return {
    name,
    type: 'skeleton',
    svg: skeletonDrawing(points, joints),
    sublabels: points.map((point) => ({ name: point, color: '', type: 'points', attributes: [], sublabels: [] })),
  };
}

/** True if the shape is a keyframe. A skeleton is one if any of its points is. */
export function isKeyframe({ keyframe, elements = [] }: LabeledShape): boolean {
  return keyframe === true || elements.some((element) => element.keyframe === true);
}
