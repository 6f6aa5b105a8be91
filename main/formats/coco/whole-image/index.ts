import { AppError } from '../../../platform/errors.ts';
import type { JsonWriter } from '../../io/json-writer.ts';
import { createAnnotationAdder } from '../../kit/add-annotation.ts';
import { eachFile, labelOfAll, notOfFormat } from '../../kit/dataset-files.ts';
import { type DatasetReader, defineFormat } from '../../kit/define-format.ts';
import { createLossNotes } from '../../kit/dropped-details.ts';
import { createSizeWatch } from '../../kit/mask-files/size-watch.ts';
import type { Exporter } from '../../kit/plugin.ts';
import { readAttributes, tellingSources } from '../../kit/read-attributes.ts';
import { brief, isRecord, RecordError, reportRecord } from '../../kit/records.ts';
import type { FormatReport } from '../../kit/report.ts';
import type { LabelInfo, Tag, TaskData } from '../../kit/task-data.ts';
import { createUnreadMembers } from '../../kit/unread-members.ts';
import { oneOrNamed, readCocoFile } from '../coco-file.ts';
import type { CocoTables } from '../coco-tables.ts';
import { detectCaptions, detectLabels } from '../detect.ts';
import { exportCocoFiles } from '../export-coco.ts';
import { imageOf } from '../import-annotations.ts';
import { reservedProblem, valueInFile } from '../write-annotation.ts';
import { captionRows, labelRows, type RowKind } from './rows.ts';

interface RowReading {
  readonly kind: RowKind;
  readonly file: string;
  readonly task_data: TaskData;
  readonly report: FormatReport;
  /** Label for rows without one. */
  readonly ownLabel: () => string;
}

/** Reads the rows of a file. Each becomes a tag or is reported with its place. */
function createRowReader({ kind, file, task_data, report, ownLabel }: RowReading) {
  const add = createAnnotationAdder(task_data, report, file);
  const noteUnread = createUnreadMembers(report, new Set(['id', 'image_id', 'attributes', ...kind.members]));

  const readRow = (row: unknown, at: string, tables: CocoTables): void => {
    if (!isRecord(row)) throw new RecordError('', `must be an object, but is ${brief(row)}`);
    const image = imageOf(row, tables);
    const tag = kind.read(row, tables, ownLabel(), report);
    const frame = tables.images.frame(image);
    if (frame < 0) {
      const name = brief(tables.images.unmatched(image)?.name);
      report.dropped('tag', tag.label, 'No frame of the task matches its image.');
      return report.invalid(file, at, `no frame of the task matches ${name}; it was left out`);
    }
    noteUnread(row, tag.label);
    const { own, problems, source = 'file' } = readAttributes(row['attributes']);
    for (const problem of problems) report.dropped('attribute', tag.label, problem);
    const attributes = [...tag.attributes, ...own.filter(({ name }) => !tag.attributes.some((a) => a.name === name))];
    add.tag({ frame, label: tag.label, attributes, group: 0, source }, at);
  };

  return (rows: readonly unknown[], firstIndex: number, tables: CocoTables): void => {
    for (const [offset, row] of rows.entries()) {
      const at = `annotations[${firstIndex + offset}]`;
      try {
        readRow(row, at, tables);
      } catch (error) {
        reportRecord(report, file, at, error);
      }
    }
  };
}

/** Creates an importer for rows about images: a zip archive, a folder or one JSON file. */
const rowImporter =
  (kind: RowKind): DatasetReader =>
  async (source, task_data, options) => {
    const { format, filePrefix, tables: neededTables, ownLabel } = kind;
    const { report, signal } = options;
    const files = oneOrNamed(source, filePrefix);
    if (files.length === 0) throw notOfFormat(source, format, `it has no file annotations/${filePrefix}_<subset>.json`);
    if (ownLabel) task_data.declare_label?.(ownLabel);
    let label: string | undefined;
    const sizes = createSizeWatch(report, { files: 'images in the file', kept: 'texts and labels' });
    await eachFile(files, task_data, options, async ({ path, subset }, progress) => {
      const file = source.kind === 'file' ? source.name : path;
      const ownName = (): string => (label ??= ownLabel ? labelOfAll(task_data, ownLabel.name, options) : '');
      const readRows = createRowReader({ kind, file, task_data, report, ownLabel: ownName });
      const sections = await readCocoFile({
        source,
        path,
        file,
        context: { subset, task_data, sizes },
        neededTables,
        report,
        signal,
        progress,
        annotations: (rows, firstIndex, tables) => {
          readRows(rows, firstIndex, tables);
          return task_data.backpressure?.();
        },
      });
      const missing = (['annotations', ...neededTables] as const).filter((name) => !sections[name]);
      if (missing.length === 0) return;
      const list = missing.map((name) => `"${name}"`).join(' and ');
      if (files.length > 1) return report.warn(`${file} was left out: it has no ${list}.`);
      throw new AppError('invalid', `${file} is not a ${format} file: it has no ${list}. Nothing was imported.`);
    });
    sizes.finish();
  };

/** Writes the `attributes` extension of CVAT and Datumaro, for values without a separate member. */
function writeAttributes(
  json: JsonWriter,
  { label, source }: Tag,
  attributes: Tag['attributes'],
  info: LabelInfo | undefined,
  report: FormatReport,
): void {
  const values = new Map<string, unknown>();
  if (tellingSources.has(source)) values.set('source', source);
  for (const attribute of attributes) {
    const problem = reservedProblem(attribute.name);
    if (problem === undefined) values.set(attribute.name, info ? valueInFile(attribute, info) : attribute.value);
    else report.dropped('attribute', label, problem);
  }
  if (values.size === 0) return;
  json.ascii(',"attributes":');
  json.value(Object.fromEntries(values));
}

/** Creates an exporter for `annotations/captions_<subset>.json` or another kind: one row per tag. */
const rowExporter =
  (kind: RowKind): Exporter =>
  async (file, task_data, options) => {
    const { format, filePrefix, tables } = kind;
    const { report } = options;
    const notes = createLossNotes(report, format, { attributes: true });
    notes.tracks(task_data);
    await exportCocoFiles(file, task_data, options, {
      filePrefix,
      writesSublabels: false,
      writesCategories: tables.includes('categories'),
      rows: {
        begin(json, { categories, nextAnnotationId }) {
          let isFirst = true;
          const write = (tag: Tag, imageId: number): void => {
            const category = categories.get(tag.label);
            const problem = kind.problemOf(tag, category);
            if (problem !== undefined) return report.dropped('tag', tag.label, problem);
            json.ascii(`${isFirst ? '' : ','}{"id":${nextAnnotationId()},"image_id":${imageId}`);
            isFirst = false;
            const others = kind.write(json, tag, category, report);
            writeAttributes(json, tag, others, category?.label, report);
            json.ascii('}');
            notes.tag(tag);
            report.included('tag', tag.label);
          };
          return (frame, imageId) => {
            for (const { type, label } of frame.labeled_shapes)
              report.dropped(type, label, `${format} has image-level annotations only.`);
            for (const tag of frame.tags) write(tag, imageId);
          };
        },
      },
    });
  };

const version = '1.0';
const support = { tag: 'both', attribute: 'both' } as const;
const importExt = 'JSON, ZIP';

export const cocoCaptions = defineFormat({
  name: captionRows.format,
  version,
  support,
  importExt,
  detect: detectCaptions,
  read: rowImporter(captionRows),
  write: rowExporter(captionRows),
});

export const cocoLabels = defineFormat({
  name: labelRows.format,
  version,
  support,
  importExt,
  numbersClasses: true,
  detect: detectLabels,
  read: rowImporter(labelRows),
  write: rowExporter(labelRows),
});
