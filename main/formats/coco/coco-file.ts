import { type ByteInput, openRangeInput, streamInput } from '../io/byte-input.ts';
import {
  type DecodedItems,
  type JsonArrayUse,
  type JsonItemsHandler,
  readJsonArrays,
} from '../io/json-array-reader.ts';
import { readJsonTail } from '../io/json-tail.ts';
import { isSystemFile, type LocalRange, type Source } from '../io/source.ts';
import type { FormatReport } from '../kit/report.ts';
import { addCategories, addImages, type CocoTables, createTables, type TableContext } from './coco-tables.ts';

export interface AnnotationFile {
  readonly path: string;
  readonly subset: string;
}

/** `<prefix>_<subset>.json`; JSON files with other names only if there is none. */
export function namedFiles(source: Source, prefix: string): AnnotationFile[] {
  const named = new RegExp(`(?:^|/)${prefix}_([^/]+)\\.json$`, 'i');
  const files = jsonPaths(source).map((path) => ({ path, subset: named.exec(path)?.[1] ?? '' }));
  const chosen = files.filter(({ subset }) => subset !== '');
  return chosen.length > 0 ? chosen : files.map(({ path }) => ({ path, subset: 'default' }));
}

/** Like {@link namedFiles}, but a single file is taken whatever its name. */
export function oneOrNamed(source: Source, prefix: string): AnnotationFile[] {
  if (source.kind !== 'file') return namedFiles(source, prefix);
  return source.entries.map(({ path }) => ({ path, subset: 'default' }));
}

export function jsonPaths({ entries }: Source): string[] {
  return entries.map(({ path }) => path).filter((path) => /\.json$/i.test(path) && !isSystemFile(path));
}

export interface CocoFileOptions {
  readonly source: Source;
  readonly path: string;
  readonly file: string;
  readonly context: TableContext;
  readonly report: FormatReport;
  readonly signal: AbortSignal;
  readonly progress: (fraction: number) => void;
  readonly annotations: (
    items: readonly unknown[],
    firstIndex: number,
    tables: CocoTables,
  ) => ReturnType<JsonItemsHandler>;
  readonly decode?: DecodedItems['decode'];
  /** Tables that the rows refer to; both by default. Other tables are not searched for. */
  readonly neededTables?: readonly TableKey[];
  readonly tables?: (tables: CocoTables) => void;
}

export interface CocoFileSections {
  readonly annotations: boolean;
  readonly categories: boolean;
  readonly images: boolean;
  /** True if the file is a list instead of an object, as detection results are. */
  readonly isList: boolean;
}

const tableKeys = ['categories', 'images'] as const;
type TableKey = (typeof tableKeys)[number];

function isTableKey(key: string | undefined): key is TableKey {
  return key === 'categories' || key === 'images';
}

/** Tables under construction; `readTablesOnly` replaces them as a unit. */
function createDraft(context: TableContext) {
  const tables = createTables();
  const seen = new Set<TableKey>();
  const handler = (key: string | undefined): JsonItemsHandler | undefined => {
    if (!isTableKey(key)) return undefined;
    seen.add(key);
    const add = key === 'categories' ? addCategories : addImages;
    return (items, firstIndex) => add(tables, items, firstIndex, context);
  };
  return { tables, seen, handler };
}

/**
 * Reads a COCO file in one pass, whatever the order of its sections. Annotations are passed on only after categories
 * and images are known. If these follow the annotations, they are read first from the end of the file. In a compressed
 * archive, or if the end is ambiguous, an extra pass over the file reads them.
 */
export async function readCocoFile(stated: CocoFileOptions): Promise<CocoFileSections> {
  const options = { ...stated, context: { ...stated.context, near: stated.path } };
  const { source, path, context, signal, neededTables = tableKeys } = options;
  const range = await source.localPath(path);
  const openInput = async (): Promise<ByteInput> => (range ? openRangeInput(range) : streamInput(source.stream(path)));
  const sizeBytes = source.entries.find((entry) => entry.path === path)?.sizeBytes ?? 0;
  const draft = createDraft(context);
  const { tables, seen } = draft;
  let hasAnnotations = false;
  let isList = false;
  let stopAt: number | undefined;
  let isAhead = false;

  const takeOver = (ahead: ReturnType<typeof createDraft>): void => {
    for (const key of ahead.seen) seen.add(key);
    for (const [id, label] of ahead.tables.labels) tables.labels.set(id, label);
    tables.images.addAll(ahead.tables.images);
    for (const [at, reason] of ahead.tables.problems) tables.problems.set(at, reason);
    for (const name of ahead.tables.unreadOfImages) tables.unreadOfImages.add(name);
  };

  const readAhead = async (offset: number): Promise<void> => {
    const missing = neededTables.filter((key) => !seen.has(key));
    if (missing.length === 0 || isAhead) return;
    isAhead = true;
    const tail = range && (await readTail(range, offset, missing, options, takeOver));
    if (tail?.found === 'members') stopAt = tail.offset;
    if (tail?.found === 'members' && neededTables.every((key) => seen.has(key))) return;
    if (tail?.found === 'nothing') return;
    stopAt = undefined;
    takeOver(await readTablesOnly(await openInput(), context, missing, signal));
  };

  const array = async (key: string | undefined, offset: number): Promise<JsonArrayUse> => {
    if (key === undefined) isList = true;
    if (isTableKey(key)) return isAhead && seen.has(key) ? 'skip' : draft.handler(key);
    if (key !== 'annotations') return undefined;
    if (hasAnnotations) options.report.warn(`${options.file} has "annotations" more than once; all of them were read.`);
    hasAnnotations = true;
    await readAhead(offset);
    const items: JsonItemsHandler = (list, firstIndex) => options.annotations(list, firstIndex, tables);
    return options.decode ? { items, decode: options.decode } : items;
  };

  const input = await openInput();
  try {
    await readJsonArrays(input, {
      array,
      bad: ({ key, index, reason }) => options.report.invalid(options.file, `${key ?? ''}[${index}]`, reason),
      stopAtKey: () => stopAt,
      signal,
      progress: (bytes) => options.progress(sizeBytes > 0 ? Math.min(1, bytes / sizeBytes) : 1),
    });
    await input.finish();
    options.progress(1);
  } finally {
    await input.close();
  }
  const { count, unmatchedCount } = tables.images;
  if (unmatchedCount > 0) {
    options.report.warn(`${options.file}: ${unmatchedCount} of ${count} images match no frame of the task.`);
  }
  if (tables.unreadOfImages.size > 0) {
    const names = [...tables.unreadOfImages].join(', ');
    options.report.warn(`${options.file}: these members of images were left out: ${names}.`);
  }
  for (const [at, reason] of tables.problems) options.report.invalid(options.file, at, reason);
  options.tables?.(tables);
  return { annotations: hasAnnotations, categories: seen.has('categories'), images: seen.has('images'), isList };
}

async function readTail(
  range: LocalRange,
  offset: number,
  missing: readonly TableKey[],
  { context, signal }: CocoFileOptions,
  takeOver: (draft: ReturnType<typeof createDraft>) => void,
) {
  const found = new Set<TableKey>();
  return readJsonTail(range, offset, missing, () => {
    const draft = createDraft(context);
    return {
      options: { array: draft.handler, signal },
      commit: () => {
        takeOver(draft);
        for (const key of draft.seen) found.add(key);
        return missing.every((key) => found.has(key));
      },
    };
  });
}

/** Reads only the tables of a file and skips everything else. */
async function readTablesOnly(
  input: ByteInput,
  context: TableContext,
  wanted: readonly TableKey[],
  signal: AbortSignal,
): Promise<ReturnType<typeof createDraft>> {
  const draft = createDraft(context);
  try {
    const isWanted = (key: string | undefined): boolean => wanted.some((name) => name === key);
    await readJsonArrays(input, {
      array: (key) => (isWanted(key) ? draft.handler(key) : 'skip'),
      bad: ({ key, index, reason }) => draft.tables.problems.set(`${key ?? ''}[${index}]`, reason),
      signal,
    });
  } finally {
    await input.close();
  }
  return draft;
}
