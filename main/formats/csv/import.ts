import { restoredText } from '../../platform/spreadsheet-cells.ts';
import { readHead } from '../kit/detection.ts';
import { readImageFiles } from '../kit/image-files/read-image-files.ts';
import { csvFields, readCsv, surplusProblem, withoutDelimiterLine } from '../io/csv-rows.ts';
import { booleanOption, choiceOption } from '../kit/option-values.ts';
import type { DatasetReader } from '../kit/define-format.ts';
import type { ImportOptions } from '../kit/plugin.ts';
import { createRowAdder, createTableShared } from './add-row.ts';
import {
  type Columns,
  delimiterOf,
  headlessColumns,
  isAboutObjects,
  readColumns,
  withChosenColumns,
} from './columns.ts';
import { boxNumbers, type Row, type Table } from './read-row.ts';

const headBytes = 256 * 1024;
/** Number of rows that decide whether boxes are fractions of the image size. */
const sampledRows = 200;

function columnsOf(
  head: string,
  delimiter: string,
  options: ImportOptions,
): { columns: Columns; count: number; nameRows: number; isNormalized: boolean } {
  const first = csvFields(head.split(/\r\n|\n|\r/, 1)[0] ?? '', delimiter);
  const headless = headlessColumns(first);
  const hasNames = booleanOption(options, 'header', headless === undefined);
  const named = hasNames ? readColumns(first) : (headless?.columns ?? readColumns([]));
  const columns = withChosenColumns(
    named,
    first.map((name) => name.trim()),
    options['columns'],
  );
  return {
    columns,
    count: first.length,
    nameRows: hasNames ? 1 : 0,
    isNormalized: !hasNames && headless?.isNormalized === true,
  };
}

/** True if all box numbers are within 0 and 1 and at least one is not an integer. */
function looksNormalized(table: Table, rows: readonly Row[]): boolean {
  const numbers = rows.flatMap(({ fields }) => {
    try {
      return boxNumbers(table, fields) ?? [];
    } catch {
      return [];
    }
  });
  return numbers.length > 0 && numbers.every((value) => value >= 0 && value <= 1) && !numbers.every(Number.isInteger);
}

/** True for tables with one column per label and 1 where an image has the label. */
function isLabelTable({ columns }: Table, rows: readonly Row[]): boolean {
  return (
    !isAboutObjects(columns) &&
    columns.places.has('image') &&
    columns.others.length > 0 &&
    rows.every(({ fields }) => columns.others.every(({ place }) => /^\s*[01]?\s*$/.test(fields[place] ?? '')))
  );
}

/** Imports tables of objects from any program. `columns.ts` has the known column names. */
export const importCsv: DatasetReader = async (source, task_data, options) => {
  const { report, signal } = options;
  const coordinates = choiceOption(options, 'coordinates', ['auto', 'pixels', 'fractions']);
  const boxOrder = choiceOption(options, 'box', ['xywh', 'xyxy', 'center']);
  const statedDelimiter = options['delimiter'];
  const shared = createTableShared(task_data, options);

  const readFile = async (path: string, onProgress: (fraction: number) => void): Promise<boolean> => {
    const { text: head, delimiter: ownDelimiter } = withoutDelimiterLine(await readHead(source, path, headBytes));
    const firstLine = head.split(/\r\n|\n|\r/, 1)[0] ?? '';
    const delimiter =
      typeof statedDelimiter === 'string' && statedDelimiter !== ''
        ? statedDelimiter
        : (ownDelimiter ?? delimiterOf(firstLine));
    const { columns, count, nameRows, isNormalized } = columnsOf(head, delimiter, options);
    const hasDecimalComma = delimiter !== ',';
    // Limner's own table: its cells were escaped for spreadsheets.
    const isOwn = columns.places.has('keyframe');
    const plain: Table = { columns, isNormalized, hasDecimalComma, boxOrder, isOfLabels: false };
    let rows: ReturnType<typeof createRowAdder> | undefined;
    let isRefused = false;
    let waiting: Row[] = [];
    let left = nameRows;

    const start = (): void => {
      const isOfLabels = isLabelTable(plain, waiting);
      isRefused = !isOfLabels && !isAboutObjects(columns);
      const fractions =
        coordinates === 'auto'
          ? isNormalized || (!isOwn && looksNormalized(plain, waiting))
          : coordinates === 'fractions';
      const table = { ...plain, isNormalized: fractions, isOfLabels };
      rows = createRowAdder(table, path, task_data, options, shared);
      if (fractions && coordinates === 'auto')
        report.warn(`${path}: its boxes were read as fractions of the image. To be sure, set the option coordinates.`);
      if (!isRefused && !isOfLabels && columns.others.length > 0)
        report.warn(
          `${path}: columns that mean nothing here were left out: ${columns.others
            .slice(0, 10)
            .map(({ name }) => name)
            .join(', ')}.`,
        );
      for (const row of waiting) if (!isRefused) rows.add(row);
      waiting = [];
    };

    const sizeBytes = source.entries.find((entry) => entry.path === path)?.sizeBytes ?? 0;
    let readBytes = 0;
    const chunks = async function* (): AsyncGenerator<Buffer> {
      for await (const chunk of source.stream(path)) {
        readBytes += chunk.length;
        onProgress(sizeBytes > 0 ? Math.min(1, readBytes / sizeBytes) : 1);
        yield chunk;
      }
    };
    const onRow = (cells: readonly string[], line: number): void => {
      const fields = isOwn ? cells.map(restoredText) : cells;
      const problem = nameRows > 0 && left === 0 ? surplusProblem(fields, count) : undefined;
      if (left > 0) left -= 1;
      else if (problem !== undefined) report.invalid(path, `line ${line}`, problem);
      else if (rows) {
        if (!isRefused) rows.add({ fields, line });
      } else {
        waiting.push({ fields: [...fields], line });
        if (waiting.length >= sampledRows) start();
      }
    };
    const between = (): Promise<void> | undefined => {
      signal.throwIfAborted();
      return task_data.backpressure?.();
    };
    await readCsv(chunks(), onRow, { delimiter, between });
    if (!rows) start();
    if (isRefused) {
      report.warn(
        `${path} was left out: it has no column for the image, or none for the label or a box. Name them with the option columns.`,
      );
      return false;
    }
    rows?.finish();
    return true;
  };

  await readImageFiles(source, task_data, options, {
    isFile: (path) => /\.[ct]sv$/i.test(path),
    needs:
      'table of objects with columns for the image and the label or a box; name them with the option columns if necessary',
    read: readFile,
  });
  shared.tracks.finish();
  shared.sizes.finish();
};
