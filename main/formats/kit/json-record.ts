import { AppError } from '../../platform/errors.ts';
import type { FormatReport } from './report.ts';
import { readJsonDocument } from './json-document.ts';
import type { Source } from '../io/source.ts';

/** An element of a list in a document, with its path there: `shapes[3]`. */
export interface JsonElement {
  readonly at: string;
  readonly value: unknown;
}

/** A small JSON document about one thing: its members, and the elements of the lists that were asked for. */
export interface JsonRecord {
  readonly values: ReadonlyMap<string, unknown>;
  /** Elements that are no valid JSON are not among them: they were reported. */
  readonly lists: ReadonlyMap<string, readonly JsonElement[]>;
  /** Why reading ended before the document did. What stands before that place is there. */
  readonly problem?: string;
}

export interface JsonRecordOptions {
  /** Names of the lists to keep; the empty name stands for a document that is a list itself. */
  readonly lists: readonly string[];
  readonly report: FormatReport;
  readonly signal: AbortSignal;
}

/** Reads a document that is held in memory as a whole, element by element: one that is broken spoils no other. */
export async function readJsonRecord(
  source: Source,
  path: string,
  { lists: wanted, report, signal }: JsonRecordOptions,
): Promise<JsonRecord> {
  const values = new Map<string, unknown>();
  const lists = new Map<string, JsonElement[]>();
  try {
    await readJsonDocument(source, path, {
      array: (key = '') => {
        const list: JsonElement[] = lists.get(key) ?? [];
        lists.set(key, list);
        if (!wanted.includes(key)) return 'skip';
        return (items, firstIndex) =>
          items.forEach((value, offset) => void list.push({ at: `${key}[${firstIndex + offset}]`, value }));
      },
      value: (key = '', value) => void values.set(key, value),
      bad: ({ key = '', index, reason }) => report.bad(path, `${key}[${index}]`, reason),
      signal,
    });
    return { values, lists };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'invalid') throw error;
    return { values, lists, problem: error.message };
  }
}
