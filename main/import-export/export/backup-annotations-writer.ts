import type { SubTrack, TrackedShape } from '../../../preload/contract/schema/annotations.ts';
import type { TrackPiece } from '../../../preload/geometry/track-pieces.ts';
import type { Label } from '../../../preload/contract/schema/labels.ts';
import type { ZipEntryWriter } from '../../formats/io/zip-writer.ts';
import type { DatasetRepository } from '../bulk-writer/dataset-repository.ts';
import type { StoredShapeBatch } from '../bulk-writer/stored-shape-batch.ts';
import { createNameTables, type NameTables } from '../annotation-reader/shape-names.ts';
import { StoredShape } from '../annotation-reader/stored-shape.ts';

const bufferCharacters = 256 * 1024;

/**
 * Writes `annotations.json`: a list with the annotations of each job, with labels and attributes by name. Shapes are
 * read from the store in batches, so memory is constant.
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
  const names = createNameTables(labels);
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
  /** Split tracks are written once, with their first segment. */
  const wholes = new Map(datasets.wholes(taskId).map((whole) => [whole.origin, whole]));
  await put('[');
  for (const [index, jobId] of jobIds.entries()) {
    await put(`${index === 0 ? '' : ','}{"version":0,"tags":[`);
    await putAll(
      datasets.tags(jobId).map(({ id: _id, label_id, attributes, ...tag }) => ({
        ...tag,
        label: names.labelName(label_id),
        attributes: names.named(attributes),
      })),
    );
    await put('],"shapes":[');
    await putAll(shapesOf(datasets.shapeBatches(jobId), names));
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
  origin: track.origin,
});

function trackOf({ frame, label_id, group, source, attributes, shapes }: SubTrack, names: NameTables) {
  return {
    frame,
    label: names.labelName(label_id),
    group,
    source,
    attributes: names.named(attributes),
    shapes: shapes.map((shape) => keyframeOf(shape, names)),
  };
}

const keyframeOf = ({ id: _id, attributes, ...shape }: TrackedShape, names: NameTables) => ({
  ...shape,
  attributes: names.named(attributes),
});

type Written = ReturnType<typeof shapeOf> & { elements: ReturnType<typeof shapeOf>[] };

function shapeOf(batch: StoredShapeBatch, row: number, names: NameTables) {
  const { type, frame, label, group, source, occluded, outside, z_order, rotation, points, attributes, score, area } =
    new StoredShape(batch, row, names);
  return {
    type,
    frame,
    label,
    group,
    source,
    occluded,
    outside,
    z_order,
    rotation,
    points,
    attributes,
    score,
    area,
  };
}

/** Elements are on the frame of their skeleton, so a frame is complete when the next one starts. */
function* shapesOf(batches: Iterable<StoredShapeBatch>, names: NameTables): Generator<Written> {
  let frame = -1;
  let ofFrame = new Map<number, Written>();
  let elements: { readonly parent: number; readonly shape: ReturnType<typeof shapeOf> }[] = [];
  function* complete(): Generator<Written> {
    for (const { parent, shape } of elements) ofFrame.get(parent)?.elements.push(shape);
    yield* ofFrame.values();
    ofFrame = new Map();
    elements = [];
  }
  for (const batch of batches) {
    for (let row = 0; row < batch.count; row += 1) {
      const shape = shapeOf(batch, row, names);
      if (shape.frame !== frame) yield* complete();
      frame = shape.frame;
      const parent = batch.parents[row] ?? Number.NaN;
      if (Number.isNaN(parent)) ofFrame.set(batch.ids[row] ?? 0, { ...shape, elements: [] });
      else elements.push({ parent, shape });
    }
  }
  yield* complete();
}
