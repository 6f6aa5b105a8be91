import { AppError } from '../../platform/errors.ts';
import { isSystemFile, type Source, stripTopFolder } from '../io/source.ts';
import { splitLines } from '../io/text-lines.ts';
import { createAnnotationAdder } from '../kit/add-annotation.ts';
import { notOfFormat } from '../kit/dataset-files.ts';
import { type DatasetReader, defineFormat } from '../kit/define-format.ts';
import { amongFiles, readHead } from '../kit/detection.ts';
import { declareImage, findFrame } from '../kit/find-frame.ts';
import { createMaskAdder } from '../kit/mask-files/add-masks.ts';
import { colorTolerance, toleranceOf, writeLabelColors } from '../kit/mask-files/label-colors.ts';
import { camvidLabels } from '../kit/mask-files/default-labels.ts';
import { declareLabels, isWanted, labelColorsFile, readFileLabels } from '../kit/mask-files/label-file.ts';
import { createPaintedExporter, paintedSupport } from '../kit/mask-files/painted-exporter.ts';
import { mapInstances } from '../kit/mask-files/painted-labels.ts';
import { encodePainted } from '../kit/mask-files/png-writer.ts';
import { createClassReader } from '../kit/mask-files/read-classes.ts';
import { createSizeWatch } from '../kit/mask-files/size-watch.ts';
import { pathParts, resolvePath } from '../kit/yolo-family/dataset-paths.ts';

const maxListBytes = 256 * 1024 * 1024;

/** True for lists of images and masks: text files at the top level whose lines name an image. */
function isListPath(path: string): boolean {
  return /^[^/]+\.txt$/i.test(path) && path !== labelColorsFile && !isSystemFile(path);
}

/** A line of a list: an image and its mask, quoted if a name has spaces. Null for any other line. */
function readListLine(line: string): { readonly image: string; readonly mask: string } | null {
  const text = line.trim();
  if (text.includes('"')) {
    const match = /^"([^"]*)"(?:\s+"([^"]*)")?$/.exec(text);
    return match ? { image: match[1] ?? '', mask: match[2] ?? '' } : null;
  }
  const [image, mask = '', ...more] = text.split(/\s+/);
  return image === undefined || image === '' || more.length > 0 ? null : { image, mask };
}

async function openLists(source: Source): Promise<{ view: Source; lists: string[] }> {
  const view = stripTopFolder(source, isListPath);
  const lists = view.entries.map(({ path }) => path).filter(isListPath);
  return { view, lists };
}

/** Reads CamVid: class masks in colors, named by the lists of the subsets. */
const importCamvid: DatasetReader = async (source, task_data, options) => {
  const { report, signal, progress } = options;
  const { view, lists } = await openLists(source);
  if (source.kind === 'file' || lists.length === 0) {
    throw notOfFormat(source, 'CamVid', 'it has no list such as train.txt, whose lines name an image and its mask');
  }
  const fileLabels = await readFileLabels(view, camvidLabels, report);
  declareLabels(fileLabels, task_data);
  const { labels } = fileLabels;
  const masks = createMaskAdder(report, options.conv_mask_to_poly);
  const sizes = createSizeWatch(report);
  const tolerance = toleranceOf(options);
  const classes = createClassReader({ source: view, labels, tolerance, report, sizes });

  const importLine = async (list: string, at: string, line: string): Promise<void> => {
    const item = readListLine(line);
    if (!item) return report.invalid(list, at, 'a line must be the path of an image and the path of its mask');
    const parts = pathParts(item.image);
    const names = [parts.slice(1).join('/'), parts.join('/')];
    const subset = list.replace(/\.txt$/i, '');
    if (item.mask === '') return declareImage(task_data, names, subset, list);
    const path = resolvePath(item.mask, [''], (candidate) => view.has(candidate));
    if (path === undefined)
      return report.invalid(list, at, `the mask ${item.mask.slice(0, 200)} is not in the dataset`);
    task_data.declare_mask?.(path);
    const frame = findFrame(task_data, names, subset, path);
    if (!frame)
      return report.invalid(path, 'the image', `image "${item.image}" is not in the task: its masks were left out`);
    const add = createAnnotationAdder(task_data, report, path);
    for (const { number, points } of await classes.read(path, frame)) {
      const label = labels[number];
      if (!label || !isWanted(label, number, task_data)) continue;
      masks.add(add, points, { frame: frame.frame, label: label.name }, label.name);
    }
    return undefined;
  };

  for (const [index, list] of lists.entries()) {
    const lines = splitLines(await view.read(list, maxListBytes));
    for (const [number, line] of lines.entries()) {
      signal.throwIfAborted();
      progress((index + number / lines.length) / lists.length);
      if (line.trim() !== '' && !line.trim().startsWith('#')) await importLine(list, `line ${number + 1}`, line);
      await task_data.backpressure?.();
    }
  }
  sizes.finish();
};

const format = 'CamVid';

function quoted(image: string, mask: string): string {
  return /\s/.test(image + mask) ? `"${image}" "${mask}"\n` : `${image} ${mask}\n`;
}

/** Writes CamVid: for each image a class mask in the label colors, and for each subset a list of images and masks. */
const exportCamvid = createPaintedExporter({
  format,
  joinsLabels: true,
  colors: { file: labelColorsFile, hasFields: true, write: (labels) => writeLabelColors(labels.slice(1)) },
  files: ({ labels, numberOf }) => ({
    painting: { keepsGroups: true },
    imagePath: ({ subset, image }) => `${subset}/${image}`,
    async add({ subset, stem, image }, painted, { spill, packed }) {
      if (`${subset}.txt` === labelColorsFile) {
        throw new AppError(
          'invalid',
          `${format} cannot have a subset named "${subset}": the color file has this name. Rename the subset and export again; nothing was exported.`,
        );
      }
      const mask = painted ? `${subset}annot/${stem}.png` : '';
      spill.open(`${subset}.txt`).text(quoted(`/${subset}/${image}`, mask));
      if (!painted) return;
      const classes = mapInstances(painted, ({ leader }) => numberOf(leader.label));
      await packed(
        mask,
        encodePainted(painted, classes, (index) => labels[index]?.color ?? [0, 0, 0], labels.length),
      );
    },
  }),
});

const sampledFiles = 10;
const sampledLines = 200;

/** Looks for lists at the top level whose lines name an image and an existing mask. */
const detectCamvid = amongFiles(async (source) => {
  const view = stripTopFolder(source, isListPath);
  const lists = view.entries.map(({ path }) => path).filter(isListPath);
  for (const path of lists.slice(0, sampledFiles)) {
    const lines = splitLines(await readHead(view, path, 64 * 1024)).slice(0, sampledLines);
    for (const line of lines) {
      const item = readListLine(line);
      const mask = item && item.mask !== '' ? resolvePath(item.mask, [''], (one) => view.has(one)) : undefined;
      if (mask !== undefined) return { reason: `${path} names images and masks such as ${mask}.`, confidence: 0.95 };
    }
  }
  if (lists.length === 0 || !view.has(labelColorsFile)) return null;
  return { reason: `It has ${labelColorsFile} and lists of images.`, confidence: 0.5 };
});

export const camvid = defineFormat({
  name: 'CamVid',
  version: '1.0',
  support: paintedSupport,
  detect: detectCamvid,
  importOptions: [colorTolerance],
  read: importCamvid,
  write: exportCamvid,
});
