import type { Store } from '../../db/store.ts';

/** A row of the table `shape`, whose id the store assigns. */
export interface NewShapeRow {
  /** Index of the target set. */
  readonly target: number;
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

type Value = number | string | Uint8Array | null;

const rowsPerStatement = 20;

/** Columns that usually differ between rows come first. The others are bound once for rows with equal values. */
const insertOf = (rows: number, rest: string): string =>
  `INSERT INTO shape (frame, label_id, area, points, attributes, set_id, type, source, flags, z_order, group_id,
     rotation, score, parent_id) VALUES ${Array<string>(rows).fill(`(?, ?, ?, ?, ?, ${rest})`).join(', ')}`;
const eachOwn = '?, ?, ?, ?, ?, ?, ?, ?, ?';
const bound = '@type, @source, @flags, @zOrder, @groupId, @rotation, @score, @parentId';

const listedPerStatement = 100;

const listOf = (rows: number, set: '@setId' | '?'): string =>
  `INSERT INTO shape_frame (set_id, frame, shape_id) VALUES ${Array<string>(rows).fill(`(${set}, ?, ?)`).join(', ')}`;

/** Shapes of a set in the order of their frames: `frame, shape` for each. */
export interface ListedShapes {
  readonly setId: number;
  readonly values: readonly number[];
}

/** Columns of a row that are bound with it. The sets of a task with many jobs have few shapes each. */
type Own = 'few' | 'few and set' | 'all';

const isAlike = (one: NewShapeRow, other: NewShapeRow): boolean =>
  one.type === other.type &&
  one.source === other.source &&
  one.flags === other.flags &&
  one.zOrder === other.zOrder &&
  one.groupId === other.groupId &&
  one.rotation === other.rotation &&
  one.score === other.score &&
  one.parentId === other.parentId;

/**
 * Inserts shapes in order, many per statement. If rows differ only in frame, label, area, points, attributes and set,
 * binding the rest once halves the time per row.
 */
export function createShapeRowRepository(
  database: Store,
  inserted: (row: { readonly target: number; readonly frame: number; readonly id: number }) => void,
) {
  const insertOne = database.query(insertOf(1, eachOwn));
  const insertMany = database.query(insertOf(rowsPerStatement, eachOwn));
  const insertAlike = database.query(insertOf(rowsPerStatement, `@setId, ${bound}`));
  const insertAlikeOfSets = database.query(insertOf(rowsPerStatement, `?, ${bound}`));
  const listOne = database.query(listOf(1, '?'));
  const listAlike = database.query(listOf(listedPerStatement, '@setId'));
  const listMany = database.query(listOf(listedPerStatement, '?'));
  let waiting: NewShapeRow[] = [];
  let areAlike = true;
  let areOfOneSet = true;

  function valuesOf(rows: readonly NewShapeRow[], own: Own): Value[] {
    const values: Value[] = [];
    for (const row of rows) {
      values.push(row.frame, row.labelId, row.area, row.points, row.attributes);
      if (own === 'few') continue;
      values.push(row.setId);
      if (own === 'few and set') continue;
      values.push(row.type, row.source, row.flags, row.zOrder, row.groupId, row.rotation, row.score);
      values.push(row.parentId);
    }
    return values;
  }

  /** The rows of a statement get consecutive ids. */
  function insert(): number {
    const [first] = waiting;
    if (waiting.length === rowsPerStatement && first) {
      const { setId, type, source, flags, zOrder, groupId, rotation, score, parentId } = first;
      const shared = { type, source, flags, zOrder, groupId, rotation, score, parentId };
      if (!areAlike) return Number(insertMany.run(valuesOf(waiting, 'all')).lastInsertRowid);
      const done = areOfOneSet
        ? insertAlike.run(valuesOf(waiting, 'few'), { setId, ...shared })
        : insertAlikeOfSets.run(valuesOf(waiting, 'few and set'), shared);
      return Number(done.lastInsertRowid);
    }
    let id = 0;
    for (const row of waiting) id = Number(insertOne.run(valuesOf([row], 'all')).lastInsertRowid);
    return id;
  }

  /** Writes pending rows and returns the id of the last one. */
  function flush(): number {
    const id = insert();
    const rows = waiting;
    waiting = [];
    [areAlike, areOfOneSet] = [true, true];
    for (const [place, { target, frame }] of rows.entries())
      inserted({ target, frame, id: id - rows.length + 1 + place });
    return id;
  }

  return {
    add(row: NewShapeRow): void {
      if (waiting.length === rowsPerStatement) flush();
      const first = waiting[0] ?? row;
      areAlike &&= isAlike(first, row);
      areOfOneSet &&= first.setId === row.setId;
      waiting.push(row);
    },
    flush,
    /** Inserts shapes by frame. Sets with few shapes share statements, because a task may have thousands of jobs. */
    list(sets: readonly ListedShapes[]): void {
      const few: number[] = [];
      for (const { setId, values } of sets) {
        const size = 2 * listedPerStatement;
        let at = 0;
        for (; at + size <= values.length; at += size) listAlike.run(values.slice(at, at + size), { setId });
        for (; at < values.length; at += 2) few.push(setId, values[at]!, values[at + 1]!);
      }
      const size = 3 * listedPerStatement;
      let at = 0;
      for (; at + size <= few.length; at += size) listMany.run(few.slice(at, at + size));
      for (; at < few.length; at += 3) listOne.run(few.slice(at, at + 3));
    },
  };
}
