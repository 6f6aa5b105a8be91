import { visibleShapes, writeImageFiles } from '../kit/image-files/write-image-files.ts';
import { createLossNotes } from '../kit/lost-details.ts';
import { oneLine } from '../kit/mask-files/label-colors.ts';
import type { Exporter } from '../kit/plugin.ts';
import type { Frame, LabeledShape } from '../kit/task-data.ts';
import { writeDotaRow } from './row.ts';

const format = 'DOTA';

/** Boxes, turned or not, as rows of four corners: `<subset>/labelTxt/<image>.txt`, images in `<subset>/images/`. */
export const exportDota: Exporter = async (file_object, task_data, options) => {
  const { report } = options;
  const notes = createLossNotes(report, format, { attributes: new Set(['difficult']), rotation: true });
  notes.tracks(task_data);

  const problemOf = ({ type, points }: LabeledShape): string | undefined => {
    if (type !== 'rectangle') return `${format} has boxes only.`;
    return points.length === 4 && points.every(Number.isFinite)
      ? undefined
      : 'Its coordinates are not four finite numbers.';
  };

  const rowsOf = (frame: Frame): string => {
    for (const { label } of frame.tags) report.lost('tag', label, `${format} has no labels for a whole image.`);
    return visibleShapes(frame.labeled_shapes)
      .map((shape) => {
        const problem = problemOf(shape);
        if (problem !== undefined) {
          report.lost(shape.type, shape.label, problem);
          return '';
        }
        notes.shape(shape);
        report.carried('rectangle', shape.label);
        return writeDotaRow(shape, oneLine(shape.label, report));
      })
      .join('');
  };

  const layout = {
    format,
    filePath: ({ subset, stem }: { readonly subset: string; readonly stem: string }) =>
      `${subset}/labelTxt/${stem}.txt`,
    imagePath: (subset: string, image: string) => `${subset}/images/${image}`,
  };
  let nested = 0;
  for (const { name } of task_data.frames) if (name.includes('/')) nested += 1;
  if (nested > 0)
    report.warn(
      `${nested} images lie in folders, and so do their labels below labelTxt: programs that look into labelTxt alone do not find them.`,
    );
  await writeImageFiles(file_object, task_data, options, layout, ({ frame }) => rowsOf(frame));
};
