import { createExportSteps } from '../kit/export-steps.ts';
import { createItemNames, type DatasetItem } from '../kit/dataset-items.ts';
import { imageName, writeArchive } from '../kit/frame-images.ts';
import { entryNameProblem } from '../io/entry-name.ts';
import { withSpillFiles } from '../io/spill-files.ts';
import type { ZipWriter } from '../io/zip-writer.ts';
import { createLossNotes } from '../kit/lost-details.ts';
import { createFramePainter, type PaintedFrame } from '../kit/mask-files/frame-painter.ts';
import { taskLabelColors } from '../kit/mask-files/label-colors.ts';
import { noteBackground, numbersOf } from '../kit/mask-files/painted-labels.ts';
import { booleanOption } from '../kit/option-values.ts';
import type { Exporter } from '../kit/plugin.ts';
import type { LabeledShape } from '../kit/task-data.ts';
import { labelmapFile, writeLabelmap } from './labelmap.ts';
import { writeHead, writeObject } from './write-annotation.ts';
import { writeMaskImages } from './masks.ts';

const format = 'PASCAL VOC';
/** Below this size deflating costs more than it saves. */
const storedBytes = 512;

function boxProblem({ points }: LabeledShape): string | undefined {
  return points.length === 4 && points.every(Number.isFinite)
    ? undefined
    : 'Its coordinates are not four finite numbers.';
}

/** Image-level labels by subset and image: every image that has one is named in the list of every label. */
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

/** Labels whose names can be part of a file's name. */
function isListable(name: string): boolean {
  return !name.includes('/') && entryNameProblem(`${name}_x.txt`) === undefined && name === name.trim();
}

/**
 * PASCAL VOC: an annotation file for each image with its boxes; images of classes and of objects for all that has an
 * area beside them; lists of images by subset, and by label for image-level labels. The option `one_based` writes
 * coordinates as the published data sets count them.
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
  const paint = createFramePainter({ report, format, paints: ({ type }) => type !== 'rectangle' });
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
      report.lost(
        'track',
        track.label,
        `${format} has tracks of boxes only: each visible frame became an object of its own.`,
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
      const problem = boxProblem(shape);
      if (problem !== undefined) {
        report.lost('rectangle', shape.label, problem);
        continue;
      }
      boxNotes.shape(shape);
      parts.push(writeObject(shape, { report, label: infos.get(shape.label), isOneBased }));
      report.carried('rectangle', shape.label);
    }
    const text = `${parts.join('')}</annotation>\n`;
    await zip.add(`Annotations/${stem}.xml`, text, { store: text.length < storedBytes });
  };

  const addTags = (item: DatasetItem): void => {
    for (const tag of item.frame.tags) {
      if (!isListable(tag.label)) {
        report.lost(
          'tag',
          tag.label,
          `${format} keeps image-level labels in a file that is called as the label, which this name does not allow.`,
        );
        continue;
      }
      maskNotes.tag(tag);
      lists.add(item, tag.label);
      report.carried('tag', tag.label);
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
