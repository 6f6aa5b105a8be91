import { AppError } from '../../../platform/errors.ts';
import type { JsonItemsHandler } from '../../io/json-array-reader.ts';
import { isSystemFile, type Source } from '../../io/source.ts';
import { eachFile } from '../../kit/dataset-files.ts';
import { choice, datasetImporter, type DatasetReader } from '../../kit/define-format.ts';
import { readHead } from '../../kit/detection.ts';
import { readJsonDocument } from '../../kit/json-document.ts';
import type { ImportOptions } from '../../kit/plugin.ts';
import { faultOf, isRecord } from '../../kit/records.ts';
import type { TaskData } from '../../kit/task-data.ts';
import { readCocoFile } from '../coco-file.ts';
import type { CocoTables } from '../coco-tables.ts';
import { detectResults } from '../detect.ts';
import { createAnnotationImporter } from '../import-annotations.ts';
import { createSkeletonReader } from '../keypoints/read-skeleton.ts';
import { guessTables, type UsedIds } from './result-tables.ts';

const maxIds = 10_000_000;

/** Sorts JSON files by their document: results are a list, dataset tables are an object. */
async function sortFiles(source: Source): Promise<{ results: string[]; tables: string[] }> {
  const results: string[] = [];
  const tables: string[] = [];
  for (const { path } of source.entries) {
    if (isSystemFile(path) || (source.kind !== 'file' && !/\.json$/i.test(path))) continue;
    const head = (await readHead(source, path, 1024)).trimStart();
    if (head.startsWith('[')) results.push(path);
    else if (head.startsWith('{')) tables.push(path);
  }
  return { results, tables };
}

/** Categories and images of the dataset, if a file of the source has both. */
async function readTables(
  source: Source,
  paths: readonly string[],
  task_data: TaskData,
  { report, signal }: ImportOptions,
): Promise<CocoTables | undefined> {
  for (const path of paths) {
    let found: CocoTables | undefined;
    const reading = readCocoFile({
      source,
      path,
      file: path,
      context: { subset: 'default', task_data, readsKeypoints: true },
      report,
      signal,
      progress: () => undefined,
      annotations: () => undefined,
      tables: (tables) => (found = tables),
    });
    await reading.catch((error: unknown) => {
      report.warn(`${path} was ignored: ${faultOf(error)}`);
    });
    if (found && found.labels.size > 0 && found.images.count > 0) return found;
  }
  return undefined;
}

async function readResults(
  source: Source,
  path: string,
  { report, signal }: ImportOptions,
  onItems: JsonItemsHandler,
  progress: (fraction: number) => void,
): Promise<void> {
  await readJsonDocument(source, path, {
    array: () => onItems,
    bad: ({ index, reason }) => report.invalid(path, `[${index}]`, reason),
    signal,
    progress,
  });
}

async function collectIds(source: Source, path: string, options: ImportOptions): Promise<UsedIds> {
  const images = new Set<unknown>();
  const categories = new Set<unknown>();
  // Invalid JSON is reported by the pass that reads the results.
  const quiet = { ...options, report: { ...options.report, invalid: () => undefined } };
  await readResults(
    source,
    path,
    quiet,
    (items) => {
      for (const item of items) {
        if (!isRecord(item)) continue;
        if (images.size < maxIds) images.add(item['image_id']);
        if (categories.size < maxIds && item['category_id'] !== undefined) categories.add(item['category_id']);
      }
    },
    () => undefined,
  );
  return { images, categories };
}

async function importFile(
  source: Source,
  path: string,
  stated: CocoTables | undefined,
  task_data: TaskData,
  options: ImportOptions,
  progress: (fraction: number) => void,
): Promise<void> {
  const { report } = options;
  const tables = stated ?? guessTables(await collectIds(source, path, options), task_data, options);
  let groups = 0;
  const importer = createAnnotationImporter({
    file: path,
    task_data,
    report,
    nextGroup: () => (groups += 1),
    readSkeleton: createSkeletonReader({ task_data, report }),
    placeOf: (index) => `[${index}]`,
  });
  const onItems: JsonItemsHandler = (items, firstIndex) => {
    const captions = items.filter((item) => isRecord(item) && typeof item['caption'] === 'string');
    if (captions.length > 0) {
      report.dropped('caption', '', 'A task has no captions.', captions.length);
      if (captions.length === items.length) return undefined;
    }
    importer.add(items, firstIndex, tables);
    return task_data.backpressure?.();
  };
  await readResults(source, path, options, onItems, progress);
  importer.finish();
}

/**
 * Reads detection results of the COCO API: a JSON list of rows with `image_id`, `category_id`, a box, mask or
 * keypoints, and a score. The ids are resolved by the dataset's annotation file if the source has it. Otherwise the
 * options `image_ids` and `category_ids` or the ids themselves decide.
 */
const importResults: DatasetReader = async (source, task_data, options) => {
  const files = await sortFiles(source);
  if (files.results.length === 0) {
    throw new AppError(
      'invalid',
      `${source.name} has no detection results, which are a JSON list of objects with "image_id". Nothing was imported.`,
    );
  }
  const tables = await readTables(source, files.tables, task_data, options);
  await eachFile(files.results, task_data, options, (path, progress) =>
    importFile(source, path, tables, task_data, options, progress),
  );
};

export const cocoResultsImporter = datasetImporter({
  name: 'COCO Results',
  version: '1.0',
  ext: 'JSON, ZIP',
  detect: detectResults,
  support: { rectangle: 'import', polygon: 'import', mask: 'import', skeleton: 'import' },
  options: [
    choice('category_ids', 'Category ids', {
      auto: 'Automatic',
      task: 'Positions in the task’s labels, from 1',
      coco: 'The published COCO classes',
    }),
    choice('image_ids', 'Image ids', {
      auto: 'Automatic',
      name: 'Numbers at the end of image names',
      position: 'Positions in the task, from 1',
    }),
  ],
})(importResults);
