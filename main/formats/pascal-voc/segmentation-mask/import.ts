import { notOfFormat } from '../../kit/dataset-files.ts';
import { createAnnotationAdder } from '../../kit/add-annotation.ts';
import { findFrame } from '../../kit/find-frame.ts';
import { createMaskAdder } from '../../kit/mask-files/add-masks.ts';
import { createSizeWatch } from '../../kit/mask-files/size-watch.ts';
import { numberOption } from '../../kit/option-values.ts';
import { maskLabels, namesOf } from '../import.ts';
import { findLabelmap } from '../labelmap.ts';
import { openVoc } from '../layout.ts';
import { createMaskReader } from '../read-masks.ts';
import type { DatasetReader } from '../../kit/define-format.ts';

const format = 'Segmentation mask';

/** Imports the segmentation images of a VOC data set, and nothing else of it. */
export const importSegmentationMask: DatasetReader = async (source, task_data, options) => {
  const { report, signal, progress } = options;
  const layout = await openVoc(source);
  const hasLists = layout.source.entries.some(({ path }) => path.startsWith('ImageSets/Segmentation/'));
  if (layout.classMasks.size === 0 && layout.objectMasks.size === 0 && !hasLists) {
    throw notOfFormat(source, format, 'it has no images in a folder SegmentationClass');
  }
  const labelmap = await findLabelmap(layout.source, report);
  for (const { name } of labelmap ?? []) if (name !== 'background') task_data.declare_label?.({ name });
  const sizes = createSizeWatch(report);
  const masks = createMaskReader({
    source: layout.source,
    labels: maskLabels(labelmap, task_data),
    tolerance: numberOption(options, 'color_tolerance', { fallback: 0, minimum: 0, maximum: 255 }),
    report,
    masks: createMaskAdder(report, options.conv_mask_to_poly),
    sizes,
  });
  let done = 0;
  for (const [stem, classPath] of layout.classMasks) {
    signal.throwIfAborted();
    progress(done / layout.classMasks.size);
    done += 1;
    const frame = findFrame(task_data, namesOf(stem), layout.subsetOf(stem));
    const paths = { classPath, objectPath: layout.objectMasks.get(stem) };
    if (frame) await masks.read(paths, frame, createAnnotationAdder(task_data, report, classPath));
    else report.bad(classPath, 'the image', `image "${stem}" is not in the task: its masks were left out`);
    await task_data.backpressure?.();
  }
  for (const [stem, path] of layout.objectMasks) {
    if (!layout.classMasks.has(stem))
      report.bad(path, 'the image', 'there is no image of classes that tells the labels of its objects');
  }
  sizes.finish();
};
