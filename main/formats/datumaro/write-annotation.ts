import { maskToRunLengths } from '../../../preload/contract/mask-runs.ts';
import { compressCounts } from '../../../preload/contract/run-length.ts';
import type { AnnotationSource } from '../../../preload/contract/schema/annotations.ts';
import { addDecimals } from '../kit/short-decimals.ts';
import type { JsonWriter } from '../io/json-writer.ts';
import type { FormatReport } from '../kit/report.ts';
import { isKeyframe } from '../kit/skeletons.ts';
import type { Attribute, Frame, LabeledShape, LabelInfo, Tag } from '../kit/task-data.ts';
import { numberedLabels } from './labels.ts';

const format = 'Datumaro';

/** What the format itself keeps among the attributes. */
const reserved = new Set(['occluded', 'outside', 'rotation', 'track_id', 'keyframe', 'z_order', 'source', 'score']);
/** Sources that the shape would lose: one from a file is told to be from a file again. */
const tellingSources = new Set<AnnotationSource>(['auto', 'semi-auto', 'consensus']);

export function createAnnotationWriter(json: JsonWriter, labels: readonly LabelInfo[], report: FormatReport) {
  const numbers = new Map<string, number>();
  const infos = new Map(labels.map((label) => [label.name, label]));
  numberedLabels(labels).forEach(({ label, parent }, id) => {
    if (parent === '') numbers.set(label.name, id);
  });
  let isFirst = true;

  const writeOwn = (attributes: readonly Attribute[], label: LabelInfo | undefined, isEmpty: boolean): void => {
    let first = isEmpty;
    for (const { name, value } of attributes) {
      if (reserved.has(name)) {
        report.lost('attribute', label?.name ?? '', `${format} uses the attribute name "${name}" for something else.`);
        continue;
      }
      const type = label?.attributes.find((attribute) => attribute.name === name)?.input_type;
      json.ascii(first ? '' : ',');
      first = false;
      json.string(name);
      json.ascii(':');
      if (type === 'checkbox') json.ascii(value.toLowerCase() === 'true' ? 'true' : 'false');
      // As a number only where it reads back as the same text.
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
    if (shape.source !== undefined && tellingSources.has(shape.source)) json.ascii(`,"source":"${shape.source}"`);
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
      // Centre, right and top become the box around it.
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
    /** The next annotation is the first of another item. */
    startItem(): void {
      isFirst = true;
    },
    shape(shape: LabeledShape, frame: Frame): void {
      const label = numbers.get(shape.label);
      if (label === undefined) {
        report.lost(shape.type, shape.label, 'The label is not in the list of labels.');
        return;
      }
      writeHead(shape.type === 'rectangle' ? 'bbox' : shape.type, shape.group, label);
      writeShapeAttributes(shape);
      writeGeometry(shape, frame);
      json.ascii(`,"z_order":${shape.z_order}}`);
      report.carried(shape.type, shape.label);
    },
    tag(tag: Tag): void {
      const label = numbers.get(tag.label);
      if (label === undefined) {
        report.lost('tag', tag.label, 'The label is not in the list of labels.');
        return;
      }
      writeHead('label', tag.group, label);
      const source = tag.source !== undefined && tellingSources.has(tag.source) ? tag.source : undefined;
      if (source !== undefined) json.ascii(`"source":"${source}"`);
      writeOwn(tag.attributes, infos.get(tag.label), source === undefined);
      json.ascii('}}');
      report.carried('tag', tag.label);
    },
  };
}

function writeNumbers(json: JsonWriter, key: string, values: readonly number[]): void {
  json.ascii(`,"${key}":[`);
  json.numberList(values, 0, values.length);
  json.ascii(']');
}
