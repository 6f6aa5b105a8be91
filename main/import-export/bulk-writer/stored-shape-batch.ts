import { integerColumn, integerColumns, realColumn, realColumns } from './annotation-batch.ts';

/**
 * Rows of the store as columns, in frame order. The encoded points of row i are `points[offsets[i] .. offsets[i + 1]]`.
 */
export interface StoredShapeBatch {
  readonly count: number;
  readonly capacity: number;
  /** Columns of `capacity` each, numbered by `integerColumn`. */
  readonly integers: Int32Array;
  /** Columns of `capacity` each, numbered by `realColumn`. A missing area is NaN. */
  readonly reals: Float64Array;
  readonly ids: Float64Array;
  /** Id of an element's skeleton; NaN for none. */
  readonly parents: Float64Array;
  readonly offsets: Uint32Array;
  readonly points: Uint8Array;
  readonly attributes: readonly (string | null)[];
}

/** One row with the columns of the query in `shape-batch-repository.ts`. */
export type StoredShapeFields = readonly [
  frame: number,
  id: number,
  labelId: number,
  type: number,
  source: number,
  flags: number,
  zOrder: number,
  groupId: number,
  rotation: number,
  score: number,
  area: number | null,
  parentId: number | null,
  attributes: string | null,
  pointBytes: number,
];

export const frameOf = (row: StoredShapeFields): number => row[0];
export const pointBytesOf = (row: StoredShapeFields): number => row[13];

export interface ShapePage {
  readonly rows: readonly StoredShapeFields[];
  readonly points: Uint8Array;
}

/** Concatenates pages to a batch. */
export function toBatch(pages: readonly ShapePage[]): StoredShapeBatch {
  const capacity = pages.reduce((sum, { rows }) => sum + rows.length, 0);
  const integers = new Int32Array(integerColumns * capacity);
  const reals = new Float64Array(realColumns * capacity);
  const ids = new Float64Array(capacity);
  const parents = new Float64Array(capacity);
  const offsets = new Uint32Array(capacity + 1);
  const points = new Uint8Array(pages.reduce((sum, page) => sum + page.points.length, 0));
  const attributes: (string | null)[] = [];
  let count = 0;
  let end = 0;
  for (const page of pages) {
    points.set(page.points, end);
    for (const row of page.rows) {
      integers[integerColumn.frame * capacity + count] = row[0];
      ids[count] = row[1];
      integers[integerColumn.label * capacity + count] = row[2];
      integers[integerColumn.type * capacity + count] = row[3];
      integers[integerColumn.source * capacity + count] = row[4];
      integers[integerColumn.flags * capacity + count] = row[5];
      integers[integerColumn.zOrder * capacity + count] = row[6];
      integers[integerColumn.group * capacity + count] = row[7];
      reals[realColumn.rotation * capacity + count] = row[8];
      reals[realColumn.score * capacity + count] = row[9];
      reals[realColumn.area * capacity + count] = row[10] ?? Number.NaN;
      parents[count] = row[11] ?? Number.NaN;
      attributes.push(row[12]);
      end += row[13];
      count += 1;
      offsets[count] = end;
    }
  }
  return { count, capacity, integers, reals, ids, parents, offsets, points, attributes };
}
