import type { JsonWriter } from '../../io/json-writer.ts';
import { createLossNotes } from '../../kit/lost-details.ts';
import type { Exporter } from '../../kit/plugin.ts';
import type { FormatReport } from '../../kit/report.ts';
import type { LabelInfo, Tag } from '../../kit/task-data.ts';
import { exportCocoFiles } from '../export-coco.ts';
import { reservedProblem, tellingSources, valueInFile } from '../write-annotation.ts';
import type { RowKind } from './rows.ts';

/** The extension of CVAT and datumaro for what a row itself has no members for. */
function writeAttributes(
  json: JsonWriter,
  { label, source }: Tag,
  attributes: Tag['attributes'],
  info: LabelInfo | undefined,
  report: FormatReport,
): void {
  const values = new Map<string, unknown>();
  if (source !== undefined && tellingSources.has(source)) values.set('source', source);
  for (const attribute of attributes) {
    const problem = reservedProblem(attribute.name);
    if (problem === undefined) values.set(attribute.name, info ? valueInFile(attribute, info) : attribute.value);
    else report.lost('attribute', label, problem);
  }
  if (values.size === 0) return;
  json.ascii(',"attributes":');
  json.value(Object.fromEntries(values));
}

/** `annotations/captions_<subset>.json`, or that of another kind: a row for each tag. */
export const rowExporter =
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
            if (problem !== undefined) return report.lost('tag', tag.label, problem);
            json.ascii(`${isFirst ? '' : ','}{"id":${nextAnnotationId()},"image_id":${imageId}`);
            isFirst = false;
            const others = kind.write(json, tag, category, report);
            writeAttributes(json, tag, others, category?.label, report);
            json.ascii('}');
            notes.tag(tag);
            report.carried('tag', tag.label);
          };
          return (frame, imageId) => {
            for (const { type, label } of frame.labeled_shapes)
              report.lost(type, label, `${format} is about whole images only.`);
            for (const tag of frame.tags) write(tag, imageId);
          };
        },
      },
    });
  };
