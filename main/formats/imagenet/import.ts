import { createAnnotationAdder } from '../kit/add-annotation.ts';
import { readDatasetFiles, readRows, someOf } from '../kit/dataset-files.ts';
import { findFrame } from '../kit/find-frame.ts';
import type { Source } from '../io/source.ts';
import { splitLines } from '../io/text-lines.ts';
import { createLabelledFrames, noLabel } from '../kit/label-folders.ts';
import type { DatasetReader } from '../kit/define-format.ts';
import type { FrameInfo } from '../kit/task-data.ts';
import { isImagePath } from '../kit/yolo-family/dataset-paths.ts';
import { findLabelledImages, findLists, type ImageNetFile, labelsFile, readListLine } from './files.ts';

/** ImageNet: images in folders that are called by their labels, or lists of images with the numbers of labels. */
export const importImageNet: DatasetReader = async (source, task_data, options) => {
  const { report } = options;
  const frameOf = createLabelledFrames(task_data);
  const seen = new Set<string>();
  let names: readonly string[] | undefined;
  let view: Source | undefined;

  const addTag = (path: string, at: string, frame: FrameInfo | undefined, image: string, label: string): void => {
    if (!frame) return report.bad(path, at, `image "${image}" is not in the task: its label was left out`);
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
      if (typeof row === 'string') return report.bad(path, at, row);
      const { image } = row;
      if (row.labels.length === 0) return undefined;
      const frame = findFrame(task_data, [isImagePath(image) ? image : `${image}.jpg`], subset);
      for (const number of row.labels) {
        const label = labels[number];
        if (label === undefined || label === '')
          report.bad(path, at, `label ${number} has no name: ${labelsFile} names ${labels.length} labels`);
        else addTag(path, at, frame, image, label);
      }
      return undefined;
    };
    await readRows(source, path, { task_data, options }, takeLine);
  };

  await readDatasetFiles<ImageNetFile>({
    source,
    task_data,
    options,
    format: 'ImageNet',
    needs: `folders of images that are called by their labels, and no ${labelsFile}`,
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
      return addTag(path, 'the image', frameOf(label, rest, subset), rest, label);
    },
  });
};
