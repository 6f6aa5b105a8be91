import type { Label } from '../../../../../preload/contract/schema/labels.ts';
import { skeletonLayout } from '../../../../../preload/geometry/skeleton-joints.ts';
import { changed } from '../../../../canvas/changes.ts';
import type { CanvasEngine } from '../../../../canvas/canvas-engine.ts';
import { boxHeight, boxOfPoints, boxWidth, growBox } from '../../../../canvas/geometry/box.ts';
import { roundCoordinate } from '../../../../canvas/geometry/point.ts';
import { allVisible } from '../../../../canvas/shapes/point-states.ts';
import type { SceneRecord, ShapeRecord } from '../../../../canvas/types.ts';
import { text } from '../../../../i18n/index.ts';
import type { AnnotateStore } from '../types.ts';

const oppositeOf: Readonly<Record<string, string>> = {
  left: 'right',
  right: 'left',
  l: 'r',
  r: 'l',
  link: 'recht',
  recht: 'link',
};
const side = /(?<!\p{L})(?:(?:left|right|l|r)(?!\p{L})|(?:link|recht)(?=(?:s|e|er|es)(?!\p{L})))/gu;

const words = (name: string): string => name.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').toLowerCase();

/**
 * For each name, the index of its left or right partner: "left_eye" and "right_eye", "lHand" and "rHand", "linkes Knie"
 * and "rechtes Knie". A name without a partner gets its own index.
 */
export function partnersByName(names: readonly string[]): number[] {
  const known = names.map(words);
  return known.map((name, index) => {
    const partner = known.indexOf(name.replace(side, (one) => oppositeOf[one] ?? one));
    return partner < 0 ? index : partner;
  });
}

/** Minimum side of the box, in image pixels, when a collapsed skeleton is reset. */
const smallestBox = 20;

function atTemplate(shape: ShapeRecord, label: Label): Partial<ShapeRecord> {
  const layout = new Map(skeletonLayout(label).map((at, index) => [label.sublabels[index]?.id, at]));
  const { elements = [], ...visible } = allVisible(shape);
  const around = boxOfPoints(elements.flatMap(({ points }) => points.slice(0, 2)));
  const isFlat = Math.min(boxWidth(around), boxHeight(around)) < 1;
  const box = isFlat ? growBox(around, smallestBox / 2) : around;
  return {
    ...visible,
    elements: elements.map((element) => {
      const at = layout.get(element.labelId);
      if (at === undefined) return element;
      const points = [box.left + at.x * boxWidth(box), box.top + at.y * boxHeight(box)].map(roundCoordinate);
      return { ...element, points };
    }),
  };
}

interface SkeletonParts {
  readonly engine: Pick<CanvasEngine, 'scene' | 'selection' | 'execute'>;
  readonly store: Pick<AnnotateStore, 'getState'>;
}

export function createSkeletonOperations({ engine, store }: SkeletonParts) {
  const labelOf = ({ labelId }: SceneRecord) => store.getState().labels.find(({ id }) => id === labelId);
  const partners = (shape: ShapeRecord): number[] => {
    const sublabels = labelOf(shape)?.sublabels ?? [];
    const nameOf = (labelId: number) => sublabels.find(({ id }) => id === labelId)?.name ?? '';
    return partnersByName((shape.elements ?? []).map((element) => nameOf(element.labelId)));
  };
  /** Selected skeletons without locked ones. */
  const selected = (): ShapeRecord[] =>
    engine.selection.ids().flatMap((id) => {
      const shape = engine.scene.getShape(id);
      return shape?.type === 'skeleton' && !shape.locked ? [shape] : [];
    });
  const change = (label: string, patch: (shape: ShapeRecord) => Partial<ShapeRecord>): void => {
    const changes = selected().map((before) => changed(before, { ...before, ...patch(before) }));
    engine.execute({ kind: 'vertex', label, changes });
  };

  return {
    canReset: () => selected().length > 0,
    canSwap: () => selected().some((shape) => partners(shape).some((partner, index) => partner !== index)),
    /** Exchanges position and state of left and right points. */
    swapSides: () =>
      change(text('editing.command.swapSides'), (shape) => {
        const { elements = [] } = shape;
        const places = partners(shape);
        return {
          elements: elements.map((element, index) => {
            const { points, occluded, outside } = elements[places[index] ?? index] ?? element;
            return { ...element, points, occluded, outside };
          }),
        };
      }),
    /** Makes all points visible and places them as in the label's template, within the skeleton's box. */
    reset: () =>
      change(text('editing.command.resetSkeleton'), (shape) => {
        const label = labelOf(shape);
        return label === undefined ? {} : atTemplate(shape, label);
      }),
  };
}
