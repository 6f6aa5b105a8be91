import { isSystemFile, type Source, stripTopFolder } from '../io/source.ts';
import { splitLines } from '../io/text-lines.ts';
import { createAnnotationAdder } from '../kit/add-annotation.ts';
import { eachFile, notOfFormat } from '../kit/dataset-files.ts';
import { withoutExtension } from '../kit/dataset-items.ts';
import { carries, type DatasetReader, defineFormat } from '../kit/define-format.ts';
import { amongFiles, isWithinReach } from '../kit/detection.ts';
import { findFrame, notInTask } from '../kit/find-frame.ts';
import { createMaskAdder } from '../kit/mask-files/add-masks.ts';
import { cityscapesLabels } from '../kit/mask-files/default-labels.ts';
import {
  crowdAttributes,
  declareLabels,
  isWanted,
  labelColorsFile,
  readFileLabels,
} from '../kit/mask-files/label-file.ts';
import { createUnknownValues, readNumbers } from '../kit/mask-files/read-classes.ts';
import { createSizeWatch } from '../kit/mask-files/size-watch.ts';
import { readKittiRow, shapeOfRow } from './box-row.ts';
import { exportKitti } from './export.ts';

const maxLabelBytes = 64 * 1024 * 1024;

interface KittiFile {
  readonly path: string;
  readonly kind: 'boxes' | 'instances';
  readonly subset: string;
  readonly stem: string;
}

const isExpected = (path: string): boolean =>
  /^[^/]+\/(label_2|instance|image_2)\//.test(path) || path === labelColorsFile;

/** `<subset>/label_2/<image>.txt` and `<subset>/instance/<image>.png`. */
function findKittiFiles(source: Source): KittiFile[] {
  return source.entries.flatMap(({ path }): KittiFile[] => {
    const match = /^(?:(?:.*\/)?([^/]+)\/)?(label_2|instance)\/(.+\.(?:txt|png))$/i.exec(path);
    if (!match || isSystemFile(path)) return [];
    const [, subset = 'default', folder = '', name = ''] = match;
    const kind = folder.toLowerCase() === 'label_2' ? 'boxes' : 'instances';
    if ((kind === 'boxes') !== /\.txt$/i.test(name)) return [];
    return [{ path, kind, subset, stem: withoutExtension(name) }];
  });
}

/** Reads KITTI: boxes of label files, and masks of instance images if there are any. */
const importKitti: DatasetReader = async (source, task_data, options) => {
  const { report } = options;
  const view = stripTopFolder(source, isExpected);
  const files = findKittiFiles(view);
  if (files.length === 0 && !view.entries.some(({ path }) => isExpected(path))) {
    throw notOfFormat(source, 'KITTI', 'it has neither boxes (label_2) nor masks (instance)');
  }
  const fileLabels = await readFileLabels(view, cityscapesLabels, report);
  declareLabels(fileLabels, task_data);
  const { labels } = fileLabels;
  const masks = createMaskAdder(report, options.conv_mask_to_poly);
  const sizes = createSizeWatch(report);
  const isLabel = (type: string): boolean =>
    task_data.label(type) !== undefined || (fileLabels.isStated && labels.some(({ name }) => name === type));

  const importBoxes = async ({ path, subset, stem }: KittiFile): Promise<void> => {
    const lines = splitLines(await view.read(path, maxLabelBytes));
    const count = lines.filter((line) => line.trim() !== '').length;
    if (count === 0) return undefined;
    const frame = findFrame(task_data, [`${stem}.png`], subset, path);
    if (!frame) return report.invalid(path, 'line 1', notInTask(stem, count));
    const add = createAnnotationAdder(task_data, report, path);
    for (const [index, line] of lines.entries()) {
      if (line.trim() === '') continue;
      const row = readKittiRow(line, isLabel);
      const at = `line ${index + 1}`;
      if (typeof row === 'string') report.invalid(path, at, row);
      else add.shape(shapeOfRow(row, frame.frame, task_data.label(row.type), report), at);
    }
    return undefined;
  };

  const importInstances = async ({ path, subset, stem }: KittiFile): Promise<void> => {
    const frame = findFrame(task_data, [`${stem}.png`], subset, path);
    if (!frame) return report.invalid(path, 'the image', `image "${stem}" is not in the task: its masks were left out`);
    const found = await readNumbers(path, frame, { source: view, report, sizes });
    if (!found) return undefined;
    const unknown = createUnknownValues(report, (value) => `the number ${value} (label ${value >> 8})`);
    const add = createAnnotationAdder(task_data, report, path);
    for (const [value, { points, area }] of found) {
      const number = value >> 8;
      const label = labels[number];
      if (!label) unknown.count(value, area);
      else if (isWanted(label, number, task_data)) {
        const attributes = crowdAttributes((value & 255) === 0, task_data.label(label.name));
        masks.add(add, points, { frame: frame.frame, label: label.name, attributes }, `number ${value}`);
      }
    }
    unknown.finish(path, 'numbers belong to no label');
    return undefined;
  };

  await eachFile(files, task_data, options, (file) =>
    file.kind === 'boxes' ? importBoxes(file) : importInstances(file),
  );
  sizes.finish();
};

/** Detects boxes in a folder `label_2`, or masks in a folder `instance`. */
const detectKitti = amongFiles((source) => {
  const file = findKittiFiles(source).find(({ path }) => isWithinReach(path));
  if (file) {
    const what = file.kind === 'boxes' ? 'a label file' : 'an instance mask';
    return { reason: `${file.path} is ${what} in the folder that KITTI uses.`, confidence: 0.95 };
  }
  const image = source.entries.find(({ path }) => /(^|\/)image_2\//.test(path))?.path;
  return image === undefined
    ? null
    : { reason: `${image} is in the folder that KITTI uses for its images.`, confidence: 0.5 };
});

export const kitti = defineFormat({
  name: 'KITTI',
  version: '1.0',
  support: carries({
    both: ['rectangle', 'mask'],
    converted: ['rotated rectangle', 'ellipse', 'polygon', 'track'],
    partial: ['attribute'],
  }),
  detect: detectKitti,
  read: importKitti,
  write: exportKitti,
});
