import { createExportSteps } from '../kit/export-steps.ts';
import { maskBox, visitMask } from '../../../preload/geometry/mask-runs.ts';
import { createItemNames, type DatasetItem, withoutExtension } from '../kit/dataset-items.ts';
import { addText, imageName, writeArchive } from '../kit/frame-images.ts';
import { escapeXmlText } from '../io/xml-writer.ts';
import type { ZipWriter } from '../io/zip-writer.ts';
import { createLossNotes } from '../kit/dropped-details.ts';
import { encodePng } from '../kit/mask-files/png-writer.ts';
import { shapeMask } from '../kit/mask-files/shape-mask.ts';
import type { Exporter } from '../kit/plugin.ts';
import { fieldAttributes, fieldNames } from '../kit/read-attributes.ts';
import type { Frame, ImageSize, LabeledShape, LabelInfo } from '../kit/task-data.ts';
import { writeAttributeText } from './attribute-text.ts';

const format = 'LabelMe';
/** Half-transparent mask color of the LabelMe web tool. */
const maskColor = [255, 203, 0, 153];

function leaf(name: string, text: string): string {
  return `<${name}>${escapeXmlText(text)}</${name}>`;
}

/** Two decimals, as other writers use, unless that changes the number. */
function coordinate(value: number): string {
  const short = value.toFixed(2);
  return Number(short) === value ? short : String(value);
}

interface PaintedMask {
  readonly mask: readonly number[];
  readonly image: Buffer;
}

function maskImage(mask: readonly number[], size: ImageSize): Buffer | undefined {
  const pixels = new Uint8Array(size.width * size.height * 4);
  let isEmpty = true;
  visitMask(mask, size, (row, start, end) => {
    isEmpty = false;
    for (let at = row * size.width + start, stop = row * size.width + end; at < stop; at += 1)
      pixels.set(maskColor, at * 4);
  });
  return isEmpty ? undefined : encodePng({ kind: 'rgba', ...size, pixels });
}

function pointsElement(points: readonly number[], user: string): string {
  const pairs: string[] = [];
  for (let index = 0; index + 1 < points.length; index += 2) {
    pairs.push(`<pt>${leaf('x', coordinate(points[index] ?? 0))}${leaf('y', coordinate(points[index + 1] ?? 0))}</pt>`);
  }
  return `<polygon>${pairs.join('')}${leaf('username', user)}</polygon>`;
}

/** Ids of group members; the first one of a group lists the others. */
function partsOf(shapes: readonly LabeledShape[]): ReadonlyMap<LabeledShape, string> {
  const groups = Map.groupBy(
    shapes.map((shape, id) => ({ shape, id })).filter(({ shape }) => shape.group !== 0),
    ({ shape }) => shape.group,
  );
  const parts = new Map<LabeledShape, string>();
  for (const [leader, ...others] of groups.values()) {
    if (!leader) continue;
    parts.set(leader.shape, leaf('hasparts', others.map(({ id }) => id).join(',')) + leaf('ispartof', ''));
    for (const { shape } of others) parts.set(shape, leaf('hasparts', '') + leaf('ispartof', String(leader.id)));
  }
  return parts;
}

/**
 * Writes LabelMe 3.0: an annotation file beside each image. Masks, and ellipses as masks, are separate images. The
 * first object of a group lists the others as its parts.
 */
export const exportLabelMe: Exporter = async (file_object, task_data, options) => {
  const { report } = options;
  const steps = createExportSteps(task_data, options);
  const names = createItemNames({ format, report });
  const infos = new Map(task_data.meta.labels.map((label) => [label.name, label]));
  const notes = createLossNotes(report, format, {
    attributes: true,
    occluded: true,
    group: true,
    z_order: true,
    score: true,
    rotation: true,
  });
  for (const { label, shapes } of task_data.tracks) {
    if (shapes.some(({ type }) => type === 'ellipse' || type === 'mask'))
      report.dropped(
        'track',
        label,
        `${format} has tracks of boxes and polygons only: each visible frame became a separate object.`,
      );
  }

  const lose = (shape: LabeledShape, rule: string): undefined => void report.dropped(shape.type, shape.label, rule);

  /** A mask and its image; undefined, with a report, if it has no pixel. */
  const paintedMask = (shape: LabeledShape, frame: Frame): PaintedMask | undefined => {
    if (frame.width <= 0 || frame.height <= 0)
      return lose(shape, 'The size of the image is not known, and a mask cannot be written without it.');
    const mask = shapeMask(shape, frame);
    const image = mask && maskImage(mask, frame);
    if (!image) return lose(shape, 'It has no pixel in the image.');
    if (shape.type === 'ellipse') lose(shape, `${format} has no ellipses: written as a mask.`);
    return { mask, image };
  };

  const writable = (shape: LabeledShape): boolean => {
    const { type, points } = shape;
    if (type !== 'rectangle' && type !== 'polygon' && type !== 'ellipse' && type !== 'mask')
      lose(shape, `${format} has no ${type}${type === 'points' ? '' : 's'}.`);
    else if (!points.every(Number.isFinite)) lose(shape, 'Its coordinates are not finite numbers.');
    else return true;
    return false;
  };

  const attributesOf = (shape: LabeledShape, label: LabelInfo | undefined): string => {
    const own = shape.attributes.filter(({ name }) => {
      if (fieldNames.has(name))
        report.dropped(
          'attribute',
          shape.label,
          `${format} files use the attribute name "${name}" for something else.`,
        );
      return !fieldNames.has(name) && name !== 'username';
    });
    const isNumber = (name: string): boolean =>
      label?.attributes.find((attribute) => attribute.name === name)?.input_type === 'number' || fieldNames.has(name);
    return writeAttributeText([...fieldAttributes(shape), ...own], (name) => !isNumber(name));
  };

  const outlineOf = (shape: LabeledShape, painted: PaintedMask | undefined, maskFile: string): string => {
    const user = shape.attributes.find(({ name }) => name === 'username')?.value ?? '';
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = shape.points;
    if (!painted && shape.type === 'rectangle')
      return `${leaf('type', 'bounding_box')}${pointsElement([x1, y1, x2, y1, x2, y2, x1, y2], user)}`;
    if (!painted) return pointsElement(shape.points, user);
    const { left, top, right, bottom } = maskBox(painted.mask);
    const box = { xmin: left, ymin: top, xmax: right + 1, ymax: bottom + 1 };
    const sides = Object.entries(box).map(([name, value]) => leaf(name, coordinate(value)));
    return `<segm>${leaf('mask', maskFile)}<box>${sides.join('')}</box>${leaf('username', user)}</segm>`;
  };

  const writeItem = async (zip: ZipWriter, { frame, subset, stem }: DatasetItem): Promise<void> => {
    const candidates = frame.labeled_shapes.filter(
      (shape) => !(shape.track_id !== undefined && shape.outside === true) && writable(shape),
    );
    const kept: { shape: LabeledShape; painted: PaintedMask | undefined }[] = [];
    for (const shape of candidates) {
      const isMask = shape.type === 'mask' || shape.type === 'ellipse';
      const painted = isMask ? paintedMask(shape, frame) : undefined;
      if (!isMask || painted) kept.push({ shape, painted });
    }
    const parts = partsOf(kept.map(({ shape }) => shape));
    const objects: string[] = [];
    for (const [id, { shape, painted }] of kept.entries()) {
      const maskFile = `${stem}_mask_${id}.png`;
      if (painted) await zip.add(`${subset}/Masks/${maskFile}`, painted.image, { store: true });
      notes.shape(shape);
      if (shape.type !== 'ellipse') report.included(shape.type, shape.label);
      objects.push(
        `  <object>${leaf('name', shape.label)}${leaf('deleted', '0')}${leaf('verified', '0')}` +
          `${leaf('occluded', shape.occluded ? 'yes' : 'no')}${leaf('date', '')}${leaf('id', String(id))}` +
          `<parts>${parts.get(shape) ?? leaf('hasparts', '') + leaf('ispartof', '')}</parts>` +
          `${outlineOf(shape, painted, maskFile)}${leaf('attributes', attributesOf(shape, infos.get(shape.label)))}</object>\n`,
      );
    }
    const name = imageName(task_data, frame);
    const slash = name.lastIndexOf('/');
    const text =
      `<annotation>\n  ${leaf('filename', name.slice(slash + 1))}${leaf('folder', name.slice(0, Math.max(0, slash)))}\n` +
      `  <source>${leaf('sourceImage', '')}${leaf('sourceAnnotation', '')}</source>\n` +
      `  <imagesize>${leaf('nrows', String(frame.height))}${leaf('ncols', String(frame.width))}</imagesize>\n` +
      `${objects.join('')}</annotation>\n`;
    await addText(zip, `${subset}/${withoutExtension(name)}.xml`, text);
  };

  await writeArchive(file_object.path, async (zip) => {
    for (const frame of steps.frames()) {
      for (const { label } of frame.tags) report.dropped('tag', label, `${format} has no image-level labels.`);
      const item = names.claim(frame);
      if (item) await writeItem(zip, item);
    }
    await steps.images(zip, (frame) =>
      names.isLeftOut(frame) ? null : `${frame.subset || 'default'}/${imageName(task_data, frame)}`,
    );
  });
};
