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

/** Between this many colours of objects, as many as an image of 24 bits has. */
const objectColors = 2 ** 24;

/** Colours of labels: of the label map, else of the task, else of the published data sets. */
function maskLabels(labelmap: readonly VocLabel[] | undefined, task_data: TaskData): LabelColor[] {
  if (labelmap) return colorsOf(labelmap);
  const own = task_data.meta.labels.flatMap(({ name, color }): LabelColor[] => {
    const read = hexToColor(color);
    return read ? [{ name, color: read }] : [];
  });
  return [...own.filter(({ name }) => name !== 'background'), ...colorsOf(standardLabels())];
}

/**
 * Reads images of classes, and with them those of objects, as masks: one for each label of each object. Their colours
 * may be off as far as the option `color_tolerance` says.
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
    report.bad(path, 'the image', 'it has another size than the image of classes: its objects were not told apart');
    return undefined;
  };

  /** Number of the label that a pixel of the image of classes means. */
  const labelReader = (image: MaskImage, unknown: ReturnType<typeof createUnknownValues>) => {
    // Grey images of the published kind have 255 where the border is.
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
    /** Adds the masks of an image; a file that cannot be read is reported. */
    async read(stem: string, stated?: FrameInfo): Promise<void> {
      const classPath = classMasks.get(stem);
      const objectPath = objectMasks.get(stem);
      if (classPath === undefined) {
        if (objectPath !== undefined)
          report.bad(objectPath, 'the image', 'there is no image of classes that tells the labels of its objects');
        return;
      }
      const frame = stated ?? findFrame(task_data, namesOf(stem), subsetOf(stem), classPath);
      if (!frame) {
        report.bad(classPath, 'the image', `image "${stem}" is not in the task: its masks were left out`);
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
 * The image of classes in the labels' colours, and the image of objects in VOC's: with palettes whose numbers are the
 * labels' and the objects' own, as long as these have room for them.
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
