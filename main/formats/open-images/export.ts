import { createExportSteps } from '../kit/export-steps.ts';
import { createItemNames } from '../kit/dataset-items.ts';
import { imageName, writeArchive } from '../kit/frame-images.ts';
import { csvRow } from '../io/csv-rows.ts';
import { withSpillFiles } from '../io/spill-files.ts';
import { createLossNotes } from '../kit/lost-details.ts';
import type { Exporter } from '../kit/plugin.ts';
import { classFile, hierarchyFile } from './files.ts';
import { createItemWriter, format } from './write-rows.ts';

/** The tree of classes, which has no branches: its root is called as no label is. */
function hierarchy(labels: readonly string[]): string {
  let root = 0;
  while (labels.includes(`/m/${root}`)) root += 1;
  return `${JSON.stringify({ LabelName: `/m/${root}`, Subcategory: [] }, null, 4)}\n`;
}

/**
 * Open Images: rows of image-level labels, of boxes and of masks in CSV files for each subset, and an image of one bit
 * a pixel for each mask. A mask and the box of its group belong together.
 */
export const exportOpenImages: Exporter = async (file_object, task_data, options) => {
  const { report } = options;
  const steps = createExportSteps(task_data, options);
  const names = createItemNames({ format, report });
  const labels = task_data.meta.labels.map(({ name }) => name);
  createLossNotes(report, format, {}).tracks(task_data);
  await writeArchive(file_object.path, (zip) =>
    withSpillFiles(file_object.path, async (spill) => {
      const addItem = createItemWriter(zip, spill, report);
      for (const frame of steps.frames()) {
        const item = names.claim(frame);
        if (item) await addItem(item);
      }
      await zip.add(`annotations/${classFile}`, labels.map((name) => csvRow([name, name])).join(''));
      await zip.add(`annotations/${hierarchyFile}`, hierarchy(labels));
      await spill.addTo(zip);
      await steps.images(zip, (frame) =>
        names.isLeftOut(frame) ? null : `images/${frame.subset || 'default'}/${imageName(task_data, frame)}`,
      );
    }),
  );
};
