import type { ShapeType } from '../../../preload/contract/annotation-names.ts';
import { subsetName } from '../kit/dataset-items.ts';
import { createExportSteps } from '../kit/export-steps.ts';
import { extraFields, pairsOf } from '../kit/extra-fields.ts';
import { imageName, writeArchive } from '../kit/frame-images.ts';
import { visibleShapes } from '../kit/image-files/write-image-files.ts';
import { createJsonWriter } from '../io/json-writer.ts';
import { createLossNotes } from '../kit/dropped-details.ts';
import type { Exporter } from '../kit/plugin.ts';
import { fractionOf } from '../kit/short-decimals.ts';
import type { Frame, FrameInfo, LabeledShape, Tag } from '../kit/task-data.ts';
import { encodeBrush } from './brush-rle.ts';
import { percentBox } from './rotated-box.ts';
import { defined } from '../../platform/defined.ts';

const format = 'Label Studio';
const percent = 100;
/** Default width of a keypoint in Label Studio, in percent of the image's width. */
const pointWidth = 0.5;

interface WrittenValue {
  readonly type: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/** Values for a shape: one, or one for each of its points; none if the format cannot hold it. */
function valuesOf(shape: LabeledShape, { width, height }: FrameInfo): WrittenValue[] {
  const { type, points, label, rotation = 0 } = shape;
  const pairs = pairsOf(points).map(
    ([x, y]) => [fractionOf(x, width, percent), fractionOf(y, height, percent)] as const,
  );
  const [x = 0, y = 0, right = 0, top = 0] = points;
  switch (type) {
    case 'rectangle':
      return [
        { type: 'rectanglelabels', value: { ...percentBox(shape, { width, height }), rectanglelabels: [label] } },
      ];
    case 'ellipse': {
      const value = {
        x: fractionOf(x, width, percent),
        y: fractionOf(y, height, percent),
        radiusX: fractionOf(Math.abs(right - x), width, percent),
        radiusY: fractionOf(Math.abs(y - top), height, percent),
        rotation,
      };
      return [{ type: 'ellipselabels', value: { ...value, ellipselabels: [label] } }];
    }
    case 'polygon':
    case 'polyline':
      return [{ type: 'polygonlabels', value: { points: pairs, closed: type === 'polygon', polygonlabels: [label] } }];
    case 'points':
      return pairs.map(([px, py]) => ({
        type: 'keypointlabels',
        value: { x: px, y: py, width: pointWidth, keypointlabels: [label] },
      }));
    case 'mask':
      return [
        {
          type: 'brushlabels',
          value: { format: 'rle', rle: encodeBrush(points, { width, height }), brushlabels: [label] },
        },
      ];
    default:
      return [];
  }
}

const regionTypes: ReadonlySet<ShapeType> = new Set(['rectangle', 'ellipse', 'polygon', 'polyline', 'points', 'mask']);

/**
 * Writes a list of tasks, one for each image with objects: `annotations.json`, and optionally `images/<subset>/<path>`.
 */
export const exportLabelStudio: Exporter = async (file_object, task_data, options) => {
  const { report } = options;
  const steps = createExportSteps(task_data, options);
  const tagNotes = createLossNotes(report, format, {});
  for (const { label, shapes } of task_data.tracks) {
    if (shapes.some(({ type }) => type === 'mask'))
      report.dropped('track', label, 'Tracks of masks are imported as single shapes.');
  }
  const pathOf = (frame: FrameInfo): string => `images/${subsetName(frame, format)}/${imageName(task_data, frame)}`;
  let lastId = 0;
  const nextId = (): string => `region-${(lastId += 1)}`;

  const problemOf = ({ type, points }: LabeledShape, { width, height }: Frame): string | undefined => {
    if (!regionTypes.has(type)) return `${format} has no ${type}s.`;
    if (!points.every(Number.isFinite)) return 'Its coordinates are not finite numbers.';
    return width > 0 && height > 0
      ? undefined
      : 'The size of the image is not known, but all coordinates are percentages of it.';
  };

  const resultsOf = (shape: LabeledShape, frame: Frame): Record<string, unknown>[] => {
    const problem = problemOf(shape, frame);
    if (problem !== undefined) {
      report.dropped(shape.type, shape.label, problem);
      return [];
    }
    report.included(shape.type, shape.label);
    const { score, ...extra } = extraFields(shape);
    const meta = { ...extra, ...defined({ group: shape.group === 0 ? undefined : shape.group }) };
    const place = { to_name: 'image', original_width: frame.width, original_height: frame.height, image_rotation: 0 };
    const leader = nextId();
    const regions = valuesOf(shape, frame).map((written, index) => ({
      id: index === 0 ? leader : nextId(),
      parentID: index === 0 ? undefined : leader,
      from_name: written.type.replace('labels', 's'),
      ...place,
      ...written,
      score: index === 0 && score !== undefined ? score : undefined,
      meta: index === 0 && Object.keys(meta).length > 0 ? meta : undefined,
    }));
    const attributes = shape.attributes.map(({ name, value }) => ({
      id: leader,
      from_name: name,
      ...place,
      type: 'textarea',
      value: { text: [value] },
    }));
    return [...regions, ...attributes];
  };

  const choicesOf = (tags: readonly Tag[]): Record<string, unknown>[] => {
    const labels = new Set<string>();
    for (const tag of tags) {
      if (labels.has(tag.label)) report.dropped('tag', tag.label, `${format} has each label only once per image.`);
      else {
        tagNotes.tag(tag);
        report.included('tag', tag.label);
        labels.add(tag.label);
      }
    }
    if (labels.size === 0) return [];
    return [{ id: nextId(), from_name: 'choices', to_name: 'image', type: 'choices', value: { choices: [...labels] } }];
  };

  await writeArchive(file_object.path, async (zip) => {
    const entry = await zip.beginEntry('annotations.json');
    const json = createJsonWriter(entry);
    json.ascii('[');
    let lastTask = 0;
    for (const frame of steps.frames()) {
      lastTask += 1;
      json.ascii(lastTask === 1 ? '\n' : ',\n');
      json.ascii(`{"id":${lastTask},"data":`);
      json.value({ image: pathOf(frame), subset: frame.subset || 'default' });
      json.ascii(',"annotations":[{"id":');
      json.ascii(`${lastTask},"was_cancelled":false,"result":[`);
      let isFirst = true;
      const write = (result: Record<string, unknown>): void => {
        if (!isFirst) json.ascii(',');
        isFirst = false;
        json.value(result);
      };
      choicesOf(frame.tags).forEach(write);
      for (const shape of visibleShapes(frame.labeled_shapes)) {
        resultsOf(shape, frame).forEach(write);
        if (json.isFull) await json.drain();
      }
      json.ascii(']}],"predictions":[]}');
      if (json.isFull) await json.drain();
    }
    json.ascii('\n]\n');
    await json.flush();
    await entry.end();
    await steps.images(zip, pathOf);
  });
};
