import { vocColor } from '../../../preload/contract/colors.ts';
import type { Source } from '../io/source.ts';
import type { AnnotationAdder } from '../kit/add-annotation.ts';
import type { MaskAdder } from '../kit/mask-files/add-masks.ts';
import type { PaintedFrame } from '../kit/mask-files/frame-painter.ts';
import { backgroundName, colorNumber, createColorResolver, type LabelColor } from '../kit/mask-files/label-colors.ts';
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
import type { createSizeWatch } from '../kit/mask-files/size-watch.ts';
import type { FormatReport } from '../kit/report.ts';
import type { FrameInfo } from '../kit/task-data.ts';
import { borderColor } from './labelmap.ts';

/** Between this many colours of objects, as many as an image of 24 bits has. */
const objectColors = 2 ** 24;

interface MaskReaderOptions {
  readonly source: Source;
  readonly labels: readonly LabelColor[];
  readonly tolerance: number;
  readonly report: FormatReport;
  readonly masks: MaskAdder;
  readonly sizes: ReturnType<typeof createSizeWatch>;
}

interface MaskPaths {
  readonly classPath: string;
  readonly objectPath: string | undefined;
}

/** Reads an image of classes, and with it one of objects, as masks: one for each label of each object. */
export function createMaskReader({ source, labels, tolerance, report, masks, sizes }: MaskReaderOptions) {
  const resolver = createColorResolver(labels, tolerance);
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
    /** Adds the masks of an image; a file that cannot be read is reported. */
    async read({ classPath, objectPath }: MaskPaths, frame: FrameInfo, add: AnnotationAdder): Promise<void> {
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
        const fields = {
          frame: frame.frame,
          label,
          occluded: false,
          attributes: [],
          z_order: 0,
          source: 'file' as const,
        };
        masks.add(add, points, fields, label);
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
