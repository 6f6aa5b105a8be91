import { createPaintedExporter } from '../../kit/mask-files/painted-exporter.ts';
import { labelmapFile, writeLabelmap } from '../labelmap.ts';
import { writeMaskImages } from '../write-masks.ts';

/** The masks of PASCAL VOC alone: all that has an area is painted, in the labels' colours and in those of objects. */
export const exportSegmentationMask = createPaintedExporter({
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
