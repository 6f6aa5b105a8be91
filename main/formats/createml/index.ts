import { createAnnotationAdder } from '../kit/add-annotation.ts';
import { boxProblem, createCarrier, createLossNotes } from '../kit/dropped-details.ts';
import { type DatasetReader, defineFormat } from '../kit/define-format.ts';
import { findFrame } from '../kit/find-frame.ts';
import { labelAt } from '../kit/image-files/image-documents.ts';
import { imageNames, readImageFiles, subsetOfPath } from '../kit/image-files/read-image-files.ts';
import { imageListExporter } from '../kit/image-files/list-exporter.ts';
import { readJsonItems } from '../kit/json-document.ts';
import { byJsonHead } from '../kit/detection.ts';
import type { Exporter } from '../kit/plugin.ts';
import { readScore } from '../kit/read-score.ts';
import { brief, createRecordGuard, isFiniteNumber, isRecord, RecordError } from '../kit/records.ts';
import { addDecimals, withoutNoise } from '../kit/short-decimals.ts';
import type { LabeledShape } from '../kit/task-data.ts';
import { createUnreadMembers, createUnreadOfImages } from '../kit/unread-members.ts';

/** Left, top, right and bottom of a box that is stated by its center. */
function boxOf(coordinates: unknown): number[] {
  if (!isRecord(coordinates)) throw new RecordError('coordinates', `must be an object, but is ${brief(coordinates)}`);
  const { x, y, width, height } = coordinates;
  if (!isFiniteNumber(x) || !isFiniteNumber(y) || !isFiniteNumber(width) || !isFiniteNumber(height))
    throw new RecordError('coordinates', 'must have four numbers: x, y, width and height');
  if (width < 0 || height < 0) throw new RecordError('coordinates', `has a negative size, ${width} × ${height}`);
  return [x - width / 2, y - height / 2, x + width / 2, y + height / 2].map(withoutNoise);
}

const imageMembers: ReadonlySet<string> = new Set('image imagefilename filename annotations annotation'.split(' '));
const annotationMembers: ReadonlySet<string> = new Set(['label', 'coordinates', 'confidence']);

/** Reads Create ML: lists of images with boxes. Lists with one label per image give tags. */
const importCreateMl: DatasetReader = async (source, task_data, options) => {
  const { report } = options;
  const noteUnread = createUnreadMembers(report, annotationMembers);
  const unreadOfImages = createUnreadOfImages(report, imageMembers);

  const createReader = (path: string) => {
    const add = createAnnotationAdder(task_data, report, path);
    const guarded = createRecordGuard(report, path);
    return (value: unknown, at: string): void =>
      guarded(at, () => {
        if (!isRecord(value)) throw new RecordError('', `must be an object, but is ${brief(value)}`);
        // These names differ between versions of the format.
        const stated = value['image'] ?? value['imagefilename'] ?? value['filename'];
        const found = value['annotations'] ?? value['annotation'] ?? [];
        const list: readonly unknown[] = Array.isArray(found) ? found : [found];
        unreadOfImages.note(value);
        if (list.length === 0) return;
        const names = imageNames(path, stated).slice(0, -1);
        if (names.length === 0) throw new RecordError('image', `must be a string, but is ${brief(stated)}`);
        const info = findFrame(task_data, names, subsetOfPath(path), path);
        if (!info)
          throw new RecordError(
            'image',
            `${brief(stated)} is not in the task: its ${list.length} objects were left out`,
          );
        const plain = { frame: info.frame, attributes: [], group: 0, source: 'file' as const };
        list.forEach((annotation, index) => {
          const place = `${at}.annotations[${index}]`;
          guarded(place, () => {
            if (typeof annotation === 'string') return add.tag({ ...plain, label: annotation }, place);
            if (!isRecord(annotation)) throw new RecordError('', `must be an object, but is ${brief(annotation)}`);
            const { confidence } = annotation;
            const points = boxOf(annotation['coordinates']);
            const shape = {
              ...plain,
              type: 'rectangle' as const,
              points,
              label: labelAt(annotation['label'], 'label'),
            };
            noteUnread(annotation, shape.label);
            const score = readScore(confidence, (rule) => report.dropped('attribute', shape.label, rule));
            return add.shape({ ...shape, occluded: false, z_order: 0, ...score }, place);
          });
        });
      });
  };

  await readImageFiles(source, task_data, options, {
    needs: 'list of CreateML: JSON with "image" and "annotations" for each image',
    read: (path, onProgress) => {
      const item = createReader(path);
      const between = (): Promise<void> | undefined => task_data.backpressure?.();
      return readJsonItems(source, path, { key: undefined, item, between, options, onProgress });
    },
  });
  unreadOfImages.finish();
};

const detectCreateMl = byJsonHead(({ path, text, isList, has }) => {
  const hasImages = has('image') || has('imagefilename') || has('filename');
  if (!isList || !hasImages || !(has('annotations') || has('annotation'))) return null;
  // Label Studio's lists have these members too.
  if (has('data') || /"(rectangle|polygon|ellipse|keypoint|brush)labels"\s*:/.test(text)) return null;
  return /"coordinates"\s*:/.test(text)
    ? { reason: `${path} is a JSON list of images with boxes.`, confidence: 0.95 }
    : { reason: `${path} is a JSON list of images with annotations.`, confidence: 0.6 };
});

const format = 'CreateML';

function problemOf(shape: LabeledShape): string | undefined {
  const isTurned = shape.type === 'rectangle' && (shape.rotation ?? 0) % 360 !== 0;
  return isTurned ? `${format} has no rotated boxes.` : boxProblem(shape, format);
}

/** The format states boxes by their centers. */
function annotationOf({ label, points: [x1 = 0, y1 = 0, x2 = 0, y2 = 0] }: LabeledShape): object {
  const coordinates = {
    x: withoutNoise((x1 + x2) / 2),
    y: withoutNoise((y1 + y2) / 2),
    width: Math.abs(addDecimals(x2, -x1)),
    height: Math.abs(addDecimals(y2, -y1)),
  };
  return { label, coordinates };
}

/** Writes `<subset>/annotations.json`, a list of images, with the images beside it. */
const exportCreateMl: Exporter = (file_object, task_data, options) => {
  const { report } = options;
  const notes = createLossNotes(report, format, { rotation: true });
  notes.tracks(task_data);
  const carrier = createCarrier(report, notes);
  return imageListExporter({
    format,
    listPath: (subset) => `${subset}/annotations.json`,
    imagePath: (subset, image) => `${subset}/${image}`,
    element({ tags, labeled_shapes: shapes }, { name: image }) {
      for (const { label } of tags) report.dropped('tag', label, `${format} has no labels for images with boxes.`);
      return { image, annotations: carrier.shapes(shapes, problemOf).map(annotationOf) };
    },
  })(file_object, task_data, options);
};

export const createMl = defineFormat({
  name: 'CreateML',
  version: '1.0',
  support: { rectangle: 'both', tag: 'import', track: 'converted' },
  importExt: 'JSON, ZIP',
  detect: detectCreateMl,
  read: importCreateMl,
  write: exportCreateMl,
});
