import type { Shape, SubShape } from '../../../preload/contract/schema/annotations.ts';
import type { Store } from '../../db/store.ts';
import { decodePoints, encodePoints } from '../../db/points-codec.ts';
import {
  flagsOf,
  isOccluded,
  isOutside,
  packAttributes,
  sourceCode,
  sourceOf,
  typeCode,
  typeOf,
  unpackAttributes,
  type ShapeRow,
} from './annotation-rows.ts';

/** Location of a shape: the columns needed to change or remove it. */
export type ShapePlace = Pick<ShapeRow, 'id' | 'set_id' | 'frame' | 'type'>;

const insertSql = `INSERT INTO shape
  (set_id, frame, label_id, type, source, flags, z_order, group_id, rotation, score, area, parent_id, points, attributes)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, ?, ?, ?)`;
/** The stored area is valid only for the stored points: a change of either clears it. */
const updateSql = `UPDATE shape SET frame = ?, label_id = ?, type = ?, source = ?, flags = ?, z_order = ?,
  group_id = ?, rotation = ?, score = ?, area = CASE WHEN points = ? AND type = ? THEN area END, points = ?,
  attributes = ? WHERE id = +?`;
const liveShapes = (where: string) => `SELECT shape.* FROM annotation_set s
  JOIN shape_frame f ON f.set_id = s.id JOIN shape ON shape.id = f.shape_id
  WHERE s.job_id = +? AND s.state = 'live' ${where} ORDER BY f.frame, f.shape_id`;

const shapesOfPiece = 500;

/** First and last frame; without a last one, only the first; without both, all frames. */
export interface FrameWindow {
  readonly frame?: number;
  readonly to_frame?: number;
}

const maxFrame = Number.MAX_SAFE_INTEGER;
/** Read by the index, in its order. A query over several sets would sort all rows before the first. */
const rowsOfSet = `SELECT shape.* FROM shape_frame f CROSS JOIN shape ON shape.id = f.shape_id
  WHERE f.set_id = +? AND f.frame BETWEEN +? AND +? ORDER BY f.frame, f.shape_id`;

export function createShapeRepository(database: Store) {
  const rowsInOrder = createRowReader(database);
  const ofJob = database.query(liveShapes(''));
  const ofFrames = database.query(liveShapes('AND f.frame BETWEEN +? AND +?'));
  const ofFrame = database.query(liveShapes('AND f.frame = +?'));
  const ofSetFrame = database.query(
    `SELECT shape.* FROM shape_frame f JOIN shape ON shape.id = f.shape_id
     WHERE f.set_id = +? AND f.frame = +? ORDER BY f.shape_id`,
  );
  const insert = database.query(insertSql);
  const list = database.query('INSERT INTO shape_frame (set_id, frame, shape_id) VALUES (?, ?, ?)');
  const unlist = database.query('DELETE FROM shape_frame WHERE set_id = +? AND frame = +? AND shape_id = +?');
  const update = database.query(updateSql);
  const remove = database.query('DELETE FROM shape WHERE id = +?');
  const relocate = database.query('UPDATE shape SET set_id = ? WHERE id = +?');
  const one = database.query('SELECT id, set_id, frame, type FROM shape WHERE id = +?');
  const elementsOf = database.query(
    `SELECT shape.* FROM shape_frame f JOIN shape ON shape.id = f.shape_id
     WHERE f.set_id = +? AND f.frame = +? AND parent_id = +?`,
  );

  function put(setId: number, parentId: number | null, shape: SubShape): number {
    const id = Number(
      insert.run(
        setId,
        shape.frame,
        shape.label_id,
        typeCode(shape.type),
        sourceCode(shape.source),
        flagsOf(shape),
        shape.z_order,
        shape.group ?? 0,
        shape.rotation,
        shape.score,
        parentId,
        encodePoints(shape.points),
        packAttributes(shape.attributes),
      ).lastInsertRowid,
    );
    list.run(setId, shape.frame, id);
    return id;
  }

  function change(old: ShapePlace, next: SubShape): void {
    const points = encodePoints(next.points);
    const type = typeCode(next.type);
    update.run(
      next.frame,
      next.label_id,
      type,
      sourceCode(next.source),
      flagsOf(next),
      next.z_order,
      next.group ?? 0,
      next.rotation,
      next.score,
      points,
      type,
      points,
      packAttributes(next.attributes),
      old.id,
    );
    if (old.frame === next.frame) return;
    unlist.run(old.set_id, old.frame, old.id);
    list.run(old.set_id, next.frame, old.id);
  }

  /** Elements are found by a scan of all shapes of the frame, so only skeletons are searched. */
  const elements = (place: ShapePlace): ShapeRow[] =>
    typeOf(place.type) === 'skeleton' ? (elementsOf.all(place.set_id, place.frame, place.id) as ShapeRow[]) : [];

  function removeOne(place: ShapePlace): void {
    for (const element of elements(place)) removeOne(element);
    unlist.run(place.set_id, place.frame, place.id);
    remove.run(place.id);
  }

  function moveOne(place: ShapePlace, setId: number): void {
    for (const element of elements(place)) moveOne(element, setId);
    unlist.run(place.set_id, place.frame, place.id);
    relocate.run(setId, place.id);
    list.run(setId, place.frame, place.id);
  }

  return {
    read: (jobId: number, frame?: number): Shape[] =>
      assembleShapes((frame === undefined ? ofJob.all(jobId) : ofFrame.all(jobId, frame)) as ShapeRow[]),
    /** Yields the shapes of a job in portions, because they may not fit into memory. */
    *pieces(jobId: number, { frame, to_frame: last = frame }: FrameWindow): Generator<Shape[]> {
      let rows: ShapeRow[] = [];
      let hasSkeleton = false;
      for (const row of rowsInOrder(jobId, frame ?? 0, last ?? maxFrame)) {
        // Elements are on the frame of their skeleton and come after it.
        const isWhole = !hasSkeleton || row.frame !== rows.at(-1)?.frame;
        if (rows.length >= shapesOfPiece && isWhole) {
          yield assembleShapes(rows);
          rows = [];
          hasSkeleton = false;
        }
        rows.push(row);
        hasSkeleton ||= typeOf(row.type) === 'skeleton';
      }
      yield assembleShapes(rows);
    },
    /** Shapes of one set: predictions are in no job. */
    readSet: (setId: number, frame: number): Shape[] => assembleShapes(ofSetFrame.all(setId, frame) as ShapeRow[]),
    /** Both ends included. */
    readFrames: (jobId: number, first: number, last: number): Shape[] =>
      assembleShapes(ofFrames.all(jobId, first, last) as ShapeRow[]),
    find: (id: number) => one.get(id) as ShapePlace | undefined,
    insert(setId: number, shape: Shape): Shape {
      const id = put(setId, null, shape);
      return { ...shape, id, elements: shape.elements.map((element) => ({ ...element, id: put(setId, id, element) })) };
    },
    /** Keeps the shape's id; elements of a skeleton are matched by label. */
    update(place: ShapePlace, shape: Shape): Shape {
      const old = elements(place);
      change(place, shape);
      const kept = shape.elements.map((element) => {
        const earlier = old.find((row) => row.label_id === element.label_id);
        if (!earlier) return { ...element, id: put(place.set_id, place.id, element) };
        change(earlier, element);
        return { ...element, id: earlier.id };
      });
      const keptIds = new Set(kept.map((element) => element.id));
      for (const row of old) if (!keptIds.has(row.id)) removeOne(row);
      return { ...shape, id: place.id, elements: kept };
    },
    // Both with the elements of the shape.
    move: moveOne,
    remove: removeOne,
  };
}

/** Reads the shapes of a job one by one, by frame and id. */
function createRowReader(database: Store) {
  const liveSets = database.query("SELECT id FROM annotation_set WHERE job_id = +? AND state = 'live'").pluck();
  return (jobId: number, first: number, last: number): Generator<ShapeRow> =>
    inOrder(
      (liveSets.all(jobId) as number[]).map(
        (id) => database.query(rowsOfSet).iterate(id, first, last) as IterableIterator<ShapeRow>,
      ),
    );
}

/** Merges ordered rows by frame and id. */
function* inOrder(readers: readonly IterableIterator<ShapeRow>[]): Generator<ShapeRow> {
  const [only] = readers;
  if (only && readers.length === 1) return yield* only;
  const heads = readers.map((reader) => ({ reader, head: reader.next() }));
  try {
    for (;;) {
      let first: (typeof heads)[number] | undefined;
      for (const one of heads)
        if (one.head.done !== true && (!first || isBefore(one.head.value, first.head.value))) first = one;
      if (!first) return;
      yield first.head.value;
      first.head = first.reader.next();
    }
  } finally {
    for (const { reader } of heads) reader.return?.();
  }
}

const isBefore = (a: ShapeRow, b: ShapeRow): boolean => a.frame < b.frame || (a.frame === b.frame && a.id < b.id);

function readSubShape(row: ShapeRow): SubShape {
  return {
    id: row.id,
    type: typeOf(row.type),
    frame: row.frame,
    label_id: row.label_id,
    group: row.group_id,
    source: sourceOf(row.source),
    occluded: isOccluded(row.flags),
    outside: isOutside(row.flags),
    z_order: row.z_order,
    rotation: row.rotation,
    points: decodePoints(row.points),
    attributes: unpackAttributes(row.attributes),
    score: row.score,
  };
}

/** Assigns the elements of skeletons to their parents. Rows may come in any order. */
function assembleShapes(rows: readonly ShapeRow[]): Shape[] {
  const shapes: Shape[] = [];
  const byId = new Map<number, Shape>();
  for (const row of rows) {
    if (row.parent_id !== null) continue;
    const shape = { ...readSubShape(row), elements: [] };
    byId.set(row.id, shape);
    shapes.push(shape);
  }
  for (const row of rows) if (row.parent_id !== null) byId.get(row.parent_id)?.elements.push(readSubShape(row));
  return shapes;
}
