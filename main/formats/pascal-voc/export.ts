import { entryNameProblem } from '../io/entry-name.ts';
import { withSpillFiles } from '../io/spill-files.ts';
import { escapeXmlText } from '../io/xml-writer.ts';
import type { ZipWriter } from '../io/zip-writer.ts';
import { createItemNames, type DatasetItem } from '../kit/dataset-items.ts';
import { createExportSteps } from '../kit/export-steps.ts';
import { addText, imageName, writeArchive } from '../kit/frame-images.ts';
import { boxProblem, createLossNotes, repeatedTag } from '../kit/dropped-details.ts';
import { createFramePainter, type PaintedFrame } from '../kit/mask-files/frame-painter.ts';
import { taskLabelColors } from '../kit/mask-files/label-colors.ts';
import { noteBackground, numbersOf } from '../kit/mask-files/painted-labels.ts';
import { booleanOption } from '../kit/option-values.ts';
import type { Exporter } from '../kit/plugin.ts';
import { fieldAttributes, fieldNames } from '../kit/read-attributes.ts';
import type { FormatReport } from '../kit/report.ts';
import type { Attribute, FrameInfo, LabeledShape, LabelInfo } from '../kit/task-data.ts';
import { labelmapFile, writeLabelmap } from './labelmap.ts';
import { writeMaskImages } from './masks.ts';

/** Attributes that have an element in annotation files. */
const nativeFlags = ['truncated', 'difficult'];

function leaf(depth: number, name: string, text: string): string {
  return `${'  '.repeat(depth)}<${name}>${escapeXmlText(text)}</${name}>\n`;
}

function isTrue(value: string | undefined): boolean {
  return value !== undefined && /^(true|1|yes)$/i.test(value);
}

function writeAttributes(attributes: readonly Attribute[]): string {
  if (attributes.length === 0) return '';
  const each = attributes.map(
    ({ name, value }) => `      <attribute>\n${leaf(4, 'name', name)}${leaf(4, 'value', value)}      </attribute>\n`,
  );
  return `    <attributes>\n${each.join('')}    </attributes>\n`;
}

interface ObjectOptions {
  readonly report: FormatReport;
  readonly label: LabelInfo | undefined;
  readonly isOneBased: boolean;
}

/** Writes a rectangle as an `object`. Its rotation and other data without an element are written as attributes. */
function writeObject(shape: LabeledShape, { report, label, isOneBased }: ObjectOptions): string {
  const own = new Map(shape.attributes.map(({ name, value }) => [name, value]));
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = shape.points;
  const shift = isOneBased ? 1 : 0;
  const others = shape.attributes.filter(({ name }) => {
    if (nativeFlags.includes(name) || name === 'pose') return false;
    if (!fieldNames.has(name)) return true;
    report.dropped('attribute', shape.label, `PASCAL VOC files use the attribute name "${name}" for something else.`);
    return false;
  });
  const pose = own.get('pose');
  // A flag that is not a checkbox of the label can have any text, so it is written as an attribute too.
  const texts = nativeFlags.flatMap((name) => {
    const value = own.get(name);
    const isText = label?.attributes.find((attribute) => attribute.name === name)?.input_type !== 'checkbox';
    return value !== undefined && isText && !/^(true|false)$/.test(value) ? [{ name, value }] : [];
  });
  const box = {
    xmin: Math.min(x1, x2) + shift,
    ymin: Math.min(y1, y2) + shift,
    xmax: Math.max(x1, x2),
    ymax: Math.max(y1, y2),
  };
  return [
    '  <object>\n',
    leaf(2, 'name', shape.label),
    pose === undefined ? '' : leaf(2, 'pose', pose),
    leaf(2, 'truncated', isTrue(own.get('truncated')) ? '1' : '0'),
    leaf(2, 'occluded', shape.occluded ? '1' : '0'),
    leaf(2, 'difficult', isTrue(own.get('difficult')) ? '1' : '0'),
    '    <bndbox>\n',
    ...Object.entries(box).map(([name, value]) => leaf(3, name, String(value))),
    '    </bndbox>\n',
    writeAttributes([...fieldAttributes(shape), ...texts, ...others]),
    '  </object>\n',
  ].join('');
}

function writeHead(frame: FrameInfo, fileName: string, isSegmented: boolean): string {
  const underscore = frame.name.indexOf('_');
  const hasSize = frame.width > 0 && frame.height > 0;
  return [
    '<annotation>\n',
    leaf(1, 'folder', underscore > 0 ? frame.name.slice(0, underscore) : ''),
    leaf(1, 'filename', fileName),
    '  <source>\n',
    ...['database', 'annotation', 'image'].map((name) => leaf(2, name, 'Unknown')),
    '  </source>\n',
    hasSize
      ? `  <size>\n${leaf(2, 'width', String(frame.width))}${leaf(2, 'height', String(frame.height))}    <depth></depth>\n  </size>\n`
      : '',
    leaf(1, 'segmented', isSegmented ? '1' : '0'),
  ].join('');
}

const format = 'PASCAL VOC';

/** Image labels by subset and image. Every image with a label is in the list of every label. */
function createClassLists() {
  const subsets = new Map<string, Map<string, Set<string>>>();
  return {
    add({ subset, stem }: DatasetItem, label: string): void {
      const images = subsets.get(subset) ?? new Map<string, Set<string>>();
      subsets.set(subset, images);
      const labels = images.get(stem) ?? new Set<string>();
      images.set(stem, labels);
      labels.add(label);
    },
    async addTo(zip: ZipWriter, names: readonly string[]): Promise<void> {
      for (const [subset, images] of subsets) {
        for (const name of names) {
          const lines = Array.from(images, ([stem, labels]) => `${stem} ${labels.has(name) ? ' 1' : '-1'}\n`);
          await zip.add(`ImageSets/Main/${name}_${subset}.txt`, lines.join(''));
        }
      }
    },
  };
}

/** True for labels whose names can be part of a file name. */
function isListable(name: string): boolean {
  return !name.includes('/') && entryNameProblem(`${name}_x.txt`) === undefined && name === name.trim();
}

/**
 * Writes PASCAL VOC: an annotation file per image with its boxes, class and object masks for other shapes with an area,
 * and lists of images by subset and, for image labels, by label. The option `one_based` writes coordinates from 1, as
 * in the published datasets.
 */
export const exportVoc: Exporter = async (file_object, task_data, options) => {
  const { report } = options;
  const steps = createExportSteps(task_data, options);
  const isOneBased = booleanOption(options, 'one_based', false);
  const names = createItemNames({ format, report, isFlat: true });
  const labels = taskLabelColors(task_data.meta.labels, report);
  const labelNames = task_data.meta.labels.map(({ name }) => name);
  const numbers = numbersOf(labelNames, labels);
  const infos = new Map(task_data.meta.labels.map((label) => [label.name, label]));
  const paint = createFramePainter(report, format, { paints: ({ type }) => type !== 'rectangle' });
  const boxNotes = createLossNotes(report, format, {
    attributes: true,
    occluded: true,
    z_order: true,
    score: true,
    rotation: true,
  });
  const maskNotes = createLossNotes(report, format, { group: true, z_order: true, rotation: true });
  const lists = createClassLists();
  for (const track of task_data.tracks) {
    if (track.shapes.some(({ type }) => type !== 'rectangle'))
      report.dropped(
        'track',
        track.label,
        `${format} has tracks of boxes only: each visible frame became a separate object.`,
      );
  }

  const addMasks = async (zip: ZipWriter, { stem }: DatasetItem, painted: PaintedFrame): Promise<void> => {
    noteBackground(painted, format, report);
    for (const { shapes } of painted.instances) shapes.forEach((shape) => maskNotes.shape(shape));
    const images = writeMaskImages(painted, labels, (label) => numbers.get(label) ?? 0);
    await zip.add(`SegmentationClass/${stem}.png`, images.classes, { store: true });
    await zip.add(`SegmentationObject/${stem}.png`, images.objects, { store: true });
  };

  const addAnnotation = async (zip: ZipWriter, { frame, stem }: DatasetItem, isSegmented: boolean): Promise<void> => {
    const parts = [writeHead(frame, imageName(task_data, frame), isSegmented)];
    for (const shape of frame.labeled_shapes) {
      if (shape.type !== 'rectangle') continue;
      const problem = boxProblem(shape, format);
      if (problem !== undefined) {
        report.dropped('rectangle', shape.label, problem);
        continue;
      }
      boxNotes.shape(shape);
      parts.push(writeObject(shape, { report, label: infos.get(shape.label), isOneBased }));
      report.included('rectangle', shape.label);
    }
    const text = `${parts.join('')}</annotation>\n`;
    await addText(zip, `Annotations/${stem}.xml`, text);
  };

  const addTags = (item: DatasetItem): void => {
    const { tags } = item.frame;
    for (const [place, tag] of tags.entries()) {
      const problem = isListable(tag.label)
        ? repeatedTag(tag, tags.slice(0, place))
        : `${format} stores image-level labels in a file named by the label, and this label is not a valid file name.`;
      if (problem !== undefined) {
        report.dropped('tag', tag.label, problem);
        continue;
      }
      maskNotes.tag(tag);
      lists.add(item, tag.label);
      report.included('tag', tag.label);
    }
  };

  await writeArchive(file_object.path, (zip) =>
    withSpillFiles(file_object.path, async (spill) => {
      for (const frame of steps.frames()) {
        const item = names.claim(frame);
        if (!item) continue;
        const painted = paint(frame);
        spill.open(`ImageSets/Main/${item.subset}.txt`).text(`${item.stem}\n`);
        if (painted) spill.open(`ImageSets/Segmentation/${item.subset}.txt`).text(`${item.stem}\n`);
        await spill.drain();
        await addAnnotation(zip, item, painted !== null);
        if (painted) await addMasks(zip, item, painted);
        addTags(item);
      }
      await spill.addTo(zip);
      await lists.addTo(zip, labelNames.filter(isListable));
      await zip.add(labelmapFile, writeLabelmap(labels, report));
      await steps.images(zip, (frame) => (names.isLeftOut(frame) ? null : `JPEGImages/${imageName(task_data, frame)}`));
    }),
  );
};
