import type { Store } from '../../db/store.ts';
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
/** Masks can have many points; pages then have fewer rows. */
const pointBytesPerPage = 1024 * 1024;

const idOf = (row: StoredShapeFields): number => row[1];

/**
 * Reads the shapes of annotation sets in frame order, in batches. The points of many rows are read as one value,
 * because a buffer per row would take as long as all the rest.
 */
export function createShapeBatchRepository(database: Store) {
  const listed = database
    .query(
      `SELECT f.frame, f.shape_id, label_id, type, source, flags, z_order, group_id, rotation, score, area, parent_id,
         attributes, length(points)
       FROM shape_frame f CROSS JOIN shape ON shape.id = f.shape_id
       WHERE f.set_id = +? AND (f.frame, f.shape_id) > (+?, +?) ORDER BY f.frame, f.shape_id LIMIT ${rowsPerPage}`,
    )
    .raw();
  // Joined values are returned as text, with unchanged bytes including zeros.
  const joined = database
    .query(
      `SELECT CAST(group_concat(points, '') AS BLOB) FROM (
         SELECT points FROM shape_frame f CROSS JOIN shape ON shape.id = f.shape_id
         WHERE f.set_id = +? AND (f.frame, f.shape_id) >= (+?, +?) AND (f.frame, f.shape_id) <= (+?, +?)
         ORDER BY f.frame, f.shape_id)`,
    )
    .pluck();

  function pointsOf(setId: number, rows: readonly StoredShapeFields[]): Uint8Array {
    const [first, last] = [rows[0], rows.at(-1)];
    if (!first || !last) return new Uint8Array();
    const points = joined.get(setId, frameOf(first), idOf(first), frameOf(last), idOf(last)) as Uint8Array | null;
    return points ?? new Uint8Array();
  }

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

  /** Batches of several sets. Within a frame, rows of earlier sets come first. */
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

/** End of the page that starts at `from`: as many points as a page may have, but at least one row. */
function pageEnd(rows: readonly StoredShapeFields[], from: number): number {
  let bytes = 0;
  for (let place = from; place < rows.length; place += 1) {
    bytes += pointBytesOf(rows[place]!);
    if (bytes > pointBytesPerPage && place > from) return place;
  }
  return rows.length;
}
