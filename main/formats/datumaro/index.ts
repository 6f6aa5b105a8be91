import { AppError } from '../../platform/errors.ts';
import { openByteInput } from '../io/byte-input.ts';
import { readJsonArrays } from '../io/json-array-reader.ts';
import { isSystemFile, type Source } from '../io/source.ts';
import { createAnnotationAdder } from '../kit/add-annotation.ts';
import { eachFile } from '../kit/dataset-files.ts';
import { carries, type DatasetReader, defineFormat, everyKindBut } from '../kit/define-format.ts';
import { byJsonHead, readHead, topLevelKeys } from '../kit/detection.ts';
import { findFrameNumber, taskFrame } from '../kit/find-frame.ts';
import { readJsonDocument } from '../kit/json-document.ts';
import type { ImportOptions } from '../kit/plugin.ts';
import { brief, createRecordGuard, isFiniteNumber, isRecord, RecordError } from '../kit/records.ts';
import { createSizeWatch } from '../kit/mask-files/size-watch.ts';
import type { ImageSize, TaskData } from '../kit/task-data.ts';
import { createUnreadMembers } from '../kit/unread-members.ts';
import { createTrackShapes, type TrackShapes } from '../kit/track-shapes.ts';
import { exportDatumaro } from './export.ts';
import { readCategories } from './labels.ts';
import { annotationMembers, readAnnotation } from './read-annotation.ts';

const format = 'Datumaro';

/** Matching of items to frames: by name; by number only if no name of a file is in the task. */
type Matching = 'by-name' | 'by-number';

interface FileContext {
  readonly source: Source;
  readonly path: string;
  readonly file: string;
  readonly subset: string;
  readonly task_data: TaskData;
  readonly options: ImportOptions;
  readonly tracks: TrackShapes;
  readonly sizes: ReturnType<typeof createSizeWatch>;
  readonly progress: (fraction: number) => void;
}

/** JSON files with the format's two keys. If a folder `annotations` has any, only those. */
async function findFiles(source: Source): Promise<string[]> {
  const paths = source.entries.map(({ path }) => path);
  if (source.kind === 'file') return paths;
  const json = paths.filter((path) => /\.json$/i.test(path) && !isSystemFile(path));
  const inFolder = json.filter((path) => /(^|\/)annotations\/[^/]+$/.test(path));
  const chosen: string[] = [];
  for (const path of inFolder.length > 0 ? inFolder : json) {
    const keys = topLevelKeys(await readHead(source, path));
    if (keys.includes('categories') || keys.includes('items')) chosen.push(path);
  }
  return chosen;
}

async function readDocument(
  { source, path, file, options: { report, signal } }: FileContext,
  handlers: {
    readonly items: (items: readonly unknown[], firstIndex: number) => void | Promise<void>;
    readonly beforeItems: () => Promise<void>;
    readonly value: (key: string | undefined, value: unknown) => void;
    readonly progress: (fraction: number) => void;
  },
): Promise<{ hasItems: boolean }> {
  let hasItems = false;
  await readJsonDocument(source, path, {
    array: async (key) => {
      if (key !== 'items') return 'skip';
      hasItems = true;
      await handlers.beforeItems();
      return handlers.items;
    },
    value: handlers.value,
    bad: ({ key, index, reason }) => report.invalid(file, `${key ?? ''}[${index}]`, reason),
    signal,
    progress: handlers.progress,
  });
  return { hasItems };
}

/** Reads categories that follow the items, in a separate pass. */
async function readCategoriesOnly({ source, path, options: { signal } }: FileContext): Promise<unknown> {
  const input = await openByteInput(source, path);
  let categories: unknown;
  try {
    await readJsonArrays(input, {
      array: () => 'skip',
      value: (key, value) => {
        if (key === 'categories') categories = value;
      },
      signal,
    });
  } finally {
    await input.close();
  }
  return categories;
}

interface ItemFields {
  readonly name: string;
  readonly names: readonly string[];
  readonly frameNumber: string | undefined;
  readonly annotations: readonly unknown[];
  readonly size: ImageSize | undefined;
}

function sizeOf(image: unknown): ImageSize | undefined {
  const [height, width] = isRecord(image) && Array.isArray(image['size']) ? (image['size'] as unknown[]) : [];
  return isFiniteNumber(width) && isFiniteNumber(height) ? { width, height } : undefined;
}

function readItem(item: unknown): ItemFields {
  if (!isRecord(item)) throw new RecordError('', `must be an object, but is ${brief(item)}`);
  const { id, annotations, image, attr, media } = item;
  if (typeof id !== 'string' && typeof id !== 'number')
    throw new RecordError('id', `must be a string, but is ${brief(id)}`);
  if (annotations !== undefined && !Array.isArray(annotations))
    throw new RecordError('annotations', `must be a list, but is ${brief(annotations)}`);
  const path = [image, media]
    .map((one) => (isRecord(one) ? one['path'] : undefined))
    .find((one) => typeof one === 'string');
  const name = String(id);
  const frame = isRecord(attr) ? attr['frame'] : undefined;
  return {
    name,
    // The extension prevents a name of digits from being read as a frame number. Any image extension matches.
    names: [...(typeof path === 'string' && path !== '' ? [path] : []), `${name}.jpg`],
    frameNumber: typeof frame === 'number' || typeof frame === 'string' ? String(frame) : undefined,
    annotations: annotations ?? [],
    size: sizeOf(image) ?? sizeOf(media),
  };
}

async function importItems(
  context: FileContext,
  matching: Matching,
): Promise<{ matched: number; unmatched: readonly { at: string; name: string; count: number }[]; hasItems: boolean }> {
  const { file, subset, task_data, options, tracks, sizes } = context;
  const { report } = options;
  const add = createAnnotationAdder(task_data, report, file);
  const guarded = createRecordGuard(report, file);
  const noteUnread = createUnreadMembers(report, annotationMembers);
  let categories: ReturnType<typeof readCategories> | undefined;
  let matched = 0;
  const unmatched: { at: string; name: string; count: number }[] = [];

  const takeCategories = (value: unknown): void => {
    categories = readCategories(value);
    for (const label of categories.described) task_data.declare_label?.(label);
  };

  const findFrame = ({ names, name, frameNumber }: ItemFields): number | null => {
    if (matching === 'by-number') return taskFrame(task_data, frameNumber ?? name);
    return findFrameNumber(task_data, names, subset, file);
  };

  const importItem = (value: unknown, at: string): void => {
    const item = readItem(value);
    const frame = findFrame(item);
    if (frame === null) {
      unmatched.push({ at, name: item.name, count: item.annotations.length });
      return;
    }
    matched += 1;
    const info = item.annotations.length > 0 ? task_data.frame_info(frame) : undefined;
    if (info && item.size) sizes.compare(item.name, item.size, info);
    const labels = categories?.labels ?? [];
    item.annotations.forEach((annotation, index) => {
      const place = `${at}.annotations[${index}]`;
      guarded(place, () => {
        const read = readAnnotation(annotation, {
          frame,
          labels,
          report,
          noteUnread,
          labelInfo: (name) => task_data.label(name),
        });
        if (read.kind === 'tag') add.tag(read.tag, place);
        else if (read.kind === 'shape' && read.trackId !== undefined) tracks.add(read.trackId, read.shape, file, place);
        else if (read.kind === 'shape') add.shape(read.shape, place);
      });
    });
  };

  const { hasItems } = await readDocument(context, {
    value: (key, value) => {
      if (key === 'categories' && !categories) takeCategories(value);
    },
    beforeItems: async () => {
      if (!categories) takeCategories(await readCategoriesOnly(context));
    },
    items: (items, firstIndex) => {
      items.forEach((item, offset) => {
        const at = `items[${firstIndex + offset}]`;
        guarded(at, () => importItem(item, at));
      });
      return task_data.backpressure?.();
    },
    progress: context.progress,
  });
  return { matched, unmatched, hasItems };
}

async function importFile(context: FileContext): Promise<boolean> {
  const { file, options } = context;
  const { report } = options;
  let result = await importItems(context, 'by-name');
  if (!result.hasItems) return false;
  if (result.matched === 0 && result.unmatched.some(({ count }) => count > 0)) {
    const byNumber = await importItems(
      { ...context, options: { ...options, report: { ...report, warn: () => undefined } } },
      'by-number',
    );
    if (byNumber.matched > 0) {
      report.warn(`${file}: none of its names is in the task, so its items were matched by their frame numbers.`);
      result = byNumber;
    }
  }
  for (const { at, name, count } of result.unmatched) {
    if (count > 0)
      report.invalid(file, at, `no frame of the task matches ${brief(name)}: its ${count} objects were left out`);
  }
  return true;
}

/**
 * Reads Datumaro's format: an archive or folder with `annotations/<subset>.json`, or one such file. Masks stay masks.
 */
const importDatumaro: DatasetReader = async (source, task_data, options) => {
  const paths = await findFiles(source);
  const tracks = createTrackShapes(task_data, options.report);
  const sizes = createSizeWatch(options.report, { files: 'images in the file', kept: 'coordinates' });
  let used = 0;
  await eachFile(paths, task_data, options, async (path, progress) => {
    const subset = source.kind === 'file' ? 'default' : path.slice(path.lastIndexOf('/') + 1).replace(/\.json$/i, '');
    const file = source.kind === 'file' ? source.name : path;
    if (await importFile({ source, path, file, subset, task_data, options, tracks, sizes, progress })) used += 1;
  });
  if (used === 0) {
    throw new AppError(
      'invalid',
      `${source.name} has no ${format} annotations: a JSON file with "categories" and "items" is needed. Nothing was imported.`,
    );
  }
  tracks.finish();
  sizes.finish();
};

const detectDatumaro = byJsonHead(({ path, isList, has }) =>
  !isList && has('categories') && has('items')
    ? { reason: `${path} is JSON with categories and items at its top level.`, confidence: 0.95 }
    : null,
);

export const datumaro = defineFormat({
  name: 'Datumaro',
  version: '1.0',
  support: carries({ both: everyKindBut('cuboid') }),
  importExt: 'JSON, ZIP',
  detect: detectDatumaro,
  read: importDatumaro,
  write: exportDatumaro,
});
