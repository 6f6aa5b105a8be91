import type { ShapeType } from '../../../preload/contract/annotation-names.ts';
import { maskBox, maskToRunLengths } from '../../../preload/geometry/mask-runs.ts';
import { compressCounts } from '../../../preload/geometry/run-length.ts';
import { createJsonWriter, type JsonWriter } from '../io/json-writer.ts';
import type { ZipWriter } from '../io/zip-writer.ts';
import { subsetName, withoutExtension } from '../kit/dataset-items.ts';
import { createExportSteps } from '../kit/export-steps.ts';
import { imageName, writeArchive } from '../kit/frame-images.ts';
import type { Exporter, ExportOptions } from '../kit/plugin.ts';
import { fieldNames, tellingSources } from '../kit/read-attributes.ts';
import type { FormatReport } from '../kit/report.ts';
import { addDecimals } from '../kit/short-decimals.ts';
import { isKeyframe } from '../kit/skeletons.ts';
import { walkSubsets } from '../kit/subset-walk.ts';
import type { Attribute, Frame, FrameInfo, LabeledShape, LabelInfo, Tag, TaskData } from '../kit/task-data.ts';
import { numberedLabels, writeCategories } from './labels.ts';

const format = 'Datumaro';

function createAnnotationWriter(json: JsonWriter, labels: readonly LabelInfo[], report: FormatReport) {
  const numbers = new Map<string, number>();
  const infos = new Map(labels.map((label) => [label.name, label]));
  numberedLabels(labels).forEach(({ label, parent }, id) => {
    if (parent === '') numbers.set(label.name, id);
  });
  let isFirst = true;

  const writeOwn = (attributes: readonly Attribute[], label: LabelInfo | undefined, isEmpty: boolean): void => {
    let first = isEmpty;
    for (const { name, value } of attributes) {
      if (fieldNames.has(name)) {
        report.dropped(
          'attribute',
          label?.name ?? '',
          `${format} uses the attribute name "${name}" for something else.`,
        );
        continue;
      }
      const type = label?.attributes.find((attribute) => attribute.name === name)?.input_type;
      json.ascii(first ? '' : ',');
      first = false;
      json.string(name);
      json.ascii(':');
      if (type === 'checkbox') json.ascii(value.toLowerCase() === 'true' ? 'true' : 'false');
      // Written as a number only if it reads back as the same text.
      else if (type === 'number' && String(Number(value)) === value && Number.isFinite(Number(value)))
        json.ascii(value);
      else json.string(value);
    }
  };

  const writeHead = (type: string, group: number, label: number): void => {
    json.ascii(`${isFirst ? '' : ','}{"id":0,"type":"${type}","group":${group},"label_id":${label},"attributes":{`);
    isFirst = false;
  };

  const writeShapeAttributes = (shape: LabeledShape): void => {
    json.ascii(`"occluded":${shape.occluded}`);
    const turns = shape.type === 'rectangle' || shape.type === 'ellipse';
    if (turns && (shape.type === 'rectangle' || (shape.rotation ?? 0) !== 0)) {
      json.ascii(',"rotation":');
      json.number(shape.rotation ?? 0);
    }
    if (shape.outside === true) json.ascii(',"outside":true');
    if (tellingSources.has(shape.source)) json.ascii(`,"source":"${shape.source}"`);
    if (shape.score !== undefined && shape.score !== 1) json.ascii(`,"score":${shape.score}`);
    if (shape.track_id !== undefined) json.ascii(`,"track_id":${shape.track_id}`);
    if (shape.track_id !== undefined || shape.type === 'skeleton') json.ascii(`,"keyframe":${isKeyframe(shape)}`);
    writeOwn(shape.attributes, infos.get(shape.label), false);
    json.ascii('}');
  };

  const writeSkeleton = ({ elements = [], label, track_id: trackId }: LabeledShape): void => {
    const sublabels = infos.get(label)?.sublabels ?? [];
    const ordered = sublabels.map((sublabel) => ({
      sublabel,
      element: elements.find((one) => one.label === sublabel.name),
    }));
    writeNumbers(
      json,
      'points',
      ordered.flatMap(({ element }) => {
        const [x = 0, y = 0] = element?.points ?? [];
        return [x, y, !element || element.outside === true ? 0 : element.occluded ? 1 : 2];
      }),
    );
    json.ascii(',"points_attributes":[');
    for (const [index, { element, sublabel }] of ordered.entries()) {
      json.ascii(index === 0 ? '{' : ',{');
      if (trackId !== undefined) json.ascii(`"track_id":${trackId},"keyframe":${element?.keyframe === true}`);
      writeOwn(element?.attributes ?? [], sublabel, trackId === undefined);
      json.ascii('}');
    }
    json.ascii(']');
  };

  const writeGeometry = (shape: LabeledShape, { width, height }: Frame): void => {
    const { type, points } = shape;
    const [a = 0, b = 0, c = 0, d = 0] = points;
    if (type === 'rectangle') writeNumbers(json, 'bbox', [a, b, addDecimals(c, -a), addDecimals(d, -b)]);
    else if (type === 'ellipse') {
      // Center, right and top become the bounding box.
      writeNumbers(json, 'points', [addDecimals(2 * a, -c), d, c, addDecimals(2 * b, -d)]);
    } else if (type === 'skeleton') writeSkeleton(shape);
    else if (type === 'mask') {
      const runs = maskToRunLengths(points, width, height);
      json.ascii(',"rle":{"counts":');
      json.string(compressCounts(runs.counts));
      json.ascii(`,"size":[${height},${width}]}`);
    } else writeNumbers(json, 'points', points);
    if (type === 'points') writeNumbers(json, 'visibility', Array<number>(points.length / 2).fill(2));
  };

  return {
    /** Marks the next annotation as the first of an item. */
    startItem(): void {
      isFirst = true;
    },
    shape(shape: LabeledShape, frame: Frame): void {
      const label = numbers.get(shape.label);
      if (label === undefined) {
        report.dropped(shape.type, shape.label, 'The label is not in the list of labels.');
        return;
      }
      writeHead(shape.type === 'rectangle' ? 'bbox' : shape.type, shape.group, label);
      writeShapeAttributes(shape);
      writeGeometry(shape, frame);
      json.ascii(`,"z_order":${shape.z_order}}`);
      report.included(shape.type, shape.label);
    },
    tag(tag: Tag): void {
      const label = numbers.get(tag.label);
      if (label === undefined) {
        report.dropped('tag', tag.label, 'The label is not in the list of labels.');
        return;
      }
      writeHead('label', tag.group, label);
      const source = tellingSources.has(tag.source) ? tag.source : undefined;
      if (source !== undefined) json.ascii(`"source":"${source}"`);
      writeOwn(tag.attributes, infos.get(tag.label), source === undefined);
      json.ascii('}}');
      report.included('tag', tag.label);
    },
  };
}

function writeNumbers(json: JsonWriter, key: string, values: readonly number[]): void {
  json.ascii(`,"${key}":[`);
  json.numberList(values, 0, values.length);
  json.ascii(']');
}

const writtenTypes: ReadonlySet<ShapeType> = new Set([
  'rectangle',
  'polygon',
  'polyline',
  'points',
  'ellipse',
  'mask',
  'skeleton',
]);

function problemOf({ type, points, elements = [] }: LabeledShape, { width, height }: FrameInfo): string | undefined {
  if (!writtenTypes.has(type)) return `${format} has no ${type}s on images.`;
  if (!points.every(Number.isFinite)) return 'Its coordinates are not finite numbers.';
  if (type === 'mask') {
    if (!(width > 0 && height > 0))
      return 'The size of the image is not known, and a mask cannot be written without it.';
    const { left, top, right, bottom } = maskBox(points);
    if (right < 0 || bottom < 0 || left >= width || top >= height) return 'It has no pixel in the image.';
  }
  if (elements.some((element) => element.type !== 'points' || element.points.length !== 2))
    return `${format} has single points as parts of a skeleton only.`;
  return undefined;
}

function noteMask(
  { type, points, label }: LabeledShape,
  { width, height }: FrameInfo,
  { report }: ExportOptions,
): void {
  if (type !== 'mask') return;
  const { left, top, right, bottom } = maskBox(points);
  if (left < 0 || top < 0 || right >= width || bottom >= height)
    report.dropped('mask', label, 'Pixels outside the image were cut off.');
}

async function writeSubset(
  zip: ZipWriter,
  subset: string,
  frames: Iterable<Frame>,
  task_data: TaskData,
  options: ExportOptions,
): Promise<void> {
  const { report } = options;
  const { meta } = task_data;
  const { labels } = meta;
  const entry = await zip.beginEntry(`annotations/${subset}.json`);
  const json = createJsonWriter(entry);
  const annotations = createAnnotationWriter(json, labels, report);
  json.ascii('{"info":{},"categories":');
  writeCategories(json, labels);
  json.ascii(',"items":[');
  let isFirst = true;
  for (const frame of frames) {
    const name = imageName(task_data, frame);
    const task = meta.tasks.find(({ id }) => id === frame.task_id) ?? meta;
    json.ascii(isFirst ? '{"id":' : ',{"id":');
    isFirst = false;
    json.string(withoutExtension(frame.name));
    json.ascii(`,"attr":{"frame":${task.start_frame + frame.frame * task.frame_step}},"image":{"path":`);
    json.string(name);
    if (frame.width > 0 && frame.height > 0) json.ascii(`,"size":[${frame.height},${frame.width}]`);
    json.ascii('},"annotations":[');
    annotations.startItem();
    for (const tag of frame.tags) annotations.tag(tag);
    for (const shape of frame.labeled_shapes) {
      const problem = problemOf(shape, frame);
      if (problem === undefined) {
        noteMask(shape, frame, options);
        annotations.shape(shape, frame);
        if (json.isFull) await json.drain();
      } else report.dropped(shape.type, shape.label, problem);
    }
    json.ascii(']}');
    if (json.isFull) await json.drain();
  }
  json.ascii(']}');
  await json.flush();
  await entry.end();
}

/** Writes Datumaro's format: `annotations/<subset>.json`, and optionally `images/<subset>/<path>`. */
export const exportDatumaro: Exporter = async (file_object, task_data, options) => {
  const { report } = options;
  const steps = createExportSteps(task_data, options);
  for (const { label, shapes } of task_data.tracks) {
    if (shapes.some(({ type }) => type === 'mask'))
      report.dropped('track', label, 'Tracks of masks are imported as single shapes.');
  }
  await writeArchive(file_object.path, async (zip) => {
    for (const [subset, frames] of walkSubsets(task_data)) {
      await writeSubset(zip, subsetName({ subset }, format), steps.frames(frames), task_data, options);
    }
    await steps.images(zip, (frame) => `images/${subsetName(frame, format)}/${imageName(task_data, frame)}`);
  });
};
