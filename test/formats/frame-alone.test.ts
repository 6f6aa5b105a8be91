import { expect, it } from 'vitest';
import { createInMemoryTaskData } from '../../main/formats/kit/in-memory-task-data.ts';
import type { Frame } from '../../main/formats/kit/task-data.ts';
import { createFormatReport } from '../../main/formats/kit/report.ts';
import { builtInFormats } from '../../main/formats/registry.ts';
import { applyExportOptions } from '../../main/import-export/export-options/apply-export-options.ts';
import { readBack } from '../../main/import-export/export-preview/read-back.ts';
import { exportToZip, runImport } from './support/format-fixtures.ts';
import { readerOf, target, taskOfAll } from './support/one-of-each.ts';

const { signal } = new AbortController();
const keys = (
  objects: readonly { readonly type: string; readonly label: string; readonly points: readonly number[] }[],
) => objects.map(({ type, label, points }) => JSON.stringify([type, label, points])).toSorted();

const objectsOf = ({ labeled_shapes: shapes, tags }: Frame) => [
  ...shapes,
  ...tags.map(({ label }) => ({ type: 'tag', label, points: [] })),
];

it.each(builtInFormats.exporters.map((exporter) => [exporter.display_name, exporter] as const))(
  '%s returns the same for one frame as for all',
  async (name, exporter) => {
    const task = createInMemoryTaskData({ ...taskOfAll(exporter), labels: target.labels });
    const { path: whole } = await exportToZip(exporter, task);
    const { task: back } = await runImport(readerOf(exporter), whole, target, {
      options: { conv_mask_to_poly: false },
    });
    const arranged = applyExportOptions(task, {
      exportOptions: {},
      onlyAnnotated: false,
      report: createFormatReport(),
      copyPicture: async (image) => image,
      checkCancelled: () => undefined,
    });
    const read = new Map([...back.group_by_frame(true)].map((frame) => [frame.frame, frame]));
    let compared = 0;
    for (const frame of task.group_by_frame(false)) {
      const alone = arranged.ofFrame(frame)!;
      const { path } = await exportToZip(exporter, alone.view);
      const objects = await readBack({ path, format: name, plugin: undefined }, alone.view, { signal });
      expect(keys(objects ?? [])).toEqual(keys(objectsOf(read.get(frame.frame)!)));
      compared += objects?.length ?? 0;
    }
    expect(compared).toBeGreaterThan(0);
  },
);
