import { vocColor } from '../../../preload/contract/colors.ts';
import type { PaintedFrame } from '../kit/mask-files/frame-painter.ts';
import { backgroundName, type LabelColor } from '../kit/mask-files/label-colors.ts';
import { mapInstances } from '../kit/mask-files/painted-labels.ts';
import { encodePainted } from '../kit/mask-files/png-writer.ts';

/**
 * The image of classes in the labels' colours, and the image of objects in VOC's: with palettes whose numbers are the
 * labels' and the objects' own, as long as these have room for them.
 */
export function writeMaskImages(
  painted: PaintedFrame,
  labels: readonly LabelColor[],
  numberOf: (label: string) => number,
): { readonly classes: Buffer; readonly objects: Buffer } {
  const { instances } = painted;
  let objects = 0;
  const objectNumbers = instances.map(({ leader }) => (leader.label === backgroundName ? 0 : (objects += 1)));
  const classes = mapInstances(painted, ({ leader }) => numberOf(leader.label));
  return {
    classes: encodePainted(painted, classes, (index) => labels[index]?.color ?? [0, 0, 0], labels.length),
    objects: encodePainted(
      painted,
      mapInstances(painted, (_, place) => objectNumbers[place] ?? 0),
      vocColor,
      objects + 1,
    ),
  };
}
