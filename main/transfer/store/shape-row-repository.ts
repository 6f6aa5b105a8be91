import type { Database } from '../../db/open.ts';

/** A row of the table `shape`, with an id that the store gives. */
export interface NewShapeRow {
  readonly setId: number;
  readonly frame: number;
  readonly labelId: number;
  readonly type: number;
  readonly source: number;
  readonly flags: number;
  readonly zOrder: number;
  readonly groupId: number;
  readonly rotation: number;
  readonly score: number;
  readonly area: number | null;
  readonly parentId: number | null;
  readonly points: Uint8Array;
  readonly attributes: string | null;
}

/** What a statement binds once for all of its rows. */
type SharedColumns = Omit<NewShapeRow, 'frame' | 'labelId' | 'area' | 'points' | 'attributes'>;

const ownColumns = 5;
const rowsPerStatement = 20;

const insertOf = (rows: number): string =>
  `INSERT INTO shape (set_id, frame, label_id, type, source, flags, z_order, group_id, rotation, score, area,
     parent_id, points, attributes) VALUES ${Array<string>(rows)
       .fill('(@setId, ?, ?, @type, @source, @flags, @zOrder, @groupId, @rotation, @score, ?, @parentId, ?, ?)')
       .join(', ')}`;

const listedPerStatement = 100;

const listOf = (rows: number): string =>
  `INSERT INTO shape_frame (set_id, frame, shape_id) VALUES ${Array<string>(rows).fill('(?, ?, ?)').join(', ')}`;

const isShared = (columns: SharedColumns, row: NewShapeRow): boolean =>
  columns.setId === row.setId &&
  columns.type === row.type &&
  columns.source === row.source &&
  columns.flags === row.flags &&
  columns.zOrder === row.zOrder &&
  columns.groupId === row.groupId &&
  columns.rotation === row.rotation &&
  columns.score === row.score &&
  columns.parentId === row.parentId;

/**
 * Inserts shapes in the order in which they come, many with one statement: rows that follow each other are mostly
 * alike but for frame, label, area and points, and binding the rest once halves the time of a row.
 */
export function createShapeRowRepository(database: Database, inserted: (row: { frame: number; id: number }) => void) {
  const insertOne = database.prepare(insertOf(1));
  const insertMany = database.prepare(insertOf(rowsPerStatement));
  const listOne = database.prepare(listOf(1));
  const listMany = database.prepare(listOf(listedPerStatement));
  let shared: SharedColumns | undefined;
  const frames: number[] = [];
  const values: (number | string | Uint8Array | null)[] = [];

  /** The store numbers the rows of a statement one after another. */
  function report(first: number, count: number, lastId: number): void {
    for (let index = 0; index < count; index += 1) {
      inserted({ frame: frames[first + index] ?? 0, id: lastId - count + 1 + index });
    }
  }

  /** Writes what waits; gives the id of the last row. */
  function flush(): number {
    let id = 0;
    if (frames.length === rowsPerStatement) {
      id = Number(insertMany.run(values, shared).lastInsertRowid);
      report(0, rowsPerStatement, id);
    } else {
      for (let row = 0; row < frames.length; row += 1) {
        const own = values.slice(row * ownColumns, (row + 1) * ownColumns);
        id = Number(insertOne.run(own, shared).lastInsertRowid);
        report(row, 1, id);
      }
    }
    frames.length = 0;
    values.length = 0;
    return id;
  }

  return {
    add(row: NewShapeRow): void {
      if (frames.length === rowsPerStatement || (shared && !isShared(shared, row))) flush();
      if (frames.length === 0) {
        const { setId, type, source, flags, zOrder, groupId, rotation, score, parentId } = row;
        shared = { setId, type, source, flags, zOrder, groupId, rotation, score, parentId };
      }
      frames.push(row.frame);
      values.push(row.frame, row.labelId, row.area, row.points, row.attributes);
    },
    flush,
    /** Which shape stands on which frame of which set: `set, frame, shape` for each, one after another. */
    list(values: readonly number[]): void {
      const size = 3 * listedPerStatement;
      let at = 0;
      for (; at + size <= values.length; at += size) listMany.run(values.slice(at, at + size));
      for (; at < values.length; at += 3) listOne.run(values.slice(at, at + 3));
    },
  };
}
