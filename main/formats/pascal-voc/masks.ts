import { hexToColor, vocColor } from '../../../preload/contract/colors.ts';
import { createAnnotationAdder } from '../kit/add-annotation.ts';
import { findFrame } from '../kit/find-frame.ts';
import { createMaskAdder } from '../kit/mask-files/add-masks.ts';
import type { PaintedFrame } from '../kit/mask-files/frame-painter.ts';
import {
  backgroundName,
  colorNumber,
  createColorResolver,
  type LabelColor,
  toleranceOf,
} from '../kit/mask-files/label-colors.ts';
import { mapInstances } from '../kit/mask-files/painted-labels.ts';
import { encodePainted } from '../kit/mask-files/png-writer.ts';
import {
  createUnknownValues,
  describeColor,
  manyColors,
  nothing,
  tryReadImage,
  trySplit,
} from '../kit/mask-files/read-classes.ts';
import type { MaskImage } from '../kit/mask-files/read-image.ts';
import { createSizeWatch } from '../kit/mask-files/size-watch.ts';
import type { ImportOptions } from '../kit/plugin.ts';
import type { FrameInfo, TaskData } from '../kit/task-data.ts';
import { borderColor, colorsOf, standardLabels, type VocLabel } from './labelmap.ts';
import { namesOf, type VocLayout } from './layout.ts';

/** Object colors are spread over this range, the number of 24-bit colors. */
const objectColors = 2 ** 24;

/** Label colors from the label map, else from the task, else from the published datasets. */
function maskLabels(labelmap: readonly VocLabel[] | undefined, task_data: TaskData): LabelColor[] {
  if (labelmap) return colorsOf(labelmap);
  const own = task_data.meta.labels.flatMap(({ name, color }): LabelColor[] => {
    const read = hexToColor(color);
    return read ? [{ name, color: read }] : [];
  });
  return [...own.filter(({ name }) => name !== 'background'), ...colorsOf(standardLabels())];
}

/**
 * Reads class masks together with object masks: one mask per label and object. Colors may differ by the option
 * `color_tolerance`.
 */
export function createMaskReader(
  { source, classMasks, objectMasks, subsetOf }: VocLayout,
  labelmap: readonly VocLabel[] | undefined,
  task_data: TaskData,
  options: ImportOptions,
) {
  const { report } = options;
  const labels = maskLabels(labelmap, task_data);
  const masks = createMaskAdder(report, options.conv_mask_to_poly);
  const sizes = createSizeWatch(report);
  const resolver = createColorResolver(labels, toleranceOf(options));
  const border = colorNumber(borderColor);

  const readObjects = async (path: string | undefined, classes: MaskImage): Promise<MaskImage | undefined> => {
    const objects = path === undefined ? undefined : await tryReadImage(source, path, report);
    if (path === undefined || !objects) return undefined;
    if (objects.width === classes.width && objects.height === classes.height) return objects;
    report.invalid(path, 'the image', 'its size differs from the class mask: its objects were not separated');
    return undefined;
  };

  /** Returns the label number for a pixel of the class mask. */
  const labelReader = (image: MaskImage, unknown: ReturnType<typeof createUnknownValues>) => {
    // Published gray masks have 255 for the border.
    const borderValue = image.isColor ? border : 255;
    return (index: number): number => {
      const value = image.valueAt(index);
      const label = image.isColor ? resolver.resolve(value) : value < labels.length ? value : -1;
      if (label >= 0) return labels[label]?.name === backgroundName ? nothing : label;
      if (value !== borderValue && value !== 0) unknown.count(value);
      return nothing;
    };
  };

  return {
    nextGroup: masks.nextGroup,
    finish: sizes.finish,
    /** Adds the masks of an image. Unreadable files are reported. */
    async read(stem: string, stated?: FrameInfo): Promise<void> {
      const classPath = classMasks.get(stem);
      const objectPath = objectMasks.get(stem);
      if (classPath === undefined) {
        if (objectPath !== undefined)
          report.invalid(objectPath, 'the image', 'there is no class mask with the labels of its objects');
        return;
      }
      const frame = stated ?? findFrame(task_data, namesOf(stem), subsetOf(stem), classPath);
      if (!frame) {
        report.invalid(classPath, 'the image', `image "${stem}" is not in the task: its masks were left out`);
        return;
      }
      const add = createAnnotationAdder(task_data, report, classPath);
      const classes = await tryReadImage(source, classPath, report);
      if (!classes) return;
      sizes.compare(classPath, classes, frame);
      const objects = await readObjects(objectPath, classes);
      const unknown = createUnknownValues(report, describeColor(classes.isColor));
      const labelAt = labelReader(classes, unknown);
      const valueAt = (index: number): number => {
        const label = labelAt(index);
        return label < 0 ? nothing : label * objectColors + (objects?.valueAt(index) ?? 0);
      };
      const found = trySplit(classes, valueAt, classPath, report);
      unknown.finish(classPath, manyColors);
      for (const [value, { points }] of found) {
        const label = labels[Math.floor(value / objectColors)]?.name ?? '';
        masks.add(add, points, { frame: frame.frame, label }, label);
      }
    },
  };
}

/**
 * Writes the class mask in label colors and the object mask in VOC colors. Palette indices are the label and object
 * numbers while they fit.
 */
export function writeMaskImages(
  painted: PaintedFrame,
  labels: readonly LabelColor[],
  numberOf: (label: string) => number,
): { readonly classes: Buffer; readonly objects: Buffer } {
  const { instances } = painted;
  let objects = 0;
  const objectNumbers = instances.map(({ leader }) => (leader.label === backgroundName ? 0 : (objects += 1)));
  const classes = mapInstances(painted, ({ leader }) => numberOf(leader.label));
  return {
    classes: encodePainted(painted, classes, (index) => labels[index]?.color ?? [0, 0, 0], labels.length),
    objects: encodePainted(
      painted,
      mapInstances(painted, (_, place) => objectNumbers[place] ?? 0),
      vocColor,
      objects + 1,
    ),
  };
}
