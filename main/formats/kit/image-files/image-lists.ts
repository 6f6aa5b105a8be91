import type { DatasetReader } from '../define-format.ts';
import { pauseBetween } from '../dataset-files.ts';
import { readHead } from '../detection.ts';
import { type JsonElement, readJsonItems, readJsonRecord } from '../json-document.ts';
import { brief, createRecordGuard, isRecord, RecordError } from '../records.ts';
import { readCsvRecords } from '../../io/csv-rows.ts';
import { parseJson } from '../../io/json-text.ts';
import { readLines } from '../../io/text-lines.ts';
import { createDocumentAdder, type DocumentObjects, type ImageDocument } from './image-documents.ts';
import { isJsonFile, readImageFiles } from './read-image-files.ts';

export interface ImageListFormat extends DocumentObjects {
  /** Requirement of the format, for the message that rejects other datasets. */
  readonly needs: string;
  /** Key of the list in the document; undefined if the document is the list. */
  readonly key?: string;
  /** Names of the lists in files that hold a single element. */
  readonly ofOne?: { readonly lists: readonly string[] };
  /** Selects files that are tables: CSV with one row per image and members as columns. */
  readonly isTable?: (path: string) => boolean;
  /** Image data of an element; null if it is of another format. */
  readonly documentOf: (element: Readonly<Record<string, unknown>>, path: string) => ImageDocument | null;
  readonly subsetOf: (path: string, element: Readonly<Record<string, unknown>>) => string;
}

const isLineFile = (path: string): boolean => /\.(nd|)jsonl?$/i.test(path) && !isJsonFile(path);
/** Enough to detect the kind of file. */
const headBytes = 1024;
/** One line holds all objects of an image. */
const maxLineLength = 64 * 1024 * 1024;

/** Elements of an optional list member with their paths. Throws `RecordError` for a value of another type. */
export function elementsOf(value: unknown, at: string): JsonElement[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw new RecordError(at, `must be a list, but is ${brief(value)}`);
  return value.map((one: unknown, index) => ({ at: `${at}[${index}]`, value: one }));
}

/** Creates a reader of datasets whose files are lists of images: a JSON list, or one line of JSON per image. */
export const imageListReader =
  (format: ImageListFormat): DatasetReader =>
  async (source, task_data, options) => {
    const { report, signal } = options;
    const adder = createDocumentAdder(format, task_data, options);

    const read = async (path: string, onProgress: (fraction: number) => void): Promise<boolean> => {
      const waiting: (() => Promise<void>)[] = [];
      let found = 0;
      let others = 0;
      const guarded = createRecordGuard(report, path);
      const take = (value: unknown, at: string): void =>
        guarded(at, () => {
          if (!isRecord(value)) throw new RecordError('', `must be an object, but is ${brief(value)}`);
          const document = format.documentOf(value, path);
          if (!document) others += 1;
          if (!document) throw new RecordError('', 'is of another format');
          found += 1;
          adder.noteImage(value);
          waiting.push(() => adder.add(path, at, document, format.subsetOf(path, value)));
        });
      const between = async (): Promise<void> => {
        for (let next = waiting.shift(); next; next = waiting.shift()) await next();
        await pauseBetween(task_data, options)();
      };
      if (format.ofOne && (await readHead(source, path, headBytes)).trimStart().startsWith('{') && !isLineFile(path)) {
        const { values, lists, problem } = await readJsonRecord(source, path, { ...format.ofOne, report, signal });
        if (problem !== undefined) report.invalid(path, 'the JSON', problem);
        const stated = Array.from(lists, ([name, list]) => [name, list.map(({ value }) => value)] as const);
        take(Object.fromEntries([...values, ...stated]), 'the image');
        await between();
        return found > 0;
      }
      if (format.isTable?.(path)) {
        const takeRow = (row: ReadonlyMap<string, string>, line: number): void =>
          take(Object.fromEntries(row), `line ${line}`);
        const onBad = (line: number, reason: string): void => report.invalid(path, `line ${line}`, reason);
        await readCsvRecords(source.stream(path), takeRow, { between, onBad });
        return found > 0 || others === 0;
      }
      if (isLineFile(path)) {
        const takeLine = (line: string, number: number): void => {
          const text = number === 1 ? line.replace(/^\uFEFF/, '') : line;
          if (text.trim() === '') return;
          const at = `line ${number}`;
          if (text.length > maxLineLength)
            return report.invalid(path, at, 'the line has more than 64 million characters');
          try {
            take(parseJson(text), at);
          } catch (error) {
            report.invalid(path, at, error instanceof Error ? error.message : 'is not JSON');
          }
        };
        await readLines(source.stream(path), takeLine, between);
        await between();
        return found > 0 || others === 0;
      }
      const isList = await readJsonItems(source, path, { key: format.key, item: take, between, options, onProgress });
      await between();
      return isList && (found > 0 || others === 0);
    };

    const isFile = (path: string): boolean => isJsonFile(path) || isLineFile(path) || (format.isTable?.(path) ?? false);
    await readImageFiles(source, task_data, options, { isFile, needs: format.needs, read });
    adder.finish();
  };
