import { posix } from 'node:path';
import { maskBox, maskToBitmap } from '../../../preload/geometry/mask-runs.ts';
import { cornersOf } from '../kit/corner-box.ts';
import { withoutExtension } from '../kit/dataset-items.ts';
import { carries } from '../kit/define-format.ts';
import { extraFields, pairsOf } from '../kit/extra-fields.ts';
import { visibleShapes, writeImageFiles } from '../kit/image-files/write-image-files.ts';
import { createLossNotes, type LossNotes } from '../kit/dropped-details.ts';
import { encodePng } from '../kit/mask-files/png-writer.ts';
import { shapeMask } from '../kit/mask-files/shape-mask.ts';
import type { DestinationFile, ExportOptions } from '../kit/plugin.ts';
import type { FormatReport } from '../kit/report.ts';
import type { Attribute, Frame, ImageSize, LabeledShape, Tag, TaskData } from '../kit/task-data.ts';

/** A shape in the labelme family of formats, without its label and attributes. */
interface WrittenOutline {
  readonly shape_type: string;
  readonly points: readonly (readonly [number, number])[];
  /** PNG in base64, of the box between the two points. */
  readonly mask?: string;
}

const rotationRule = 'A circle has no rotation.';
/** Ellipses whose radii differ by less are circles: coordinates are rounded. */
const sameRadius = 1e-6;

function maskOutline(mask: readonly number[]): WrittenOutline {
  const { left, top, right, bottom } = maskBox(mask);
  const { bitmap, width, height } = maskToBitmap(mask);
  const image = encodePng({ kind: 'bits', width, height, pixels: bitmap });
  const points = [[left, top] as const, [right, bottom] as const];
  return { shape_type: 'mask', points, mask: image.toString('base64') };
}

function circleOutline({ points: [x = 0, y = 0, right = 0, top = 0] }: LabeledShape): WrittenOutline | undefined {
  const isRound = Math.abs(Math.abs(right - x) - Math.abs(y - top)) <= sameRadius;
  if (!isRound) return undefined;
  return {
    shape_type: 'circle',
    points: [
      [x, y],
      [right, y],
    ],
  };
}

/** Creates a writer of outlines. It returns null, with a report, if the format cannot hold the shape. */
function createOutlineWriter(
  report: FormatReport,
  format: string,
): (shape: LabeledShape, size: ImageSize) => WrittenOutline | null {
  const lose = (shape: LabeledShape, rule: string): null => {
    report.dropped(shape.type, shape.label, rule);
    return null;
  };

  const ellipseOutline = (shape: LabeledShape, size: ImageSize): WrittenOutline | null => {
    const circle = circleOutline(shape);
    if (circle) {
      if ((shape.rotation ?? 0) % 360 !== 0) lose(shape, rotationRule);
      report.included('ellipse', shape.label);
      return circle;
    }
    if (!(size.width > 0 && size.height > 0))
      return lose(shape, 'The size of the image is not known, and a mask cannot be written without it.');
    const mask = shapeMask(shape, size);
    if (!mask) return lose(shape, 'It has no pixel in the image.');
    lose(shape, `${format} has circles, but no other ellipses: written as a mask.`);
    return maskOutline(mask);
  };

  const outlineOf = (shape: LabeledShape): WrittenOutline | null => {
    const { type, points, rotation = 0 } = shape;
    const pairs = pairsOf(points);
    switch (type) {
      case 'rectangle':
        return rotation % 360 === 0
          ? { shape_type: 'rectangle', points: pairs }
          : { shape_type: 'oriented_rectangle', points: pairsOf(cornersOf(shape)) };
      case 'polygon':
        return { shape_type: 'polygon', points: pairs };
      case 'polyline':
        return { shape_type: pairs.length === 2 ? 'line' : 'linestrip', points: pairs };
      case 'points':
        return { shape_type: pairs.length === 1 ? 'point' : 'points', points: pairs };
      case 'mask':
        return maskOutline(points);
      default:
        return null;
    }
  };

  return (shape, size) => {
    if (!shape.points.every(Number.isFinite)) return lose(shape, 'Its coordinates are not finite numbers.');
    if (shape.type === 'ellipse') return ellipseOutline(shape, size);
    const outline = outlineOf(shape);
    if (!outline) return lose(shape, `${format} has no ${shape.type}s.`);
    report.included(shape.type, shape.label);
    return outline;
  };
}

/** Members for the details of a shape: `name` as separate members, the rest in `attributes`. */
export function detailMembers(
  shape: LabeledShape,
  isOwn: (attribute: Attribute) => boolean,
): { readonly own: ReadonlyMap<string, string>; readonly members: Record<string, unknown> } {
  const others = shape.attributes.filter((attribute) => !isOwn(attribute));
  return {
    own: new Map(shape.attributes.filter(isOwn).map(({ name, value }) => [name, value])),
    members: {
      attributes: others.length === 0 ? undefined : Object.fromEntries(others.map(({ name, value }) => [name, value])),
      ...extraFields(shape),
    },
  };
}

export const labelMeSupport = carries({
  both: ['rectangle', 'rotated rectangle', 'polygon', 'polyline', 'points', 'mask', 'tag', 'track', 'attribute'],
  converted: ['ellipse'],
});

/** Differences between labelme and programs with the same file format. */
export interface LabelMeDialect {
  readonly format: string;
  readonly version: string;
  /** Members of the shape, in the order and types of the program. */
  shape(shape: LabeledShape, outline: WrittenOutline): Record<string, unknown>;
  /** Additional members of the document. */
  readonly document?: Readonly<Record<string, unknown>>;
}

function writeTags(tags: readonly Tag[], report: FormatReport, format: string, notes: LossNotes): Record<string, true> {
  const flags = new Map<string, true>();
  for (const tag of tags) {
    if (flags.has(tag.label)) {
      report.dropped('tag', tag.label, `${format} has each label only once per image.`);
      continue;
    }
    notes.tag(tag);
    report.included('tag', tag.label);
    flags.set(tag.label, true);
  }
  return Object.fromEntries(flags);
}

/** Writes one JSON file beside each image: `<subset>/<path>.json`. */
export async function exportLabelMeFiles(
  dialect: LabelMeDialect,
  file_object: DestinationFile,
  task_data: TaskData,
  options: ExportOptions,
): Promise<void> {
  const { report } = options;
  const { format } = dialect;
  const writeOutline = createOutlineWriter(report, format);
  const tagNotes = createLossNotes(report, format, {});
  for (const { label, shapes } of task_data.tracks) {
    if (shapes.some(({ type }) => type === 'mask'))
      report.dropped('track', label, 'Tracks of masks are imported as single shapes.');
  }

  const shapesOf = (frame: Frame): Record<string, unknown>[] =>
    visibleShapes(frame.labeled_shapes).flatMap((shape) => {
      const outline = writeOutline(shape, frame);
      return outline ? [dialect.shape(shape, outline)] : [];
    });

  const layout = {
    format,
    filePath: ({ subset }: { readonly subset: string }, image: string) => `${subset}/${withoutExtension(image)}.json`,
    imagePath: (subset: string, image: string) => `${subset}/${image}`,
  };
  await writeImageFiles(file_object, task_data, options, layout, ({ frame }, image) => {
    const document = {
      version: dialect.version,
      flags: writeTags(frame.tags, report, format, tagNotes),
      shapes: shapesOf(frame),
      imagePath: posix.basename(image),
      imageData: null,
      imageHeight: frame.height,
      imageWidth: frame.width,
      ...dialect.document,
    };
    return `${JSON.stringify(document)}\n`;
  });
}

function isTruth({ value }: Attribute): boolean {
  return value === 'true' || value === 'false';
}

export const labelMeDialect = (task_data: TaskData): LabelMeDialect => {
  const isFlag = (label: string, name: string): boolean =>
    task_data.label(label)?.attributes.some((one) => one.name === name && one.input_type === 'checkbox') ?? false;
  return {
    format: 'labelme JSON',
    version: '5.5.0',
    shape(shape, { shape_type, points, mask }) {
      const { own, members } = detailMembers(
        shape,
        (one) => one.name === 'description' || (isTruth(one) && isFlag(shape.label, one.name)),
      );
      const flags = [...own].filter(([name]) => name !== 'description');
      return {
        label: shape.label,
        points,
        group_id: shape.group === 0 ? null : shape.group,
        description: own.get('description') ?? '',
        shape_type,
        flags: Object.fromEntries(flags.map(([name, value]) => [name, value === 'true'])),
        mask: mask ?? null,
        ...members,
      };
    },
  };
};
