import { maskBox, maskProblem } from '../../../preload/geometry/mask-runs.ts';
import { AppError } from '../../platform/errors.ts';
import { createAnnotationAdder } from '../kit/add-annotation.ts';
import { type DatasetReader, defineFormat } from '../kit/define-format.ts';
import { findFrame, notInTask } from '../kit/find-frame.ts';
import { imageNames, readImageFiles, subsetOfPath } from '../kit/image-files/read-image-files.ts';
import { readJsonRecord } from '../kit/json-document.ts';
import { byJsonHead } from '../kit/detection.ts';
import { createMaskAdder } from '../kit/mask-files/add-masks.ts';
import { paintedSupport } from '../kit/mask-files/painted-exporter.ts';
import type { ImportOptions } from '../kit/plugin.ts';
import { readOutline } from '../kit/read-outline.ts';
import { createSizeWatch } from '../kit/mask-files/size-watch.ts';
import { brief, createRecordGuard, isFiniteNumber, isRecord, RecordError } from '../kit/records.ts';
import type { FrameInfo, TaskData } from '../kit/task-data.ts';
import { createUnreadMembers } from '../kit/unread-members.ts';
import { detailAttributes, detailNames, type MaskPlace } from './details.ts';
import { exportSa1b } from './export.ts';

/** Default label of masks without one, if the task has it. */
const usualLabel = 'object';

/** Label for masks without one: the option, or the only label. Throws `AppError('invalid')`. */
function createDefaultLabel(task_data: TaskData, { label }: ImportOptions): () => string {
  return () => {
    if (typeof label === 'string' && label !== '') return label;
    const { labels } = task_data.meta;
    const only = labels.length === 1 ? labels[0]?.name : undefined;
    const found = only ?? task_data.label(usualLabel)?.name;
    if (found !== undefined) return found;
    // A project, or a task that can get labels, gets this one.
    if (task_data.declare_label && labels.length === 0) return usualLabel;
    throw new AppError(
      'invalid',
      `The masks of the file have no labels, and the task has ${labels.length}: choose one with the option label. Nothing was imported.`,
    );
  };
}

const annotationMembers: ReadonlySet<string> = new Set([
  'id',
  'segmentation',
  'area',
  'bbox',
  'predicted_iou',
  'label',
  ...detailNames,
]);

/** Pixels of a mask as an export would state them; undefined for other outlines. */
function placeOf({ type, points }: { readonly type: string; readonly points?: readonly number[] }, info: FrameInfo) {
  if (type !== 'mask' || !points || maskProblem(points) !== null) return undefined;
  const { left, top, width, height } = maskBox(points);
  const place: MaskPlace = { bbox: [left, top, width, height], width: info.width, height: info.height };
  return place;
}

/** Reads SA-1B: one JSON file per image, with masks as RLE. */
const importSa1b: DatasetReader = async (source, task_data, options) => {
  const { report, signal } = options;
  const masks = createMaskAdder(report, options.conv_mask_to_poly);
  const noteUnread = createUnreadMembers(report, annotationMembers);
  const defaultLabel = createDefaultLabel(task_data, options);
  const sizes = createSizeWatch(report, { files: 'files', kept: 'their coordinates' });

  const addAnnotation = (value: unknown, info: FrameInfo, path: string, at: string): void => {
    if (!isRecord(value)) throw new RecordError('', `must be an object, but is ${brief(value)}`);
    const { segmentation, bbox, predicted_iou: predicted, label: stated } = value;
    const label = typeof stated === 'string' && stated !== '' ? stated : defaultLabel();
    task_data.declare_label?.({ name: label });
    const outline = readOutline(segmentation, bbox, () => info);
    const score = isFiniteNumber(predicted) && predicted >= 0 && predicted < 1 ? { score: predicted } : {};
    const fields = {
      frame: info.frame,
      label,
      occluded: false,
      attributes: detailAttributes(value, placeOf(outline, info)),
      z_order: 0,
      source: 'file' as const,
      ...score,
    };
    noteUnread(value, label);
    const add = createAnnotationAdder(task_data, report, path);
    if (outline.type === 'mask') return masks.add(add, outline.points, fields, at);
    const parts = outline.type === 'polygon' ? outline.parts : [outline.points];
    const group = parts.length > 1 ? masks.nextGroup() : 0;
    for (const points of parts) add.shape({ ...fields, type: outline.type, points, group }, at);
    for (const problem of outline.problems) report.invalid(path, `${at}.${problem.at}`, problem.message);
    return undefined;
  };

  await readImageFiles(source, task_data, options, {
    needs: 'masks of SA-1B: JSON about one image, with "image" and "annotations"',
    read: async (path) => {
      const { values, lists, problem } = await readJsonRecord(source, path, { lists: ['annotations'], report, signal });
      const image = values.get('image');
      const annotations = lists.get('annotations');
      if (problem !== undefined) report.invalid(path, 'the JSON', problem);
      if (!isRecord(image) || !annotations) {
        if (problem === undefined) report.warn(`${path} was left out: it has no "image", or no "annotations".`);
        return false;
      }
      if (annotations.length === 0) return true;
      const names = imageNames(path, image['file_name']);
      const info = findFrame(task_data, names, subsetOfPath(path), path);
      if (!info) {
        report.invalid(path, 'image', notInTask(names[0]?.slice(0, 200) ?? '', annotations.length));
        return true;
      }
      const { width, height } = image;
      if (isFiniteNumber(width) && isFiniteNumber(height)) sizes.compare(path, { width, height }, info);
      const guarded = createRecordGuard(report, path);
      for (const { at, value } of annotations) guarded(at, () => addAnnotation(value, info, path, at));
      return true;
    },
  });
  sizes.finish();
};

const detectSa1b = byJsonHead(({ path, text, isList, has }) => {
  if (isList || !has('image') || !has('annotations')) return null;
  const isSure = /"(predicted_iou|stability_score|crop_box)"\s*:/.test(text);
  return { reason: `${path} is JSON about one image and its masks.`, confidence: isSure ? 0.95 : 0.6 };
});

export const sa1b = defineFormat({
  name: 'SA-1B JSON',
  version: '1.0',
  support: { ...paintedSupport, attribute: 'partial' },
  detect: detectSa1b,
  importExt: 'JSON, ZIP',
  importOptions: [
    {
      name: 'label',
      title: 'Label for masks without one',
      description: 'SA-1B has no labels. Default: the task’s only label, or "object".',
      kind: 'text',
    },
  ],
  read: importSa1b,
  write: exportSa1b,
});
