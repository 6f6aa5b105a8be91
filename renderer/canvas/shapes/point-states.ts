import type { ElementRecord, RecordPatch, ShapeRecord } from '../types.ts';

/** States of a skeleton's point; COCO encodes them as 2, 1 and 0. */
export const pointStates = ['visible', 'occluded', 'outside'] as const;
export type PointState = (typeof pointStates)[number];

export const pointStateOf = ({ occluded, outside }: Pick<ElementRecord, 'occluded' | 'outside'>): PointState =>
  outside ? 'outside' : occluded ? 'occluded' : 'visible';

const withState = (element: ElementRecord, state: PointState): ElementRecord => ({
  ...element,
  occluded: state === 'occluded',
  outside: state === 'outside',
});

/** Sets the state of a skeleton's point; its current state toggles back to visible. */
export function pointPatch(shape: ShapeRecord, index: number, state: PointState): RecordPatch {
  const elements = (shape.elements ?? []).map((element, at) =>
    at === index ? withState(element, pointStateOf(element) === state ? 'visible' : state) : element,
  );
  return { elements, ...(elements[index]?.outside === false ? { outside: false } : {}) };
}

export const allVisible = (shape: ShapeRecord): RecordPatch => ({
  occluded: false,
  outside: false,
  ...(shape.elements === undefined ? {} : { elements: shape.elements.map((one) => withState(one, 'visible')) }),
});

/** A skeleton is occluded if all its points are that are not outside, as in CVAT. */
export function occludedTogether({ elements }: ShapeRecord, patch: RecordPatch): RecordPatch {
  if (elements === undefined) return {};
  if (patch.elements !== undefined) {
    const seen = patch.elements.filter(({ outside }) => !outside);
    return { occluded: seen.length > 0 && seen.every(({ occluded }) => occluded) };
  }
  const { occluded } = patch;
  if (occluded === undefined) return {};
  return { elements: elements.map((element) => (element.outside ? element : { ...element, occluded })) };
}
