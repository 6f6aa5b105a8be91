import { isSystemFile, type Source } from '../io/source.ts';
import { splitLines } from '../io/text-lines.ts';
import { createAnnotationAdder } from '../kit/add-annotation.ts';
import { readDatasetFiles, readRows, someOf } from '../kit/dataset-files.ts';
import { type DatasetReader, defineFormat } from '../kit/define-format.ts';
import { amongFiles, readHead } from '../kit/detection.ts';
import { findFrame } from '../kit/find-frame.ts';
import { createLabelledFrames, externalFolders, noLabel, usualSubsets } from '../kit/label-folders.ts';
import type { Detection } from '../kit/plugin.ts';
import type { FrameInfo } from '../kit/task-data.ts';
import { isImagePath } from '../kit/yolo-family/dataset-paths.ts';
import { exportImageNet } from './export.ts';
import { findLabelledImages, findLists, type ImageNetFile, labelsFile, readListLine } from './files.ts';

async function detectLists(source: Source): Promise<Detection | null> {
  const found = findLists(source);
  const [first] = found?.lists ?? [];
  if (!found || !first) return null;
  const lines = splitLines(await readHead(found.view, first.path, 16 * 1024)).slice(0, 20);
  const isList = lines.every((line) => typeof readListLine(line) !== 'string');
  return isList
    ? { reason: `${first.path} lists images with the label numbers of ${labelsFile}.`, confidence: 0.95 }
    : null;
}

/** Detects images in folders and nothing else. Confidence is low, because the folders can mean anything. */
function detectFolders(source: Source): Detection | null {
  const files = source.entries.filter(({ path }) => !isSystemFile(path));
  if (files.length === 0 || !files.every(({ path }) => isImagePath(path))) return null;
  const images = findLabelledImages(source, (folder) => usualSubsets.has(folder));
  const isDeep = images.some((image) => image.kind === 'image' && image.rest.includes('/'));
  const labels = new Set(images.flatMap((image) => (image.kind === 'image' ? [image.label] : [])));
  const isExternal = (label: string): boolean =>
    usualSubsets.has(label) || externalFolders.has(label) || /^(?:bounding_box_|query$|img\d|gtFine$)/.test(label);
  // If some images have no label, the folders of the others are labels, and may have subfolders.
  const isOwn = labels.has(noLabel);
  if (images.length < files.length || [...labels].some(isExternal)) return null;
  if (!isOwn && (isDeep || labels.size < 2)) return null;
  const reason = `It has only images, in ${labels.size} folders such as ${[...labels][0]} that may be their labels.`;
  return { reason, confidence: isOwn ? 0.9 : 0.6 };
}

const detectImageNet = amongFiles(async (source) => (await detectLists(source)) ?? detectFolders(source));

/** Reads ImageNet: images in folders named by label, or lists of images with label numbers. */
const importImageNet: DatasetReader = async (source, task_data, options) => {
  const { report } = options;
  const frameOf = createLabelledFrames(task_data);
  const seen = new Set<string>();
  let names: readonly string[] | undefined;
  let view: Source | undefined;

  const addTag = (path: string, at: string, frame: FrameInfo | undefined, image: string, label: string): void => {
    if (!frame) return report.invalid(path, at, `image "${image}" is not in the task: its label was left out`);
    const key = `${frame.frame}\u0000${label}`;
    if (seen.has(key)) return undefined;
    seen.add(key);
    const tag = { frame: frame.frame, label, attributes: [], group: 0, source: 'file' as const };
    return createAnnotationAdder(task_data, report, path).tag(tag, at);
  };

  const readNames = async (source: Source): Promise<readonly string[]> => {
    const list = splitLines(await source.read(labelsFile)).map((line) => line.trim());
    while (list.at(-1) === '') list.pop();
    for (const name of list) if (name !== '') task_data.declare_label?.({ name });
    return list;
  };

  const readList = async (source: Source, path: string, subset: string): Promise<void> => {
    const labels = (names ??= await readNames(source));
    const takeLine = (line: string, lineNumber: number): void => {
      const at = `line ${lineNumber}`;
      const row = readListLine(line);
      if (row === undefined) return undefined;
      if (typeof row === 'string') return report.invalid(path, at, row);
      const { image } = row;
      if (row.labels.length === 0) return undefined;
      const frame = findFrame(task_data, [isImagePath(image) ? image : `${image}.jpg`], subset, path);
      for (const number of row.labels) {
        const label = labels[number];
        if (label === undefined || label === '')
          report.invalid(path, at, `label ${number} has no name: ${labelsFile} names ${labels.length} labels`);
        else addTag(path, at, frame, image, label);
      }
      return undefined;
    };
    await readRows(source, path, { task_data, options }, takeLine);
  };

  await readDatasetFiles<ImageNetFile>(source, task_data, options, {
    format: 'ImageNet',
    needs: `folders of images that are named by their labels, and no ${labelsFile}`,
    find() {
      const found = findLists(source);
      view = found?.view;
      if (found) return found.lists;
      const images = findLabelledImages(source, (name) => task_data.label(name) !== undefined);
      const labels = new Set(images.map((image) => (image.kind === 'image' ? image.label : '')));
      for (const name of [...labels].toSorted()) if (name !== noLabel) task_data.declare_label?.({ name });
      return someOf(images);
    },
    async read(file) {
      if (file.kind === 'list') return readList(view ?? source, file.path, file.subset);
      const { path, label, rest, subset = task_data.meta.subset } = file;
      if (label === noLabel) return undefined;
      return addTag(path, 'the image', frameOf(label, rest, subset, path), rest, label);
    },
  });
};

export const imageNet = defineFormat({
  name: 'ImageNet',
  version: '1.0',
  lacksSubsets: true,
  support: { tag: 'both' },
  detect: detectImageNet,
  read: importImageNet,
  write: exportImageNet,
});
