import type { Joint } from '../../../../../preload/geometry/skeleton-joints.ts';
import { templateOfFile, type Template } from './template.ts';

type Node = readonly [name: string, x: number, y: number];

/** The figure's left is blue, its right red, the middle amber. */
const colors = { left: '#2f9bdc', right: '#e0433f', middle: '#c9a53a' };
const colorOf = (name: string): string =>
  name.startsWith('left_') ? colors.left : name.startsWith('right_') ? colors.right : colors.middle;

/** Keypoints of COCO's persons, in order; the person faces the viewer. */
const person: readonly Node[] = [
  ['nose', 50, 13],
  ['left_eye', 53, 10],
  ['right_eye', 47, 10],
  ['left_ear', 57, 12],
  ['right_ear', 43, 12],
  ['left_shoulder', 62, 26],
  ['right_shoulder', 38, 26],
  ['left_elbow', 69, 40],
  ['right_elbow', 31, 40],
  ['left_wrist', 74, 53],
  ['right_wrist', 26, 53],
  ['left_hip', 58, 54],
  ['right_hip', 42, 54],
  ['left_knee', 60, 74],
  ['right_knee', 40, 74],
  ['left_ankle', 61, 94],
  ['right_ankle', 39, 94],
];
const personJoints: readonly Joint[] = [
  [16, 14],
  [14, 12],
  [17, 15],
  [15, 13],
  [12, 13],
  [6, 12],
  [7, 13],
  [6, 7],
  [6, 8],
  [7, 9],
  [8, 10],
  [9, 11],
  [2, 3],
  [1, 2],
  [1, 3],
  [2, 4],
  [3, 5],
  [4, 6],
  [5, 7],
];

/** The wrist, and four points per finger from its root, in the order of COCO-WholeBody's hands. */
const fingers: readonly (readonly [name: string, ...places: readonly (readonly [x: number, y: number])[]])[] = [
  ['thumb', [36, 82], [25, 72], [17, 63], [10, 55]],
  ['forefinger', [36, 54], [32, 38], [30, 27], [28, 17]],
  ['middle_finger', [48, 51], [48, 33], [48, 20], [48, 9]],
  ['ring_finger', [59, 54], [62, 37], [64, 26], [66, 15]],
  ['pinky_finger', [69, 60], [76, 48], [80, 39], [84, 30]],
];
const hand: readonly Node[] = [
  ['wrist', 50, 94],
  ...fingers.flatMap(([name, ...places]) => places.map(([x, y], index): Node => [`${name}${index + 1}`, x, y])),
];
const handJoints: readonly Joint[] = fingers.flatMap((_, finger) => {
  const root = finger * 4 + 2;
  return [
    [1, root],
    [root, root + 1],
    [root + 1, root + 2],
    [root + 2, root + 3],
  ] satisfies Joint[];
});

const rounded = (value: number): number => Math.round(value * 10) / 10;

/** Points on an elliptic arc between two angles (degrees, clockwise from the right). */
function arc(count: number, [x, y, width, height]: readonly number[], from: number, to: number): [number, number][] {
  return Array.from({ length: count }, (_, index) => {
    const angle = ((from + ((to - from) * index) / (count - 1)) * Math.PI) / 180;
    return [rounded((x ?? 0) + (width ?? 0) * Math.cos(angle)), rounded((y ?? 0) + (height ?? 0) * Math.sin(angle))];
  });
}

/** Parts of a 68-point face, in order; rings end where they begin. */
const faceParts: readonly { readonly at: readonly [number, number][]; readonly isRing?: true }[] = [
  { at: arc(17, [50, 40, 42, 54], 180, 0) },
  { at: arc(5, [29, 27, 13, 9], 200, 340) },
  { at: arc(5, [71, 27, 13, 9], 200, 340) },
  {
    at: [
      [50, 33],
      [50, 41],
      [50, 49],
      [50, 56],
    ],
  },
  { at: arc(5, [50, 58, 9, 4], 170, 10) },
  { at: arc(6, [30, 36, 8, 4], 180, 480), isRing: true },
  { at: arc(6, [70, 36, 8, 4], 180, 480), isRing: true },
  { at: arc(12, [50, 74, 17, 8], 180, 510), isRing: true },
  { at: arc(8, [50, 74, 12, 3.5], 180, 495), isRing: true },
];
const face: readonly Node[] = faceParts
  .flatMap(({ at }) => at)
  .map(([x, y], index) => [String(index + 1), x, y] satisfies Node);
const faceJoints: readonly Joint[] = faceParts.flatMap(({ at, isRing }, part) => {
  const first = 1 + faceParts.slice(0, part).reduce((count, before) => count + before.at.length, 0);
  const line = at.slice(1).map((_, index): Joint => [first + index, first + index + 1]);
  return isRing === true ? [...line, [first + at.length - 1, first] satisfies Joint] : line;
});

const presets = {
  person: { nodes: person, joints: personJoints },
  hand: { nodes: hand, joints: handJoints },
  face: { nodes: face, joints: faceJoints },
  empty: { nodes: [], joints: [] },
} as const;

export type TemplatePreset = keyof typeof presets;
export const templatePresets = ['person', 'hand', 'face', 'empty'] as const satisfies readonly TemplatePreset[];

export const pointCount = (preset: TemplatePreset): number => presets[preset].nodes.length;

export function templateOfPreset(preset: TemplatePreset): Template {
  const { nodes, joints } = presets[preset];
  return templateOfFile({
    nodes: nodes.map(([name, x, y]) => ({ name, x, y, color: colorOf(name), attributes: [] })),
    joints,
  });
}
