import type { SubTrack, TrackedShape } from '../../../preload/contract/schema/annotations.ts';
import type { TrackPiece } from '../../../preload/contract/track-pieces.ts';
import type { Label } from '../../../preload/contract/schema/labels.ts';
import { decodePoints } from '../../db/points-codec.ts';
import type { ZipEntryWriter } from '../../formats/io/zip-writer.ts';
import {
  isOccluded,
  isOutside,
  sourceOf,
  typeOf,
  unpackAttributes,
  type ShapeRow,
} from '../../work/annotations/annotation-rows.ts';
import type { DatasetRepository } from '../datasets/dataset-repository.ts';

const bufferCharacters = 256 * 1024;

/** Names of labels and attributes by id, sublabels too. */
function nameTables(labels: readonly Label[]) {
  const names = new Map<number, string>();
  const attributes = new Map<number, string>();
  for (const label of labels) {
    for (const one of [label, ...label.sublabels]) {
      names.set(one.id, one.name);
      for (const attribute of one.attributes) attributes.set(attribute.id, attribute.name);
    }
  }
  return {
    label: (id: number) => names.get(id) ?? '',
    attributes: (values: readonly { spec_id: number; value: string }[]) =>
      values.flatMap(({ spec_id, value }) => {
        const name = attributes.get(spec_id);
        return name === undefined ? [] : [{ name, value }];
      }),
  };
}
type NameTables = ReturnType<typeof nameTables>;

/**
 * Writes `annotations.json`: a list with the annotations of each job, its labels and attributes by name. Shapes come
 * row by row from the store, so that memory stays flat.
 */
export async function writeBackupAnnotations(
  entry: ZipEntryWriter,
  datasets: DatasetRepository,
  {
    taskId,
    jobIds,
    labels,
    checkCancelled,
  }: { taskId: number; jobIds: readonly number[]; labels: readonly Label[]; checkCancelled: () => void },
): Promise<void> {
  const names = nameTables(labels);
  let buffer = '';
  const put = async (text: string): Promise<void> => {
    buffer += text;
    if (buffer.length < bufferCharacters) return;
    const chunk = Buffer.from(buffer);
    buffer = '';
    checkCancelled();
    await entry.write(chunk);
  };
  const putAll = async (items: Iterable<unknown>): Promise<void> => {
    let separator = '';
    for (const item of items) {
      await put(separator + JSON.stringify(item));
      separator = ',';
    }
  };
  /** Tracks that were cut stand once, with the first of their pieces. */
  const wholes = new Map(datasets.wholes(taskId).map((whole) => [whole.origin, whole]));
  await put('[');
  for (const [index, jobId] of jobIds.entries()) {
    await put(`${index === 0 ? '' : ','}{"version":0,"tags":[`);
    await putAll(
      datasets.tags(jobId).map(({ id: _id, label_id, attributes, ...tag }) => ({
        ...tag,
        label: names.label(label_id),
        attributes: names.attributes(attributes),
      })),
    );
    await put('],"shapes":[');
    const walk = shapesOf(datasets.shapes(jobId), names);
    try {
      await putAll(walk);
    } finally {
      // A walk that is left open keeps the connection busy.
      walk.return(undefined);
    }
    await put('],"tracks":[');
    await putAll(
      datasets.tracks(jobId).map((track) => {
        const whole = wholes.get(track.origin);
        wholes.delete(track.origin);
        const cut = whole && { cut_from: { ...trackWithElements(whole, names), pieces: whole.pieceCount } };
        return { ...trackWithElements(track, names), ...cut };
      }),
    );
    await put(']}');
  }
  await put(']');
  if (buffer !== '') await entry.write(Buffer.from(buffer));
}

const trackWithElements = (track: TrackPiece, names: NameTables) => ({
  ...trackOf(track, names),
  elements: track.elements.map((element) => trackOf(element, names)),
  ...(track.origin === undefined ? {} : { origin: track.origin }),
});

function trackOf({ frame, label_id, group, source, attributes, shapes }: SubTrack, names: NameTables) {
  return {
    frame,
    label: names.label(label_id),
    group,
    source,
    attributes: names.attributes(attributes),
    shapes: shapes.map((shape) => keyframeOf(shape, names)),
  };
}

const keyframeOf = ({ id: _id, attributes, ...shape }: TrackedShape, names: NameTables) => ({
  ...shape,
  attributes: names.attributes(attributes),
});

type Written = ReturnType<typeof shapeOf> & { elements: ReturnType<typeof shapeOf>[] };

function shapeOf(row: ShapeRow, names: NameTables) {
  return {
    type: typeOf(row.type),
    frame: row.frame,
    label: names.label(row.label_id),
    group: row.group_id,
    source: sourceOf(row.source),
    occluded: isOccluded(row.flags),
    outside: isOutside(row.flags),
    z_order: row.z_order,
    rotation: row.rotation,
    points: decodePoints(row.points),
    attributes: names.attributes(unpackAttributes(row.attributes)),
    score: row.score,
    ...(row.area === null ? {} : { area: row.area }),
  };
}

/** Elements stand on the frame of their skeletons: a frame is complete when the next one begins. */
function* shapesOf(rows: Iterable<ShapeRow>, names: NameTables): Generator<Written> {
  let frame = -1;
  let ofFrame = new Map<number, Written>();
  let elements: ShapeRow[] = [];
  function* complete(): Generator<Written> {
    for (const row of elements) ofFrame.get(row.parent_id ?? -1)?.elements.push(shapeOf(row, names));
    yield* ofFrame.values();
    ofFrame = new Map();
    elements = [];
  }
  for (const row of rows) {
    if (row.frame !== frame) yield* complete();
    frame = row.frame;
    if (row.parent_id === null) ofFrame.set(row.id, { ...shapeOf(row, names), elements: [] });
    else elements.push(row);
  }
  yield* complete();
}
