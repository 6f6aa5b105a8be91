import { eachFile } from '../kit/dataset-files.ts';
import { readJsonDocument } from '../kit/json-document.ts';
import { AppError } from '../../platform/errors.ts';
import { createAnnotationAdder } from '../kit/add-annotation.ts';
import { createItemNames, type DatasetItem } from '../kit/dataset-items.ts';
import { findFrame } from '../kit/find-frame.ts';
import { createImageAdder, imageName, writeArchive } from '../kit/frame-images.ts';
import { asJsonWriter, type JsonWriter } from '../io/json-writer.ts';
import { commonTopFolder, isSystemFile, type Source, subSource } from '../io/source.ts';
import { type SpillFiles, withSpillFiles } from '../io/spill-files.ts';
import { labelFolderProblem, noLabel, noteUnreadable, usualSubsets } from '../kit/label-folders.ts';
import { createLossNotes } from '../kit/dropped-details.ts';
import type { DatasetReader } from '../kit/define-format.ts';
import { createUnreadOfImages } from '../kit/unread-members.ts';
import type { ImportOptions, Exporter } from '../kit/plugin.ts';
import { isImagePath } from '../kit/yolo-family/dataset-paths.ts';
import { subsetOf } from '../kit/yolo-family/label-archive.ts';

const format = 'Ultralytics YOLO Classification';
const labelsFile = 'labels.json';

interface LabelledImage {
  readonly path: string;
  readonly names: readonly string[];
  readonly subset: string;
  readonly label: string;
}

/** Folder of the subsets. An extra top folder is skipped if it contains a usual subset name. */
function classificationRoot(source: Source): Source {
  let view = source;
  for (let depth = 0; depth < 3; depth += 1) {
    const folders = new Set(view.entries.map(({ path }) => path.split('/')[0] ?? ''));
    const hasSubset = [...folders].some((folder) => usualSubsets.has(folder));
    const hasList = view.entries.some(({ path }) => new RegExp(`^[^/]+/${labelsFile}$`).test(path));
    if (hasSubset || hasList) return view;
    const top = commonTopFolder(view);
    if (top === undefined) break;
    view = subSource(view, top);
  }
  return source;
}

/** Images by folder: `<subset>/<label>/<image>`. */
function labelledImages(view: Source): LabelledImage[] {
  return view.entries.flatMap(({ path }) => {
    const [subset, label, ...rest] = path.split('/');
    if (subset === undefined || label === undefined || rest.length === 0) return [];
    if (!isImagePath(path) || isSystemFile(path)) return [];
    return [{ path, names: [rest.join('/')], subset, label }];
  });
}

function stringsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** Labels in `labels.json` by image name, alone or with its path. */
async function readLabelsFile(
  view: Source,
  path: string,
  { report, signal }: ImportOptions,
  onImage: (name: string, imagePath: string | undefined, labels: readonly string[]) => void,
): Promise<void> {
  const unread = createUnreadOfImages(report, new Set(['labels', 'path']));
  const bad = (key: string, reason: string): void => report.invalid(path, JSON.stringify(key.slice(0, 200)), reason);
  await readJsonDocument(view, path, {
    array: (key) => (items) => onImage(key ?? '', undefined, stringsOf(items)),
    value: (key, value) => {
      const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
      if (key === undefined || !isObject) return bad(key ?? '', 'an image must have an object with its labels');
      const { labels, path: imagePath } = value as { labels?: unknown; path?: unknown };
      if (!Array.isArray(labels)) return bad(key, '"labels" must be a list of labels');
      unread.note(value as Readonly<Record<string, unknown>>);
      return onImage(key, typeof imagePath === 'string' ? imagePath : undefined, stringsOf(labels));
    },
    signal,
  });
  unread.finish();
}

/** Imports tags from folders `<subset>/<label>/<image>` or lists `<subset>/labels.json`. */
export const importClassification: DatasetReader = async (source, task_data, options) => {
  const { report } = options;
  const view = classificationRoot(source);
  const lists = view.entries.map(({ path }) => path).filter((path) => new RegExp(`^[^/]+/${labelsFile}$`).test(path));
  const listed = new Set(lists.map((path) => path.split('/')[0]));
  const images = labelledImages(view).filter(({ subset }) => !listed.has(subset));
  if (images.length === 0 && lists.length === 0) {
    throw new AppError(
      'invalid',
      `${source.name} is not a dataset of ${format}: it has neither images in folders <subset>/<label> nor lists labels.json. Nothing was imported.`,
    );
  }
  const labels = new Set(images.map(({ label }) => label).filter((label) => label !== noLabel));
  for (const name of [...labels].toSorted()) task_data.declare_label?.({ name });

  const seen = new Set<string>();
  const addTag = (file: string, at: string, names: readonly string[], subset: string, label: string): void => {
    const frame = findFrame(task_data, names, subset, file);
    if (!frame) {
      report.invalid(file, at, `image "${names[0] ?? ''}" is not in the task: its label was left out`);
      return;
    }
    const key = `${frame.frame}\u0000${label}`;
    if (seen.has(key)) return;
    seen.add(key);
    const tag = { frame: frame.frame, label, attributes: [], group: 0, source: 'file' as const };
    createAnnotationAdder(task_data, report, file).tag(tag, at);
  };

  await eachFile(images, task_data, options, async ({ path, names, subset, label }) => {
    if (label !== noLabel) addTag(path, 'the image', names, subset, label);
  });
  for (const path of lists) {
    const subset = path.split('/')[0] ?? '';
    await readLabelsFile(view, path, options, (name, imagePath, own) => {
      const inFolder = imagePath?.replaceAll('\\', '/').split('/').slice(1).join('/');
      const names = [...(isImagePath(name) ? [name] : [`${name}.jpg`]), ...(inFolder ? [inFolder] : [])];
      for (const label of own) if (label !== noLabel) addTag(path, JSON.stringify(name), names, subset, label);
    });
  }
};

function createLists(spill: SpillFiles) {
  const lists = new Map<string, { json: JsonWriter; count: number }>();
  return {
    add({ subset, stem }: DatasetItem, fileName: string, labels: readonly string[]): void {
      let list = lists.get(subset);
      if (!list) lists.set(subset, (list = { json: asJsonWriter(spill.open(`${subset}/${labelsFile}`)), count: 0 }));
      list.json.ascii(list.count === 0 ? '{' : ',');
      list.json.string(stem);
      list.json.ascii(':');
      list.json.value({ labels, path: `${labels[0] ?? noLabel}/${fileName}` });
      list.count += 1;
    },
    finish(): void {
      for (const { json } of lists.values()) json.ascii('}');
    },
  };
}

/**
 * Exports tags: a list per subset. With images, also a folder per label; an image with several labels is in several
 * folders.
 */
export const exportClassification: Exporter = async (file_object, task_data, options) => {
  const { report, signal, progress, save_images } = options;
  const names = createItemNames({ format, report });
  const notes = createLossNotes(report, format, {});
  notes.tracks(task_data);
  await writeArchive(file_object.path, (zip) =>
    withSpillFiles(file_object.path, async (spill) => {
      const lists = createLists(spill);
      const images = createImageAdder(zip, task_data, options);
      let done = 0;
      for (const frame of task_data.group_by_frame(true)) {
        signal.throwIfAborted();
        done += 1;
        progress(done / Math.max(1, task_data.frame_count));
        for (const { type, label } of frame.labeled_shapes)
          report.dropped(type, label, `${format} has image-level labels only.`);
        const claimed = names.claim({ ...frame, subset: subsetOf({ format, reservedSubsets: new Set() }, frame) });
        if (!claimed) continue;
        const labels = new Set<string>();
        for (const tag of frame.tags) {
          const problem = labelFolderProblem(tag.label, format);
          if (problem !== undefined) report.dropped('tag', tag.label, problem);
          else if (labels.has(tag.label)) report.dropped('tag', tag.label, 'The image has this label twice.');
          else {
            labels.add(tag.label);
            notes.tag(tag);
            report.included('tag', tag.label);
          }
        }
        if (save_images) {
          const folders = labels.size > 0 ? [...labels] : [noLabel];
          const paths = folders.map((label) => `${claimed.subset}/${label}/${imageName(task_data, frame)}`);
          if (!(await images.add(frame, paths))) noteUnreadable(report, [...labels]);
        }
        // Like CVAT, lists all labels of an image in addition to the folders.
        lists.add(claimed, imageName(task_data, frame), [...labels]);
        await spill.drain();
      }
      lists.finish();
      await spill.addTo(zip);
      images.finish();
    }),
  );
};

/** Subsets and labels that the folders imply, for detection. */
export function classificationFolders(source: Source): {
  subsets: Set<string>;
  labels: Set<string>;
  images: number;
  hasLists: boolean;
} {
  const view = classificationRoot(source);
  const images = labelledImages(view);
  return {
    subsets: new Set(images.map(({ subset }) => subset)),
    labels: new Set(images.map(({ label }) => label)),
    images: images.length,
    hasLists: view.entries.some(({ path }) => new RegExp(`^[^/]+/${labelsFile}$`).test(path)),
  };
}
