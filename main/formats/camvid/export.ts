import { AppError } from '../../platform/errors.ts';
import { writeLabelColors } from '../kit/mask-files/label-colors.ts';
import { labelColorsFile } from '../kit/mask-files/label-file.ts';
import { createPaintedExporter } from '../kit/mask-files/painted-exporter.ts';
import { mapInstances } from '../kit/mask-files/painted-labels.ts';
import { encodePainted } from '../kit/mask-files/png-writer.ts';

const format = 'CamVid';

function quoted(image: string, mask: string): string {
  return /\s/.test(image + mask) ? `"${image}" "${mask}"\n` : `${image} ${mask}\n`;
}

/** CamVid: an image of classes in the labels' colours for each image, and a list of both for each subset. */
export const exportCamvid = createPaintedExporter({
  format,
  joinsLabels: true,
  colors: { file: labelColorsFile, hasFields: true, write: (labels) => writeLabelColors(labels.slice(1)) },
  files: ({ labels, numberOf }) => ({
    painting: { keepsGroups: true },
    imagePath: ({ subset, image }) => `${subset}/${image}`,
    async add({ subset, stem, image }, painted, { spill, packed }) {
      if (`${subset}.txt` === labelColorsFile) {
        throw new AppError(
          'invalid',
          `${format} cannot have a subset named "${subset}": the file of colours is called so. Rename the subset and export again; nothing was exported.`,
        );
      }
      const mask = painted ? `${subset}annot/${stem}.png` : '';
      spill.open(`${subset}.txt`).text(quoted(`/${subset}/${image}`, mask));
      if (!painted) return;
      const classes = mapInstances(painted, ({ leader }) => numberOf(leader.label));
      await packed(
        mask,
        encodePainted(painted, classes, (index) => labels[index]?.color ?? [0, 0, 0], labels.length),
      );
    },
  }),
});
