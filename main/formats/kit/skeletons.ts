import { entities, type Joint } from '../../../preload/contract/skeleton-joints.ts';
import type { FileLabel, LabeledShape } from './task-data.ts';

function encodeEntities(text: string): string {
  return text.replace(/[&<>"]/g, (character) => {
    const name = Object.entries(entities).find(([, value]) => value === character)?.[0];
    return name === undefined ? character : `&${name};`;
  });
}

/** A drawing of a skeleton that only its points and lines are known of: the points stand on a circle. */
function skeletonDrawing(names: readonly string[], joints: readonly Joint[]): string {
  const center = 50;
  const radius = 40;
  const points = names.map((_, index) => {
    const angle = (2 * Math.PI * index) / names.length - Math.PI / 2;
    return [center + radius * Math.cos(angle), center + radius * Math.sin(angle)].map((value) => value.toFixed(2));
  });
  const lines = joints.flatMap(([from, to]) => {
    const [start, end] = [points[from - 1], points[to - 1]];
    if (!start || !end) return [];
    return [
      `<line x1="${start[0]}" y1="${start[1]}" x2="${end[0]}" y2="${end[1]}" stroke="black" data-type="edge" data-node-from="${from}" stroke-width="0.5" data-node-to="${to}"></line>`,
    ];
  });
  const circles = names.map(
    (name, index) =>
      `<circle r="1.5" stroke="black" fill="#b3b3b3" cx="${points[index]?.[0]}" cy="${points[index]?.[1]}" stroke-width="0.1" data-type="element node" data-element-id="${index + 1}" data-node-id="${index + 1}" data-label-name="${encodeEntities(name)}"></circle>`,
  );
  return [...lines, ...circles].join('\n');
}

/** A skeleton as a file describes it: its points' names, and the lines between them. */
export function skeletonLabel(name: string, points: readonly string[], joints: readonly Joint[]): FileLabel {
  return {
    name,
    type: 'skeleton',
    svg: skeletonDrawing(points, joints),
    sublabels: points.map((point) => ({ name: point, color: '', type: 'points', attributes: [], sublabels: [] })),
  };
}

/** Whether a track has a keyframe here: a skeleton has one where one of its points has. */
export function isKeyframe({ keyframe, elements = [] }: LabeledShape): boolean {
  return keyframe === true || elements.some((element) => element.keyframe === true);
}
