import { eachFile, notOfFormat } from '../../kit/dataset-files.ts';
import { type DatasetReader, defineFormat } from '../../kit/define-format.ts';
import { colorTolerance } from '../../kit/mask-files/label-colors.ts';
import { createPaintedExporter, paintedSupport } from '../../kit/mask-files/painted-exporter.ts';
import { detectSegmentationMask } from '../index.ts';
import { findLabelmap, labelmapFile, writeLabelmap } from '../labelmap.ts';
import { declareListed, openVoc } from '../layout.ts';
import { createMaskReader, writeMaskImages } from '../masks.ts';

const format = 'Segmentation mask';

/** Imports only the segmentation images of a VOC dataset. */
const importSegmentationMask: DatasetReader = async (source, task_data, options) => {
  const layout = await openVoc(source);
  const hasLists = layout.source.entries.some(({ path }) => path.startsWith('ImageSets/Segmentation/'));
  if (layout.classMasks.size === 0 && layout.objectMasks.size === 0 && !hasLists) {
    throw notOfFormat(source, format, 'it has no images in a folder SegmentationClass');
  }
  const labelmap = await findLabelmap(layout.source, options.report);
  for (const { name } of labelmap ?? []) if (name !== 'background') task_data.declare_label?.({ name });
  const masks = createMaskReader(layout, labelmap, task_data, options);
  const stems = new Set([...layout.classMasks.keys(), ...layout.objectMasks.keys()]);
  await eachFile([...stems], task_data, options, (stem) => masks.read(stem));
  declareListed(layout, task_data);
  masks.finish();
};

/** Writes only the masks of PASCAL VOC: every shape with an area, in label colors and in object colors. */
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
      // The list identifies the format, so it is written even if nothing could be painted.
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
