import { createAnnotationAdder } from '../../kit/add-annotation.ts';
import { notOfFormat } from '../../kit/dataset-files.ts';
import { type DatasetReader, defineFormat } from '../../kit/define-format.ts';
import { findFrame } from '../../kit/find-frame.ts';
import { createMaskAdder } from '../../kit/mask-files/add-masks.ts';
import { colorTolerance } from '../../kit/mask-files/color-tolerance.ts';
import { createPaintedExporter, paintedSupport } from '../../kit/mask-files/painted-exporter.ts';
import { createSizeWatch } from '../../kit/mask-files/size-watch.ts';
import { numberOption } from '../../kit/option-values.ts';
import { detectSegmentationMask } from '../index.ts';
import { maskLabels, namesOf } from '../import.ts';
import { findLabelmap, labelmapFile, writeLabelmap } from '../labelmap.ts';
import { openVoc } from '../layout.ts';
import { createMaskReader } from '../masks.ts';
import { writeMaskImages } from '../masks.ts';

const format = 'Segmentation mask';

/** Imports the segmentation images of a VOC data set, and nothing else of it. */
const importSegmentationMask: DatasetReader = async (source, task_data, options) => {
  const { report, signal, progress } = options;
  const layout = await openVoc(source);
  const hasLists = layout.source.entries.some(({ path }) => path.startsWith('ImageSets/Segmentation/'));
  if (layout.classMasks.size === 0 && layout.objectMasks.size === 0 && !hasLists) {
    throw notOfFormat(source, format, 'it has no images in a folder SegmentationClass');
  }
  const labelmap = await findLabelmap(layout.source, report);
  for (const { name } of labelmap ?? []) if (name !== 'background') task_data.declare_label?.({ name });
  const sizes = createSizeWatch(report);
  const masks = createMaskReader({
    source: layout.source,
    labels: maskLabels(labelmap, task_data),
    tolerance: numberOption(options, 'color_tolerance', { fallback: 0, minimum: 0, maximum: 255 }),
    report,
    masks: createMaskAdder(report, options.conv_mask_to_poly),
    sizes,
  });
  let done = 0;
  for (const [stem, classPath] of layout.classMasks) {
    signal.throwIfAborted();
    progress(done / layout.classMasks.size);
    done += 1;
    const frame = findFrame(task_data, namesOf(stem), layout.subsetOf(stem));
    const paths = { classPath, objectPath: layout.objectMasks.get(stem) };
    if (frame) await masks.read(paths, frame, createAnnotationAdder(task_data, report, classPath));
    else report.bad(classPath, 'the image', `image "${stem}" is not in the task: its masks were left out`);
    await task_data.backpressure?.();
  }
  for (const [stem, path] of layout.objectMasks) {
    if (!layout.classMasks.has(stem))
      report.bad(path, 'the image', 'there is no image of classes that tells the labels of its objects');
  }
  sizes.finish();
};

/** The masks of PASCAL VOC alone: all that has an area is painted, in the labels' colours and in those of objects. */
const exportSegmentationMask = createPaintedExporter({
  format: 'Segmentation mask',
  isFlat: true,
  colors: { file: labelmapFile, write: writeLabelmap },
  files: ({ labels, numberOf }) => ({
    imagePath: ({ image }) => `JPEGImages/${image}`,
    async add({ subset, stem }, painted, { spill, packed }) {
      if (!painted) return;
      const { classes, objects } = writeMaskImages(painted, labels, numberOf);
      await packed(`SegmentationClass/${stem}.png`, classes);
      await packed(`SegmentationObject/${stem}.png`, objects);
      spill.open(`ImageSets/Segmentation/${subset}.txt`).text(`${stem}\n`);
    },
    async finish({ spill }, subsets) {
      // The list is what tells the format: it stands there also where nothing could be painted.
      for (const subset of subsets) spill.open(`ImageSets/Segmentation/${subset}.txt`);
    },
  }),
});

export const segmentationMask = defineFormat({
  name: 'Segmentation mask',
  version: '1.1',
  support: paintedSupport,
  detect: detectSegmentationMask,
  importOptions: [colorTolerance],
  read: importSegmentationMask,
  write: exportSegmentationMask,
});
