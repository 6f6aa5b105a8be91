import { boxProblem, createCarrier } from '../kit/carried.ts';
import { writeItemArchive } from '../kit/item-archive.ts';
import { createLossNotes } from '../kit/lost-details.ts';
import type { Exporter } from '../kit/plugin.ts';
import { categories, writeVisDroneRow } from './rows.ts';

const format = 'VisDrone';

/** `<subset>/annotations/<image>.txt`, images in `<subset>/images`. */
export const exportVisDrone: Exporter = async (file_object, task_data, options) => {
  const { report } = options;
  const attributes = new Set(['truncated', 'ignored']);
  const notes = createLossNotes(report, format, { attributes, occluded: true, score: true });
  notes.tracks(task_data);
  const carrier = createCarrier(report, notes);
  await writeItemArchive(file_object, task_data, options, {
    format,
    async addItem({ frame, subset, stem, image }, { text }) {
      for (const { label } of frame.tags) report.lost('tag', label, `${format} has boxes only.`);
      const rows = carrier.shapes(frame.labeled_shapes, (shape) => {
        if (!categories.includes(shape.label))
          return `${format} has twelve labels of its own, such as ${categories.slice(3, 6).join(', ')}, and no others.`;
        return boxProblem(shape, format);
      });
      for (const { label, points } of rows)
        if (!points.every(Number.isInteger))
          report.lost('rectangle', label, `${format} has whole pixels: corners between them were rounded.`);
      await text(`${subset}/annotations/${stem}.txt`, rows.map(writeVisDroneRow).join(''));
      return [`${subset}/images/${image}`];
    },
  });
};
