import { subsetOfFileName } from '../kit/usual-subsets.ts';
import { AppError } from '../../platform/errors.ts';
import { eachFile } from '../kit/dataset-files.ts';
import type { DatasetReader } from '../kit/define-format.ts';
import type { ImportOptions } from '../kit/plugin.ts';
import { type Source } from '../io/source.ts';
import type { TaskData } from '../kit/task-data.ts';
import { createSizeWatch } from '../kit/mask-files/size-watch.ts';
import { type AnnotationFile, jsonPaths, readCocoFile } from './coco-file.ts';
import { wayOf } from './fast/fast-codec.ts';
import { type AnnotationImporterOptions, createAnnotationImporter } from './import-annotations.ts';

/** Files of the same dataset for other tasks, named as in the published archives. */
const otherTasks = /^(person_keypoints|captions|labels|image_info|panoptic)_/;

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function parentName(path: string): string {
  return path.split('/').at(-2) ?? '';
}

/** Subset of a file: part of its name, or the name of its folder if that also holds images. */
function subsetOf(path: string): string {
  const name = baseName(path).replace(/\.json$/i, '');
  const named = /^(?:instances|stuff|person_keypoints|zhiyuan_objv2)_(.+)$/.exec(name);
  if (named?.[1] !== undefined) return named[1];
  const parent = parentName(path);
  return name.startsWith('_annotations') && parent !== '' ? parent : (subsetOfFileName(path) ?? 'default');
}

/**
 * Files that hold instances: `instances_<subset>.json`, else `stuff_<subset>.json`, else every JSON file not named for
 * another task, else keypoint files (their boxes and segments).
 */
function findAnnotationFiles(source: Source): AnnotationFile[] {
  const paths = jsonPaths(source);
  const choices = [
    paths.filter((path) => baseName(path).startsWith('instances_')),
    paths.filter((path) => baseName(path).startsWith('stuff_')),
    source.kind === 'file' ? paths : paths.filter((path) => !otherTasks.test(baseName(path))),
    paths.filter((path) => baseName(path).startsWith('person_keypoints_')),
  ];
  const chosen = choices.find((list) => list.length > 0) ?? [];
  return chosen.map((path) => ({ path, subset: source.kind === 'file' ? 'default' : subsetOf(path) }));
}

/** Differences between the formats of the COCO family on import. */
export interface CocoReading {
  readonly format: string;
  /** Prefix of the annotation files of a dataset: `<prefix>_<subset>.json`. */
  readonly filePrefix: string;
  readonly files: readonly AnnotationFile[];
  readonly readsKeypoints?: boolean;
  readonly skeletonReader?: (file: string) => NonNullable<AnnotationImporterOptions['readSkeleton']>;
}

/** Reads the annotation files of a source in sequence. */
export async function importCocoFiles(
  source: Source,
  task_data: TaskData,
  options: ImportOptions,
  { format, filePrefix, files, readsKeypoints = false, skeletonReader }: CocoReading,
): Promise<void> {
  const { report, signal } = options;
  if (files.length === 0) {
    throw new AppError(
      'invalid',
      `${source.name} has no ${format} annotations. It must contain a file: "annotations/${filePrefix}_<subset>.json".`,
    );
  }
  const sizes = createSizeWatch(report, { files: 'images in the file', kept: 'coordinates' });
  let groups = 0;
  let used = 0;
  await eachFile(files, task_data, options, async ({ path, subset }, progress) => {
    const file = source.kind === 'file' ? source.name : path;
    const importer = createAnnotationImporter({
      file,
      task_data,
      report,
      nextGroup: () => (groups += 1),
      readSkeleton: skeletonReader ? skeletonReader(file) : undefined,
    });
    const sections = await readCocoFile({
      source,
      path,
      file,
      context: { subset, task_data, readsKeypoints, sizes },
      report,
      signal,
      progress,
      annotations: (items, firstIndex, tables) => {
        importer.add(items, firstIndex, tables);
        return task_data.backpressure?.();
      },
      decode: wayOf(options).createDecoder(),
    });
    importer.finish();
    if (sections.annotations && sections.images && sections.categories) used += 1;
    else if (sections.annotations || files.length === 1) throw missingSections(file, sections);
    else report.warn(`${file} was left out: it has no "annotations".`);
  });
  sizes.finish();
  if (used === 0)
    throw new AppError('invalid', `None of the JSON files in ${source.name} is a COCO file: "annotations" is missing.`);
}

function missingSections(file: string, sections: Awaited<ReturnType<typeof readCocoFile>>): AppError {
  if (sections.isList) {
    return new AppError(
      'invalid',
      `${file} is a list, as detection results are. COCO 1.0 needs "images", "categories" and "annotations"; add the two tables of the dataset to it.`,
    );
  }
  const missing = (['images', 'categories', 'annotations'] as const).filter((key) => !sections[key]);
  return new AppError(
    'invalid',
    `${file} is not a COCO file: ${missing.map((key) => `"${key}"`).join(' and ')} ${missing.length > 1 ? 'are' : 'is'} missing. Nothing was imported.`,
  );
}

/**
 * Reads COCO instances from a zip archive, a folder or one JSON file. Masks stay masks. An invalid annotation is
 * reported with its place (`annotations[17].bbox`) and the rest is imported. Only invalid JSON or a document that is
 * not COCO fails.
 */
export const importCoco: DatasetReader = async (source, task_data, options) => {
  const reading = { format: 'COCO', filePrefix: 'instances', files: findAnnotationFiles(source) };
  await importCocoFiles(source, task_data, options, reading);
};
