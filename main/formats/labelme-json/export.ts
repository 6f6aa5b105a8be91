import { posix } from 'node:path';
import { withoutExtension } from '../kit/dataset-items.ts';
import { visibleShapes, writeImageFiles } from '../kit/image-files/write-image-files.ts';
import { createLossNotes, type LossNotes } from '../kit/lost-details.ts';
import { carries } from '../kit/define-format.ts';
import type { DestinationFile, ExportOptions } from '../kit/plugin.ts';
import type { FormatReport } from '../kit/report.ts';
import type { Attribute, Frame, LabeledShape, Tag, TaskData } from '../kit/task-data.ts';
import { createOutlineWriter, detailMembers, type WrittenOutline } from './write-shape.ts';

/** What files of this family carry. */
export const labelMeSupport = carries({
  both: ['rectangle', 'rotated rectangle', 'polygon', 'polyline', 'points', 'mask', 'tag', 'track', 'attribute'],
  converted: ['ellipse'],
});

/** What differs between labelme and the programs that write as it does. */
export interface LabelMeDialect {
  readonly format: string;
  readonly version: string;
  /** The shape's members, in the program's own order and with what it expects of each. */
  shape(shape: LabeledShape, outline: WrittenOutline): Record<string, unknown>;
  /** Further members of the document. */
  readonly document?: Readonly<Record<string, unknown>>;
}

/** Tags as flags of the image. */
function writeTags(tags: readonly Tag[], report: FormatReport, format: string, notes: LossNotes): Record<string, true> {
  const flags = new Map<string, true>();
  for (const tag of tags) {
    if (flags.has(tag.label)) {
      report.lost('tag', tag.label, `${format} has each label of an image once.`);
      continue;
    }
    notes.tag(tag);
    report.carried('tag', tag.label);
    flags.set(tag.label, true);
  }
  return Object.fromEntries(flags);
}

/** One JSON for each image, beside it: `<subset>/<path>.json`. */
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
      report.lost('track', label, 'Masks do not become tracks again when the file is read.');
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
