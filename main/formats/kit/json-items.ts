import { AppError } from '../../platform/errors.ts';
import type { FormatRun } from './plugin.ts';
import { readJsonDocument } from './json-document.ts';
import type { Source } from '../io/source.ts';

export interface JsonItemsOptions {
  /** The list's name in the document; undefined where the document itself is the list. */
  readonly key: string | undefined;
  /** Gets every element, with its path: `[12]`, or `images[12]`. */
  readonly item: (value: unknown, at: string) => void;
  /** Awaited now and then: for work that takes its time. */
  readonly between?: () => Promise<void> | undefined;
  readonly options: Pick<FormatRun, 'report' | 'signal'>;
  readonly onProgress: (fraction: number) => void;
}

/**
 * Reads the elements of one list of a document of any size, one after another. Elements that are no valid JSON, and the
 * place where a document breaks off, are reported. False where the document has no such list, which is reported too.
 */
export async function readJsonItems(
  source: Source,
  path: string,
  { key: wanted, item, between, options: { report, signal }, onProgress }: JsonItemsOptions,
): Promise<boolean> {
  let isFound = false;
  try {
    await readJsonDocument(source, path, {
      array: (key) => {
        if (key !== wanted) return 'skip';
        isFound = true;
        return (items, firstIndex) => {
          items.forEach((value, offset) => item(value, `${key ?? ''}[${firstIndex + offset}]`));
          return between?.();
        };
      },
      bad: ({ key, index, reason }) => report.bad(path, `${key ?? ''}[${index}]`, reason),
      signal,
      progress: onProgress,
    });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'invalid') throw error;
    report.bad(path, 'the JSON', error.message);
    return isFound;
  }
  if (!isFound)
    report.warn(`${path} was left out: it is no ${wanted === undefined ? 'list' : `document with "${wanted}"`}.`);
  return isFound;
}
