import { createAnnotationAdder } from '../kit/add-annotation.ts';
import { brief, RecordError, isFiniteNumber, isRecord } from '../kit/records.ts';
import { findFrame } from '../kit/find-frame.ts';
import { imageNames, subsetOfPath } from '../kit/image-files/image-names.ts';
import { isJsonFile, readImageFiles } from '../kit/image-files/read-image-files.ts';
import { readJsonItems } from '../kit/json-items.ts';
import type { DatasetReader } from '../kit/define-format.ts';
import { createRecordGuard } from '../kit/record-guard.ts';
import { withoutNoise } from '../kit/short-decimals.ts';
import { createUnreadMembers } from '../kit/unread-members.ts';
import { byJsonHead } from '../kit/json-heads.ts';

/** Left, top, right and bottom of a box that is stated by its centre. */
function boxOf(coordinates: unknown): number[] {
  if (!isRecord(coordinates)) throw new RecordError('coordinates', `must be an object, but is ${brief(coordinates)}`);
  const { x, y, width, height } = coordinates;
  if (!isFiniteNumber(x) || !isFiniteNumber(y) || !isFiniteNumber(width) || !isFiniteNumber(height))
    throw new RecordError('coordinates', 'must have four numbers: x, y, width and height');
  if (width < 0 || height < 0) throw new RecordError('coordinates', `has a negative size, ${width} × ${height}`);
  return [x - width / 2, y - height / 2, x + width / 2, y + height / 2].map(withoutNoise);
}

function labelOf({ label }: Readonly<Record<string, unknown>>): string {
  if (typeof label === 'string' && label !== '') return label;
  throw new RecordError('label', `must be a text, but is ${brief(label)}`);
}

const annotationMembers: ReadonlySet<string> = new Set(['label', 'coordinates', 'confidence']);

/** Apple's lists of images with boxes; lists that have one label for an image give tags. */
export const importCreateMl: DatasetReader = async (source, task_data, options) => {
  const { report } = options;
  const noteUnread = createUnreadMembers(report, annotationMembers);

  const createReader = (path: string) => {
    const add = createAnnotationAdder(task_data, report, path);
    const guarded = createRecordGuard(report, path);
    return (value: unknown, at: string): void =>
      guarded(at, () => {
        if (!isRecord(value)) throw new RecordError('', `must be an object, but is ${brief(value)}`);
        // Versions of the format differ in these names.
        const stated = value['image'] ?? value['imagefilename'] ?? value['filename'];
        const found = value['annotations'] ?? value['annotation'] ?? [];
        const list: readonly unknown[] = Array.isArray(found) ? found : [found];
        if (list.length === 0) return;
        const names = imageNames(path, stated).slice(0, -1);
        if (names.length === 0) throw new RecordError('image', `must be a text, but is ${brief(stated)}`);
        const info = findFrame(task_data, names, subsetOfPath(path));
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
            const score = isFiniteNumber(confidence) && confidence >= 0 && confidence < 1 ? { score: confidence } : {};
            const points = boxOf(annotation['coordinates']);
            const shape = { ...plain, type: 'rectangle' as const, points, label: labelOf(annotation) };
            noteUnread(annotation, shape.label);
            return add.shape({ ...shape, occluded: false, z_order: 0, ...score }, place);
          });
        });
      });
  };

  await readImageFiles({
    source,
    task_data,
    options,
    isFile: isJsonFile,
    needs: 'list of CreateML: JSON with "image" and "annotations" for each image',
    read: (path, onProgress) => {
      const item = createReader(path);
      const between = (): Promise<void> | undefined => task_data.backpressure?.();
      return readJsonItems(source, path, { key: undefined, item, between, options, onProgress });
    },
  });
};

export const detectCreateMl = byJsonHead(({ path, text, isList, has }) => {
  const hasImages = has('image') || has('imagefilename') || has('filename');
  if (!isList || !hasImages || !(has('annotations') || has('annotation'))) return null;
  // Label Studio's lists have such members, too.
  if (has('data') || /"(rectangle|polygon|ellipse|keypoint|brush)labels"\s*:/.test(text)) return null;
  return /"coordinates"\s*:/.test(text)
    ? { reason: `${path} is a JSON list of images with boxes.`, confidence: 0.95 }
    : { reason: `${path} is a JSON list of images with annotations.`, confidence: 0.6 };
});
