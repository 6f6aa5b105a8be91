import type { DatasetReader } from '../define-format.ts';
import { pauseBetween } from '../dataset-files.ts';
import { type JsonElement, readJsonItems } from '../json-document.ts';
import { brief, isRecord } from '../records.ts';
import { readLines } from '../../io/text-lines.ts';
import { createDocumentAdder, type DocumentObjects, type ImageDocument } from './image-documents.ts';
import { isJsonFile, readImageFiles } from './read-image-files.ts';

export interface ImageListFormat extends DocumentObjects {
  /** What a data set must have, for the sentence that refuses one without it. */
  readonly needs: string;
  /** The list's name in the document; undefined where the document itself is the list. */
  readonly key?: string;
  /** What an element says of its image; null where it is of another format. */
  readonly documentOf: (element: Readonly<Record<string, unknown>>, path: string) => ImageDocument | null;
  readonly subsetOf: (path: string, element: Readonly<Record<string, unknown>>) => string;
}

const isLineFile = (path: string): boolean => /\.(nd|)jsonl?$/i.test(path) && !isJsonFile(path);
/** A line with all objects of an image. */
const maxLineLength = 64 * 1024 * 1024;

/** Elements of a member that is a list, with their paths. */
export function elementsOf(value: unknown, at: string): JsonElement[] {
  return Array.isArray(value) ? value.map((one: unknown, index) => ({ at: `${at}[${index}]`, value: one })) : [];
}

/** A reader of data sets whose files are lists of images: a JSON list, or a line of JSON for each. */
export const imageListReader =
  (format: ImageListFormat): DatasetReader =>
  async (source, task_data, options) => {
    const { report } = options;
    const adder = createDocumentAdder(format, task_data, options);

    const read = async (path: string, onProgress: (fraction: number) => void): Promise<boolean> => {
      const waiting: (() => Promise<void>)[] = [];
      let found = 0;
      let others = 0;
      const take = (value: unknown, at: string): void => {
        if (!isRecord(value)) return report.bad(path, at, `must be an object, but is ${brief(value)}`);
        const document = format.documentOf(value, path);
        if (document) {
          found += 1;
          waiting.push(() => adder.add(path, at, document, format.subsetOf(path, value)));
        } else {
          others += 1;
          report.bad(path, at, 'is of another format');
        }
      };
      const between = async (): Promise<void> => {
        for (let next = waiting.shift(); next; next = waiting.shift()) await next();
        await pauseBetween(task_data, options)();
      };
      if (isLineFile(path)) {
        const takeLine = (line: string, number: number): void => {
          const text = number === 1 ? line.replace(/^\uFEFF/, '') : line;
          if (text.trim() === '') return;
          const at = `line ${number}`;
          if (text.length > maxLineLength) return report.bad(path, at, 'the line has more than 64 million characters');
          try {
            take(JSON.parse(text), at);
          } catch (error) {
            report.bad(path, at, error instanceof Error ? error.message : 'is no JSON');
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

    const isFile = (path: string): boolean => isJsonFile(path) || isLineFile(path);
    await readImageFiles(source, task_data, options, { isFile, needs: format.needs, read });
    adder.finish();
  };
