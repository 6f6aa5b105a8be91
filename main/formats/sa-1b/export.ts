import { posix } from 'node:path';
import { maskBox, maskToRunLengths } from '../../../preload/geometry/mask-runs.ts';
import { areaOfCounts, compressCounts } from '../../../preload/geometry/run-length.ts';
import { withoutExtension } from '../kit/dataset-items.ts';
import { visibleShapes, writeImageFiles } from '../kit/image-files/write-image-files.ts';
import { createLossNotes } from '../kit/dropped-details.ts';
import { hasArea, shapeMask } from '../kit/mask-files/shape-mask.ts';
import type { Exporter } from '../kit/plugin.ts';
import type { Frame, LabeledShape } from '../kit/task-data.ts';
import { detailNames, detailsOf } from './details.ts';

const format = 'SA-1B';

/** Writes one JSON file beside each image with its masks as RLE: `<subset>/<path>.json`. */
export const exportSa1b: Exporter = async (file_object, task_data, options) => {
  const { report } = options;
  const notes = createLossNotes(report, format, { score: true, rotation: true, attributes: new Set(detailNames) });
  notes.tracks(task_data);
  let lastAnnotation = 0;
  let lastImage = 0;

  const maskOf = (shape: LabeledShape, frame: Frame): readonly number[] | string => {
    if (!hasArea(shape)) return `${format} has masks only.`;
    if (!shape.points.every(Number.isFinite)) return 'Its coordinates are not finite numbers.';
    if (!(frame.width > 0 && frame.height > 0))
      return 'The size of the image is not known, and a mask cannot be written without it.';
    return shapeMask(shape, frame) ?? 'It has no pixel in the image.';
  };

  const annotationOf = (shape: LabeledShape, frame: Frame): Record<string, unknown>[] => {
    const { type, label, score = 1 } = shape;
    const mask = maskOf(shape, frame);
    const runs = typeof mask === 'string' ? undefined : maskToRunLengths(mask, frame.width, frame.height);
    const area = runs ? areaOfCounts(runs.counts) : 0;
    if (typeof mask === 'string' || !runs || area === 0) {
      report.dropped(type, label, typeof mask === 'string' ? mask : 'It has no pixel in the image.');
      return [];
    }
    notes.shape(shape);
    if (type !== 'mask') report.dropped(type, label, `${format} has no ${type}s: written as a mask.`);
    else report.included('mask', label);
    const { left, top, right, bottom, width, height } = maskBox(mask);
    if (left < 0 || top < 0 || right >= frame.width || bottom >= frame.height)
      report.dropped(type, label, 'Pixels outside the image were cut off.');
    lastAnnotation += 1;
    const place = { bbox: [left, top, width, height], width: frame.width, height: frame.height } as const;
    const unusable = (name: string): void =>
      report.dropped('attribute', label, `${format} cannot hold this value of the attribute "${name}".`);
    return [
      {
        id: lastAnnotation,
        segmentation: { size: [runs.height, runs.width], counts: compressCounts(runs.counts) },
        area,
        bbox: place.bbox,
        predicted_iou: score,
        ...detailsOf(shape.attributes, place, unusable),
        // Not part of SA-1B, which has no labels; other readers ignore the member.
        label,
      },
    ];
  };

  const layout = {
    format,
    filePath: ({ subset }: { readonly subset: string }, image: string) => `${subset}/${withoutExtension(image)}.json`,
    imagePath: (subset: string, image: string) => `${subset}/${image}`,
  };
  await writeImageFiles(file_object, task_data, options, layout, ({ frame }, image) => {
    for (const { label } of frame.tags) report.dropped('tag', label, `${format} has no image-level labels.`);
    const annotations = visibleShapes(frame.labeled_shapes).flatMap((shape) => annotationOf(shape, frame));
    lastImage += 1;
    const file = { image_id: lastImage, width: frame.width, height: frame.height, file_name: posix.basename(image) };
    return `${JSON.stringify({ image: file, annotations })}\n`;
  });
};
