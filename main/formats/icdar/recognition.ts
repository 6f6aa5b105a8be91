import { createAnnotationAdder } from '../kit/add-annotation.ts';
import { labelOfAll, readDatasetFiles, readRows, someOf } from '../kit/dataset-files.ts';
import { findFrame } from '../kit/find-frame.ts';
import { isSystemFile, type Source } from '../io/source.ts';
import { writeItemArchive } from '../kit/item-archive.ts';
import { createLossNotes } from '../kit/dropped-details.ts';
import type { DatasetReader } from '../kit/define-format.ts';
import type { Exporter } from '../kit/plugin.ts';
import { icdarFileLabel, icdarLabel, noteLabel, textAttribute, textAttributes, textOf } from './text.ts';

const format = 'ICDAR Recognition';

interface WordFile {
  readonly path: string;
  readonly subset: string;
}

/** `<subset>/gt.txt` at any depth. */
export function findWordFiles(source: Source): WordFile[] {
  return source.entries.flatMap(({ path }): WordFile[] => {
    const match = /^(?:(?:.*\/)?([^/]+)\/)?gt\.txt$/.exec(path);
    return match && !isSystemFile(path) ? [{ path, subset: match[1] ?? 'default' }] : [];
  });
}

export interface WordRow {
  readonly image: string;
  readonly text: string | undefined;
}

/** Reads `image, "text"`. The text may be unquoted or missing. */
export function readWordRow(line: string): WordRow | string {
  const row = line.trimEnd();
  const opening = /, *"/.exec(row);
  const start = opening ? opening.index + opening[0].length : row.length;
  if (opening && opening.index > 0 && row.endsWith('"') && row.length > start)
    return { image: row.slice(0, opening.index), text: row.slice(start, -1) };
  const image = row.endsWith(',') ? row.slice(0, -1).trimEnd() : '';
  if (image !== '') return { image, text: undefined };
  const extension = /\.\w{2,5},/.exec(row);
  const end = extension ? extension.index + extension[0].length : 0;
  if (extension && extension.index > 0) return { image: row.slice(0, end - 1), text: row.slice(end).trim() };
  return 'a line must have an image, a comma and a text in quotes';
}

/** Reads ICDAR Recognition: the texts of word images, as tags. */
export const importIcdarRecognition: DatasetReader = async (source, task_data, options) => {
  const { report } = options;
  let label: string | undefined;
  await readDatasetFiles<WordFile>(source, task_data, options, {
    format,
    needs: 'lists of words such as train/gt.txt',
    find: () => someOf(findWordFiles(source)),
    async read({ path, subset }) {
      task_data.declare_label?.(icdarFileLabel([textAttribute]));
      const add = createAnnotationAdder(task_data, report, path);
      const takeLine = (line: string, lineNumber: number): void => {
        if (line.trim() === '') return undefined;
        const at = `line ${lineNumber}`;
        const row = readWordRow(line);
        if (typeof row === 'string') return report.invalid(path, at, row);
        const { image, text } = row;
        if (text === undefined) return undefined;
        const frame = findFrame(task_data, [image], subset, path);
        if (!frame)
          return report.invalid(path, at, `image "${image.slice(0, 200)}" is not in the task: its text was left out`);
        label ??= labelOfAll(task_data, icdarLabel, options);
        const attributes = [{ name: textAttribute, value: text }];
        return add.tag({ frame: frame.frame, label, attributes, group: 0, source: 'file' }, at);
      };
      await readRows(source, path, { task_data, options }, takeLine);
    },
  });
};

export const exportIcdarRecognition: Exporter = async (file_object, task_data, options) => {
  const { report } = options;
  const notes = createLossNotes(report, format, { attributes: textAttributes });
  notes.tracks(task_data);
  await writeItemArchive(file_object, task_data, options, {
    format,
    async addItem({ frame, subset, image }, { spill }) {
      for (const { type, label } of frame.labeled_shapes)
        report.dropped(type, label, `${format} has image-level texts only.`);
      const list = spill.open(`${subset}/gt.txt`);
      const isWritable = !/, *"|[\r\n]/.test(image) && image === image.trim();
      let rows = 0;
      for (const tag of frame.tags) {
        const text = textOf(tag, 'tag', format, report);
        if (text === undefined || !isWritable) {
          const rule = isWritable
            ? `${format} has texts only, and the tag has none.`
            : `${format} cannot store an image of this name.`;
          report.dropped('tag', tag.label, rule);
          continue;
        }
        notes.tag(tag);
        noteLabel(tag, 'tag', format, report);
        report.included('tag', tag.label);
        // Each text gets a line: other readers accept several lines per image, but not several texts per line.
        list.text(`${image}, "${text}"\n`);
        rows += 1;
      }
      if (rows === 0 && isWritable) list.text(`${image}, \n`);
      return [`${subset}/images/${image}`];
    },
  });
};
