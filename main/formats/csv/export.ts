import { boundingBox } from '../../../preload/geometry/geometry.ts';
import { maskBox } from '../../../preload/geometry/mask-runs.ts';
import { sourceFrame } from '../kit/find-frame.ts';
import { createExportSteps } from '../kit/export-steps.ts';
import { imageName, writeArchive } from '../kit/frame-images.ts';
import { visibleShapes } from '../kit/image-files/write-image-files.ts';
import { harmlessCell } from '../../platform/spreadsheet-cells.ts';
import { createByteWriter } from '../io/byte-writer.ts';
import { csvRow } from '../io/csv-rows.ts';
import type { Exporter } from '../kit/plugin.ts';
import { isKeyframe } from '../kit/skeletons.ts';
import type { Attribute, Frame, LabeledShape, Tag } from '../kit/task-data.ts';
import { attributeColumns, ownColumns } from './columns.ts';

type Cell = string | number;

function stateOf({ outside, occluded }: LabeledShape): string {
  return outside === true ? 'absent' : occluded ? 'hidden' : 'visible';
}

/** Left, top, right and bottom; empty cells for a shape without an extent. */
function boxCells(shape: LabeledShape): Cell[] {
  const { type, points } = shape;
  if (type === 'rectangle') return [...points];
  if (type === 'mask') {
    const { left, top, right, bottom } = maskBox(points);
    return [left, top, right + 1, bottom + 1];
  }
  const box = boundingBox(shape);
  return box ? [box.left, box.top, box.right, box.bottom] : ['', '', '', ''];
}

function pointsCell({ type, points, elements = [] }: LabeledShape): string {
  if (type === 'rectangle') return '';
  if (type !== 'skeleton') return points.join(' ');
  return JSON.stringify(
    elements.map((element) => [element.label, element.points[0] ?? 0, element.points[1] ?? 0, stateOf(element)]),
  );
}

function problemOf({ points, elements = [] }: LabeledShape): string | undefined {
  if (![...points, ...elements.flatMap((element) => element.points)].every(Number.isFinite))
    return 'Its coordinates are not finite numbers.';
  return elements.every(({ type, points: own }) => type === 'points' && own.length === 2)
    ? undefined
    : 'A table has single points as parts of a skeleton only.';
}

/** Writes one row per object to `annotations.csv`, and optionally `images/<subset>/<path>`. */
export const exportCsv: Exporter = async (file_object, task_data, options) => {
  const { report } = options;
  const steps = createExportSteps(task_data, options);
  const { meta } = task_data;
  const attributeNames = attributeColumns(meta.labels);
  /** Original texts of cells that a spreadsheet would run as formulas. */
  const changed = new Set<string>();
  /** Escapes formulas, because people open these tables in spreadsheets. */
  const textCell = (text: string): string => {
    const cell = harmlessCell(text);
    if (cell !== text) changed.add(text);
    return cell;
  };
  for (const { label, shapes } of task_data.tracks) {
    if (shapes.some(({ type }) => type === 'mask'))
      report.dropped('track', label, 'Tracks of masks are imported as single shapes.');
  }

  const attributeCells = (label: string, attributes: readonly Attribute[]): string[] => {
    const values = new Map(attributes.map(({ name, value }) => [name, value]));
    for (const { name, value } of attributes) {
      if (value === '')
        report.dropped(
          'attribute',
          label,
          `A table cannot distinguish an empty value of "${name}" from a missing one.`,
        );
    }
    return attributeNames.map((name) => textCell(values.get(name) ?? ''));
  };

  const placeCells = (frame: Frame): Cell[] => {
    const task = meta.tasks.find(({ id }) => id === frame.task_id) ?? meta;
    const name = textCell(imageName(task_data, frame));
    return [name, textCell(frame.subset || 'default'), sourceFrame(task, frame.frame)];
  };

  const tagRow = ({ label, attributes, group, source }: Tag, place: readonly Cell[]): string => {
    report.included('tag', label);
    const empty = ['', '', '', '', '', ''];
    return csvRow([
      ...place,
      textCell(label),
      'tag',
      ...empty,
      group || '',
      '',
      '',
      '',
      '',
      source ?? '',
      '',
      '',
      ...attributeCells(label, attributes),
    ]);
  };

  const shapeRow = (shape: LabeledShape, place: readonly Cell[]): string => {
    const { label, type, rotation = 0, group, track_id: trackId, occluded, outside, z_order, source, score } = shape;
    report.included(type, label);
    for (const element of shape.elements ?? [])
      if (element.attributes.length > 0)
        report.dropped('points', label, 'A table has no attributes of the points of a skeleton.');
    return csvRow([
      ...place,
      textCell(label),
      type,
      ...boxCells(shape),
      rotation % 360 === 0 ? '' : rotation,
      pointsCell(shape),
      group || '',
      trackId ?? '',
      occluded ? 1 : 0,
      outside === true && type !== 'skeleton' ? 1 : 0,
      z_order,
      source ?? '',
      score ?? '',
      trackId === undefined ? '' : isKeyframe(shape) ? 1 : 0,
      ...attributeCells(label, shape.attributes),
    ]);
  };

  await writeArchive(file_object.path, async (zip) => {
    const entry = await zip.beginEntry('annotations.csv');
    const out = createByteWriter(entry);
    out.text(csvRow([...ownColumns, ...attributeNames.map((name) => `attr:${name}`)]));
    for (const frame of steps.frames(task_data.group_by_frame(false))) {
      const place = placeCells(frame);
      for (const tag of frame.tags) out.text(tagRow(tag, place));
      for (const shape of visibleShapes(frame.labeled_shapes)) {
        const problem = problemOf(shape);
        if (problem === undefined) out.text(shapeRow(shape, place));
        else report.dropped(shape.type, shape.label, problem);
        if (out.isFull) await out.drain();
      }
    }
    await out.flush();
    await entry.end();
    await steps.images(zip, (frame) => `images/${frame.subset || 'default'}/${imageName(task_data, frame)}`);
  });
  if (changed.size > 0) report.warn(changedNote([...changed]));
};

function changedNote(texts: readonly string[]): string {
  const [first = ''] = texts;
  const others = texts.length === 1 ? '' : ` and ${texts.length - 1} more`;
  return (
    `${JSON.stringify(first.slice(0, 60))}${others} would be formulas in a spreadsheet, so they start with an apostrophe ` +
    'in the table. Limner removes it on import; other programs show it.'
  );
}
