import { openByteInput } from '../io/byte-input.ts';
import { type JsonArrayOptions, readJsonArrays } from '../io/json-array-reader.ts';
import type { Source } from '../io/source.ts';
import type { FormatRun } from './plugin.ts';
import { faultOf } from './records.ts';
import type { FormatReport } from './report.ts';

/** Reads a JSON document of a source completely; `progress` receives the fraction that was read. */
export async function readJsonDocument(
  source: Source,
  path: string,
  { progress = () => undefined, ...handlers }: JsonArrayOptions,
): Promise<void> {
  const sizeBytes = source.entries.find((entry) => entry.path === path)?.sizeBytes ?? 0;
  const input = await openByteInput(source, path);
  try {
    await readJsonArrays(input, {
      ...handlers,
      progress: (bytes) => progress(sizeBytes > 0 ? Math.min(1, bytes / sizeBytes) : 1),
    });
    await input.finish();
  } finally {
    await input.close();
  }
}

/**
 * Like {@link readJsonDocument}, but reports invalid elements. A syntax error is reported with its place, and the
 * result is false.
 */
export async function readReportedJson(
  source: Source,
  path: string,
  { report, signal }: Pick<FormatRun, 'report' | 'signal'>,
  handlers: JsonArrayOptions,
): Promise<boolean> {
  const bad: JsonArrayOptions['bad'] = ({ key = '', index, reason }) =>
    report.invalid(path, `${key}[${index}]`, reason);
  try {
    await readJsonDocument(source, path, { bad, signal, ...handlers });
    return true;
  } catch (error) {
    report.invalid(path, 'the JSON', faultOf(error));
    return false;
  }
}

export interface JsonItemsOptions {
  /** Key of the list in the document; undefined if the document is the list. */
  readonly key: string | undefined;
  /** Receives every element with its path: `[12]` or `images[12]`. */
  readonly item: (value: unknown, at: string) => void;
  /** Awaited between batches, for slow work. */
  readonly between?: () => Promise<void> | undefined;
  readonly options: Pick<FormatRun, 'report' | 'signal'>;
  readonly onProgress: (fraction: number) => void;
}

/**
 * Reads the elements of one list in a document of any size. Invalid elements and syntax errors are reported with their
 * place. Returns false if the document has no such list, which is also reported.
 */
export async function readJsonItems(
  source: Source,
  path: string,
  { key: wanted, item, between, options, onProgress }: JsonItemsOptions,
): Promise<boolean> {
  let isFound = false;
  const isWhole = await readReportedJson(source, path, options, {
    array: (key) => {
      if (key !== wanted) return 'skip';
      isFound = true;
      return (items, firstIndex) => {
        items.forEach((value, offset) => item(value, `${key ?? ''}[${firstIndex + offset}]`));
        return between?.();
      };
    },
    progress: onProgress,
  });
  if (isWhole && !isFound)
    options.report.warn(
      `${path} was left out: it is not a ${wanted === undefined ? 'list' : `document with "${wanted}"`}.`,
    );
  return isFound;
}

/** An element of a list in a document, with its path: `shapes[3]`. */
export interface JsonElement {
  readonly at: string;
  readonly value: unknown;
}

/** A small JSON document: its members, and the elements of the requested lists. */
export interface JsonRecord {
  readonly values: ReadonlyMap<string, unknown>;
  /** Excludes invalid JSON elements, which were reported. */
  readonly lists: ReadonlyMap<string, readonly JsonElement[]>;
  /** Names of non-empty lists that were not requested. */
  readonly otherLists: ReadonlySet<string>;
  /** Reason why reading stopped early. Content before that place is available. */
  readonly problem?: string;
}

export interface JsonRecordOptions {
  /** Names of the lists to keep. '' is a document that is a list itself. */
  readonly lists: readonly string[];
  readonly report: FormatReport;
  readonly signal: AbortSignal;
}

/** Reads a document into memory, element by element, so that an invalid element does not affect others. */
export async function readJsonRecord(
  source: Source,
  path: string,
  { lists: wanted, report, signal }: JsonRecordOptions,
): Promise<JsonRecord> {
  const values = new Map<string, unknown>();
  const lists = new Map<string, JsonElement[]>();
  const otherLists = new Set<string>();
  try {
    await readJsonDocument(source, path, {
      array: (key = '') => {
        const list: JsonElement[] = lists.get(key) ?? [];
        lists.set(key, list);
        if (!wanted.includes(key)) return (items) => void (items.length > 0 && otherLists.add(key));
        return (items, firstIndex) =>
          items.forEach((value, offset) => void list.push({ at: `${key}[${firstIndex + offset}]`, value }));
      },
      value: (key = '', value) => void values.set(key, value),
      bad({ key = '', index, reason }) {
        if (wanted.includes(key)) report.invalid(path, `${key}[${index}]`, reason);
        else otherLists.add(key);
      },
      signal,
    });
    return { values, lists, otherLists };
  } catch (error) {
    return { values, lists, otherLists, problem: faultOf(error) };
  }
}
