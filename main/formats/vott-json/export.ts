import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import { boxOfPoints, rotatedRectangleToPolygon } from '../../../preload/contract/geometry.ts';
import { addDecimals } from '../kit/short-decimals.ts';
import { subsetName } from '../kit/dataset-items.ts';
import { createExportSteps } from '../kit/export-steps.ts';
import { pairsOf } from '../kit/extra-fields.ts';
import { imageName, writeArchive } from '../kit/frame-images.ts';
import { visibleShapes } from '../kit/image-files/write-image-files.ts';
import { createJsonWriter } from '../io/json-writer.ts';
import { createLossNotes } from '../kit/lost-details.ts';
import { createPlainOutlines, type OutlineKind, type PlainOutline } from '../kit/plain-outlines.ts';
import type { Exporter } from '../kit/plugin.ts';
import type { Frame, FrameInfo } from '../kit/task-data.ts';

const format = 'VoTT';
const version = '2.2.0';
/** Of an image with and without regions: tagged, visited. */
const states = { tagged: 2, visited: 1 };

interface Region {
  readonly type: 'RECTANGLE' | 'POLYGON' | 'POLYLINE' | 'POINT';
  readonly points: readonly number[];
}

const kinds: ReadonlySet<OutlineKind> = new Set(['rectangle', 'polygon', 'polyline', 'point']);

function regionOf({ kind, points }: PlainOutline): Region {
  if (kind === 'rectangle') return { type: 'RECTANGLE', points: rotatedRectangleToPolygon(points, 0) };
  return { type: kind === 'polyline' ? 'POLYLINE' : kind === 'point' ? 'POINT' : 'POLYGON', points };
}

function regionMembers({ type, points }: Region, label: string, id: string): Record<string, unknown> {
  const box = boxOfPoints(points) ?? { left: 0, top: 0, right: 0, bottom: 0 };
  return {
    id,
    type,
    tags: [label],
    boundingBox: {
      height: addDecimals(box.bottom, -box.top),
      width: addDecimals(box.right, -box.left),
      left: box.left,
      top: box.top,
    },
    points: pairsOf(points).map(([x, y]) => ({ x, y })),
  };
}

/** One document with an asset for each image: `annotations.json`, with images also `images/<subset>/<path>`. */
export const exportVott: Exporter = async (file_object, task_data, options) => {
  const { report } = options;
  const steps = createExportSteps(task_data, options);
  const notes = createLossNotes(report, format, { rotation: true });
  notes.tracks(task_data);
  const pathOf = (frame: FrameInfo): string => `images/${subsetName(frame, format)}/${imageName(task_data, frame)}`;

  const outlinesOf = createPlainOutlines(report, format, kinds);

  const regionsOf = (frame: Frame): Record<string, unknown>[] => {
    for (const { label } of frame.tags) report.lost('tag', label, `${format} has no labels for a whole image.`);
    return visibleShapes(frame.labeled_shapes).flatMap((shape, place) => {
      const outlines = outlinesOf(shape, frame);
      if (outlines.length > 0) notes.shape(shape);
      return outlines.map((outline, part) =>
        regionMembers(regionOf(outline), shape.label, `${frame.task_id}-${frame.frame}-${place}-${part}`),
      );
    });
  };

  await writeArchive(file_object.path, async (zip) => {
    const entry = await zip.beginEntry('annotations.json');
    const json = createJsonWriter(entry);
    json.ascii('{"name":');
    json.string(task_data.meta.name);
    json.ascii(`,"version":"${version}","tags":`);
    json.value(task_data.meta.labels.map(({ name, color }) => ({ name, color })));
    json.ascii(',"assets":{');
    let isFirst = true;
    for (const frame of steps.frames()) {
      const path = pathOf(frame);
      const id = createHash('md5').update(`${frame.task_id}/${frame.frame}/${path}`).digest('hex');
      const regions = regionsOf(frame);
      const name = posix.basename(path);
      json.ascii(isFirst ? '\n' : ',\n');
      isFirst = false;
      json.string(id);
      json.ascii(':');
      json.value({
        asset: {
          format: posix.extname(name).slice(1).toLowerCase(),
          id,
          name,
          path: `file:${path}`,
          size: { width: frame.width, height: frame.height },
          state: regions.length > 0 ? states.tagged : states.visited,
          type: 1,
        },
        regions,
        version,
      });
      if (json.isFull) await json.drain();
    }
    json.ascii('\n}}\n');
    await json.flush();
    await entry.end();
    await steps.images(zip, pathOf);
  });
};
