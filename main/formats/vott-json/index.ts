import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import { boxOfPoints, rotatedRectangleToPolygon } from '../../../preload/geometry/geometry.ts';
import { createAnnotationAdder } from '../kit/add-annotation.ts';
import { carries, type DatasetReader, defineFormat } from '../kit/define-format.ts';
import { byJsonHead } from '../kit/detection.ts';
import { numbersAt, pairsOf, readPairs } from '../kit/extra-fields.ts';
import { findFrame, notInTask } from '../kit/find-frame.ts';
import { elementsOf } from '../kit/image-files/image-lists.ts';
import { listExporter } from '../kit/image-files/list-exporter.ts';
import { readImageFiles } from '../kit/image-files/read-image-files.ts';
import { readReportedJson } from '../kit/json-document.ts';
import { createMaskAdder } from '../kit/mask-files/add-masks.ts';
import type { PlainOutline } from '../kit/plain-outlines.ts';
import type { Exporter } from '../kit/plugin.ts';
import { createSizeWatch } from '../kit/mask-files/size-watch.ts';
import { asText, brief, createRecordGuard, isFiniteNumber, isRecord, RecordError } from '../kit/records.ts';
import { addDecimals } from '../kit/short-decimals.ts';
import type { Frame, LabeledShape } from '../kit/task-data.ts';
import { createUnreadMembers, createUnreadOfImages } from '../kit/unread-members.ts';

const format = 'VoTT';
const version = '2.2.0';
/** States of an image with and without regions: tagged, visited. */
const states = { tagged: 2, visited: 1 };

const types: Readonly<Partial<Record<PlainOutline['kind'], string>>> = {
  rectangle: 'RECTANGLE',
  polyline: 'POLYLINE',
  point: 'POINT',
};

function writtenOutline({ kind, points }: PlainOutline) {
  const box = boxOfPoints(points) ?? { left: 0, top: 0, right: 0, bottom: 0 };
  const corners = kind === 'rectangle' ? rotatedRectangleToPolygon(points, 0) : points;
  return {
    boundingBox: {
      height: addDecimals(box.bottom, -box.top),
      width: addDecimals(box.right, -box.left),
      left: box.left,
      top: box.top,
    },
    points: pairsOf(corners).map(([x, y]) => ({ x, y })),
  };
}

const idOf = ({ task_id, frame }: Frame, path: string): string =>
  createHash('md5').update(`${task_id}/${frame}/${path}`).digest('hex');

/** Writes one document with an asset per image: `annotations.json`, and optionally `images/<subset>/<path>`. */
const exportVott: Exporter = (file_object, task_data, options) => {
  const { name: title, labels } = task_data.meta;
  const tags = JSON.stringify(labels.map(({ name, color }) => ({ name, color })));
  return listExporter({
    format,
    kinds: new Set(['rectangle', 'polygon', 'polyline', 'point']),
    kept: { rotation: true },
    listPath: 'annotations.json',
    imagePath: (subset, image) => `images/${subset}/${image}`,
    head: `{"name":${JSON.stringify(title)},"version":"${version}","tags":${tags},"assets":{`,
    tail: '\n}}\n',
    before: (frame, { path }) => `"${idOf(frame, path)}":`,
    object: ({ label }, outline, { frame, id }) => ({
      id: `${frame.task_id}-${frame.frame}-${id}`,
      type: types[outline.kind] ?? 'POLYGON',
      tags: [label],
      ...writtenOutline(outline),
    }),
    element(frame, { path }, regions) {
      const name = posix.basename(path);
      const asset = {
        format: posix.extname(name).slice(1).toLowerCase(),
        id: idOf(frame, path),
        name,
        path: `file:${path}`,
        size: { width: frame.width, height: frame.height },
        state: regions.length > 0 ? states.tagged : states.visited,
        type: 1,
      };
      return { asset, regions, version };
    },
  })(file_object, task_data, options);
};

type JsonObject = Readonly<Record<string, unknown>>;
type Outline = Pick<LabeledShape, 'type' | 'points'>;

function fromBox(box: unknown): number[] {
  if (!isRecord(box)) throw new RecordError('boundingBox', `must be an object, but is ${brief(box)}`);
  const [left = 0, top = 0, width = 0, height = 0] = numbersAt(box, ['left', 'top', 'width', 'height'], 'boundingBox');
  return [left, top, addDecimals(left, width), addDecimals(top, height)];
}

function outlineOf(region: JsonObject): Outline {
  const type = asText(region['type'] ?? 'RECTANGLE').toUpperCase();
  const points = Array.isArray(region['points']) ? readPairs(region['points'], 'points') : [];
  switch (type) {
    case 'RECTANGLE':
    case 'SQUARE': {
      if (points.length < 4) return { type: 'rectangle', points: fromBox(region['boundingBox']) };
      const box = boxOfPoints(points);
      if (!box) throw new RecordError('points', 'has no point');
      return { type: 'rectangle', points: [box.left, box.top, box.right, box.bottom] };
    }
    case 'POLYGON':
      return { type: 'polygon', points };
    case 'POLYLINE':
      return { type: 'polyline', points };
    case 'POINT':
      return { type: 'points', points };
    default:
      throw new RecordError('type', `is ${brief(region['type'])}, which is not a supported shape type`);
  }
}

/** Names and subset of an image. The subset is known if Limner wrote the path: `file:images/<subset>/<path>`. */
function imageOf(asset: JsonObject): { names: string[]; subset: string } {
  const text = (name: string): string => (typeof asset[name] === 'string' ? asset[name] : '');
  return {
    names: [text('path'), text('name')].filter((name) => name !== ''),
    subset: /^(?:[a-z]+:(?:\/\/)?)?images\/([^/]+)\//i.exec(text('path'))?.[1] ?? 'default',
  };
}

/** Members that identify an image, and states of VoTT. */
const assetMembers: ReadonlySet<string> = new Set('format id name path size state type predicted'.split(' '));
const regionMembers: ReadonlySet<string> = new Set(['id', 'type', 'tags', 'boundingBox', 'points']);

/** Reads VoTT: its export with all assets, or its files per asset. */
const importVott: DatasetReader = async (source, task_data, options) => {
  const { report } = options;
  const { nextGroup } = createMaskAdder(report, false);
  const noteUnread = createUnreadMembers(report, regionMembers);
  const unreadOfImages = createUnreadOfImages(report, assetMembers);
  const sizes = createSizeWatch(report, { files: 'images in the file', kept: 'coordinates' });

  const createReader = (path: string) => {
    const add = createAnnotationAdder(task_data, report, path);
    const guarded = createRecordGuard(report, path);

    const addRegion = (value: unknown, frame: number, at: string): void => {
      if (!isRecord(value)) throw new RecordError('', `must be an object, but is ${brief(value)}`);
      const outline = outlineOf(value);
      const { tags } = value;
      const stated = elementsOf(tags, 'tags');
      const labels = stated.flatMap((tag) => (typeof tag.value === 'string' ? [tag.value] : []));
      if (labels.length === 0) throw new RecordError('tags', 'has no label');
      const group = labels.length > 1 ? nextGroup() : 0;
      const fields = { frame, occluded: false, attributes: [], group, z_order: 0, source: 'file' as const };
      noteUnread(value, labels[0] ?? '');
      for (const tag of stated)
        if (typeof tag.value !== 'string')
          report.invalid(path, `${at}.${tag.at}`, `must be a string, but is ${brief(tag.value)}`);
      // A shape has one label, so a region with several becomes several shapes in one group.
      for (const label of labels) add.shape({ ...fields, ...outline, label }, at);
    };

    return (value: unknown, at: string): void =>
      guarded(at, () => {
        if (!isRecord(value)) throw new RecordError('', `must be an object, but is ${brief(value)}`);
        const { asset, regions } = value;
        if (!isRecord(asset)) throw new RecordError('asset', `must be an object, but is ${brief(asset)}`);
        unreadOfImages.note(asset);
        const list = elementsOf(regions, 'regions');
        if (list.length === 0) return;
        const { names, subset } = imageOf(asset);
        const info = findFrame(task_data, names, subset, path);
        if (!info) throw new RecordError('asset', notInTask(names[0]?.slice(0, 200) ?? '', list.length));
        const { size } = asset;
        const { width, height } = isRecord(size) ? size : {};
        if (isFiniteNumber(width) && isFiniteNumber(height)) sizes.compare(names[0] ?? path, { width, height }, info);
        for (const region of list) {
          const place = `${at}.${region.at}`;
          guarded(place, () => addRegion(region.value, info.frame, place));
        }
      });
  };

  const read = async (path: string, onProgress: (fraction: number) => void): Promise<boolean> => {
    const addAsset = createReader(path);
    const own: { asset?: unknown; regions: unknown[] } = { regions: [] };
    let isFound = false;
    await readReportedJson(source, path, options, {
      object: (key) => {
        if (key !== 'assets') return undefined;
        isFound = true;
        return {
          value: (id = '', value) => {
            addAsset(value, `assets.${id}`);
            return task_data.backpressure?.();
          },
          badValue: (id, reason) => report.invalid(path, `assets.${id}`, reason),
        };
      },
      array: (key) => {
        if (key !== 'regions') return 'skip';
        return (items) => items.forEach((item) => void own.regions.push(item));
      },
      value: (key, value) => {
        if (key === 'asset') own.asset = value;
      },
      progress: onProgress,
    });
    if (own.asset !== undefined) addAsset(own, 'the asset');
    const isOurs = isFound || own.asset !== undefined;
    if (!isOurs) report.warn(`${path} was left out: it has no "assets", and is not an asset itself.`);
    return isOurs;
  };

  const needs = 'VoTT annotations: JSON with "assets", or with "asset" and "regions"';
  await readImageFiles(source, task_data, options, { needs, read });
  sizes.finish();
  unreadOfImages.finish();
};

const detectVott = byJsonHead(({ path, text, isList, has }) => {
  if (isList) return null;
  if (has('assets') && (has('tags') || /"regions"\s*:/.test(text)))
    return { reason: `${path} is JSON with assets and their regions.`, confidence: 0.95 };
  return has('asset') && has('regions')
    ? { reason: `${path} is JSON about one asset and its regions.`, confidence: 0.95 }
    : null;
});

export const vott = defineFormat({
  name: 'VoTT JSON',
  version: '1.0',
  support: carries({
    both: ['rectangle', 'polygon', 'polyline', 'points'],
    converted: ['rotated rectangle', 'ellipse', 'mask', 'track'],
  }),
  importExt: 'JSON, ZIP',
  detect: detectVott,
  read: importVott,
  write: exportVott,
});
