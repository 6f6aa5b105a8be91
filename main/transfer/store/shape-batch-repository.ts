import type { Database } from '../../db/open.ts';
import { joinRuns, mergeByFrame } from './merge-shape-pages.ts';
import {
  frameOf,
  pointBytesOf,
  type ShapePage,
  type StoredShapeBatch,
  type StoredShapeFields,
  toBatch,
} from './stored-shape-batch.ts';

const rowsPerPage = 1000;
/** Points of masks may be long: fewer rows then. */
const pointBytesPerPage = 1024 * 1024;

const idOf = (row: StoredShapeFields): number => row[1];

/**
 * Reads the shapes of annotation sets in frame order, in batches. The points of many rows come as one value: to make a
 * buffer for each row takes as long as all the rest.
 */
export function createShapeBatchRepository(database: Database) {
  const listed = database
    .prepare(
      `SELECT f.frame, f.shape_id, label_id, type, source, flags, z_order, group_id, rotation, score, area, parent_id,
         attributes, length(points)
       FROM shape_frame f CROSS JOIN shape ON shape.id = f.shape_id
       WHERE f.set_id = ? AND (f.frame, f.shape_id) > (?, ?) ORDER BY f.frame, f.shape_id LIMIT ${rowsPerPage}`,
    )
    .raw();
  // Values that are joined are taken as texts, byte by byte as they are, zeros too.
  const joined = database
    .prepare(
      `SELECT CAST(group_concat(points, '') AS BLOB) FROM (
         SELECT points FROM shape_frame f CROSS JOIN shape ON shape.id = f.shape_id
         WHERE f.set_id = ? AND (f.frame, f.shape_id) >= (?, ?) AND (f.frame, f.shape_id) <= (?, ?)
         ORDER BY f.frame, f.shape_id)`,
    )
    .pluck();

  function pointsOf(setId: number, rows: readonly StoredShapeFields[]): Uint8Array {
    const [first, last] = [rows[0], rows.at(-1)];
    if (!first || !last) return new Uint8Array();
    const points = joined.get(setId, frameOf(first), idOf(first), frameOf(last), idOf(last)) as Uint8Array | null;
    return points ?? new Uint8Array();
  }

  /** Pages of one set. */
  function* pages(setId: number): Generator<ShapePage> {
    let frame = -1;
    let id = 0;
    for (;;) {
      const rows = listed.all(setId, frame, id) as StoredShapeFields[];
      for (let from = 0; from < rows.length;) {
        const to = pageEnd(rows, from);
        const page = rows.slice(from, to);
        yield { rows: page, points: pointsOf(setId, page) };
        from = to;
      }
      const last = rows.at(-1);
      if (!last || rows.length < rowsPerPage) return;
      frame = frameOf(last);
      id = idOf(last);
    }
  }

  /** Batches of several sets; within a frame, rows of earlier sets come first. */
  return function* batches(setIds: readonly number[]): Generator<StoredShapeBatch> {
    const [only] = setIds;
    if (setIds.length === 1 && only !== undefined) {
      for (const page of pages(only)) yield toBatch([page]);
      return;
    }
    const runs = mergeByFrame(setIds.map(pages));
    for (const together of joinRuns(runs, rowsPerPage, pointBytesPerPage)) yield toBatch(together);
  };
}

/** Where the page that begins at `from` ends: as many points as a page may have, but one row at least. */
function pageEnd(rows: readonly StoredShapeFields[], from: number): number {
  let bytes = 0;
  for (let place = from; place < rows.length; place += 1) {
    bytes += pointBytesOf(rows[place]!);
    if (bytes > pointBytesPerPage && place > from) return place;
  }
  return rows.length;
}
