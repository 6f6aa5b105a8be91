import { measuresOfClasses, tableOf } from '../../comparison/confusion.ts';
import { countPixelClasses, summarizePixels } from '../measures/class-measures.ts';
import type { LabeledShape } from '../../formats/kit/task-data.ts';
import { rasterOf } from '../../comparison/rasters.ts';
import type { Cell, CellMeasures, CellSource } from './cells.ts';
import type { FramePlace, MeasuredView } from './measured-views.ts';

const hasArea = ({ type }: LabeledShape): boolean =>
  type === 'mask' || type === 'polygon' || type === 'rectangle' || type === 'ellipse';

/**
 * Counts pixels by label; shapes in front hide those behind. Truth pixels with an uncompared label are ignored; pixels
 * without a label count as unlabelled.
 */
export function cellsOfPixels({ truth, results, places, labels, labelOf, checkCancelled }: CellSource): CellMeasures {
  const none = labels.length;
  const cells: Cell[] = [];
  const truths = labels.map(() => 0);
  const left = { truth: 0, results: 0 };
  let count = 0;
  const maps = { truth: createLabelMap(none), results: createLabelMap(none) };
  const paint = (side: 'truth' | 'results', place: FramePlace, shapes: readonly LabeledShape[]): Uint16Array => {
    const map = maps[side].cleared(place);
    for (const shape of shapes) {
      if (shape.outside === true) continue;
      const label = labelOf(side, shape.label);
      if (!hasArea(shape) || (label === undefined && side === 'results')) {
        left[side] += 1;
        continue;
      }
      if (label === undefined) left.truth += 1;
      else if (side === 'truth') truths[label]! += 1;
      else count += 1;
      maps[side].paint(shape, place, label ?? none + 1);
    }
    return map;
  };
  // Both sides have the same frame order and are read once.
  const found = byFrame(results);
  for (const { frame, labeled_shapes: shapes } of truth.group_by_frame(true)) {
    checkCancelled();
    const place = places.get(frame);
    if (!place) continue;
    const said = found(frame);
    const counted = countPixelClasses(paint('truth', place, shapes), paint('results', place, said), none);
    for (const [row, values] of counted.entries()) {
      for (const [column, value] of values.entries()) {
        if (value === 0) continue;
        cells.push({ image: place.image, truth: row, result: column, count: value, switches: 0 });
      }
    }
  }
  const table = tableOf(
    cells.map((cell) => [cell.truth, cell.result, cell.count] as const),
    none + 1,
  );
  return {
    cells,
    measures: summarizePixels(table),
    labels: measuresOfClasses(table).map(({ iou: IoU, f1: Dice, precision, recall }) => ({
      IoU,
      Dice,
      precision,
      recall,
    })),
    truths: { ofLabels: truths, leftOut: left.truth },
    results: { count, leftOut: left.results },
  };
}

/** Shapes of a frame. Frames must be requested in ascending order. */
function byFrame(view: MeasuredView): (frame: number) => readonly LabeledShape[] {
  const frames = view.group_by_frame(false)[Symbol.iterator]();
  let current = frames.next();
  return (frame) => {
    while (current.done !== true && current.value.frame < frame) current = frames.next();
    return current.done !== true && current.value.frame === frame ? current.value.labeled_shapes : [];
  };
}

/** A label map reused for all frames; pixels are in column-major order, like run lengths. */
function createLabelMap(none: number) {
  let pixels = new Uint16Array(0);
  return {
    cleared({ width, height }: FramePlace): Uint16Array {
      if (pixels.length !== width * height) pixels = new Uint16Array(width * height);
      return pixels.fill(none);
    },
    paint(shape: LabeledShape, place: FramePlace, label: number): void {
      let at = 0;
      for (const [index, length] of rasterOf(shape, place, 'export').counts.entries()) {
        if (index % 2 === 1) pixels.fill(label, at, at + length);
        at += length;
      }
    },
  };
}
