import { readCsv, csvRow } from '../io/csv-rows.ts';
import { isSystemFile, type Source } from '../io/source.ts';
import { createAnnotationAdder } from '../kit/add-annotation.ts';
import { createCarrier, createLossNotes, repeatedTag } from '../kit/dropped-details.ts';
import { pauseBetween, readDatasetFiles, someOf } from '../kit/dataset-files.ts';
import { subsetName } from '../kit/dataset-items.ts';
import { type DatasetReader, defineFormat } from '../kit/define-format.ts';
import { byHead } from '../kit/detection.ts';
import { createExportSteps } from '../kit/export-steps.ts';
import { findFrame, notInTask } from '../kit/find-frame.ts';
import { imageName, writeArchive } from '../kit/frame-images.ts';
import { subsetOfPath } from '../kit/image-files/read-image-files.ts';
import type { Exporter } from '../kit/plugin.ts';
import { walkSubsets } from '../kit/subset-walk.ts';

const format = 'Multiclass CSV';
const fileName = '_classes.csv';
const isTable = (path: string): boolean => /(^|\/)_classes\.csv$/i.test(path) && !isSystemFile(path);
const tablesOf = (source: Source): string[] =>
  source.entries.map(({ path }) => path).filter((path) => source.kind === 'file' || isTable(path));

/** Reads one table per subset: a row per image, a column of 0 and 1 per label. */
const importMulticlass: DatasetReader = (source, task_data, options) =>
  readDatasetFiles(source, task_data, options, {
    format,
    needs: `file ${fileName}`,
    find: () => someOf(tablesOf(source)),
    async read(path) {
      const { report } = options;
      const add = createAnnotationAdder(task_data, report, path);
      let labels: readonly string[] | undefined;
      const onRow = (row: readonly string[], line: number): void => {
        const [name = '', ...values] = row.map((value) => value.trim());
        const at = `line ${line}`;
        if (!labels) {
          if (name.toLowerCase() !== 'filename') report.invalid(path, at, 'the first column must be "filename"');
          labels = values;
          for (const label of values) if (label !== '') task_data.declare_label?.({ name: label });
          return;
        }
        if (values.length !== labels.length)
          return report.invalid(path, at, `a row must have ${labels.length + 1} values, but has ${row.length}`);
        const wrong = values.find((value) => value !== '0' && value !== '1' && value !== '');
        if (wrong !== undefined) return report.invalid(path, at, `${JSON.stringify(wrong)} is neither 0 nor 1`);
        const set = labels.filter((_, index) => values[index] === '1');
        if (set.length === 0) return;
        const frame = findFrame(task_data, [name], subsetOfPath(path), path);
        if (!frame) return report.invalid(path, at, notInTask(name, set.length, 'labels'));
        for (const label of set) add.tag({ frame: frame.frame, label, attributes: [], group: 0, source: 'file' }, at);
      };
      await readCsv(source.stream(path), onRow, { between: pauseBetween(task_data, options) });
    },
  });

const exportMulticlass: Exporter = async (file_object, task_data, options) => {
  const { report } = options;
  const labels = task_data.meta.labels.map(({ name }) => name);
  const steps = createExportSteps(task_data, options);
  const notes = createLossNotes(report, format, {});
  notes.tracks(task_data);
  const carrier = createCarrier(report, notes);
  await writeArchive(file_object.path, async (zip) => {
    for (const [subset, frames] of walkSubsets(task_data)) {
      const entry = await zip.beginEntry(`${subsetName({ subset }, format)}/${fileName}`);
      await entry.write(Buffer.from(csvRow(['filename', ...labels])));
      for (const frame of steps.frames(frames)) {
        for (const { type, label } of frame.labeled_shapes)
          report.dropped(type, label, `${format} has image-level labels only.`);
        const included = carrier.tags(frame.tags, (tag, all) => repeatedTag(tag, all));
        const own = new Set(included.map(({ label }) => label));
        const values = labels.map((label) => (own.has(label) ? 1 : 0));
        await entry.write(Buffer.from(csvRow([imageName(task_data, frame), ...values])));
      }
      await entry.end();
    }
    await steps.images(zip, (frame) => `${subsetName(frame, format)}/${imageName(task_data, frame)}`);
  });
};

const detectMulticlass = byHead(/_classes\.csv$/i, ({ path, text }) =>
  /^\uFEFF?filename,/i.test(text) && /\n[^\n]+?(,\s*[01])+\s*(\n|$)/.test(text)
    ? { reason: `${path} has a column of 0 and 1 for each label.`, confidence: 0.96 }
    : isTable(path) && /^\uFEFF?filename/i.test(text)
      ? { reason: `${path} has columns for labels.`, confidence: 0.9 }
      : null,
);

export const multiclassCsv = defineFormat({
  name: format,
  version: '1.0',
  support: { tag: 'both' },
  importExt: 'CSV, ZIP',
  detect: detectMulticlass,
  read: importMulticlass,
  write: exportMulticlass,
});
