import { csvRow } from '../io/csv-rows.ts';
import { createPaintedExporter } from '../kit/mask-files/painted-exporter.ts';
import { mapInstances } from '../kit/mask-files/painted-labels.ts';
import { encodePainted } from '../kit/mask-files/png-writer.ts';

/** `masks/<subset>/<image>.png` with the numbers of the labels, `labelmap.csv`, and `images/<subset>/<image>`. */
export const exportImagesMasks = createPaintedExporter({
  format: 'Images and masks',
  joinsLabels: true,
  colors: {
    file: 'labelmap.csv',
    write: (labels) =>
      [csvRow(['name', 'r', 'g', 'b']), ...labels.map(({ name, color }) => csvRow([name, ...color]))].join(''),
  },
  files: ({ labels, numberOf }) => ({
    painting: { keepsGroups: true },
    imagePath: ({ subset, image }) => `images/${subset}/${image}`,
    async add({ subset, stem }, painted, { packed }) {
      if (!painted) return;
      const classes = mapInstances(painted, ({ leader }) => numberOf(leader.label));
      const colorOf = (index: number) => labels[index]?.color ?? ([0, 0, 0] as const);
      await packed(`masks/${subset}/${stem}.png`, encodePainted(painted, classes, colorOf, labels.length));
    },
  }),
});
