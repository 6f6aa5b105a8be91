import type { Tag, Track, TrackedShape } from '../../../preload/contract/schema/annotations.ts';
import {
  type CutTrack,
  isSameKeyframe,
  type PartOfPiece,
  type PieceKeyframe,
  type TrackPiece,
  withBordersOf,
} from '../../../preload/geometry/track-pieces.ts';
import type { Query, Store } from '../../db/store.ts';
import { createBulkInsert } from '../../db/bulk-insert.ts';
import { decodePoints, encodePoints } from '../../db/points-codec.ts';
import { portionsOf, type Portions } from '../../platform/portions.ts';
import {
  flagsOf,
  isBorder,
  isOccluded,
  isOutside,
  packAttributes,
  sourceCode,
  sourceOf,
  typeCode,
  typeOf,
  unpackAttributes,
  type TagRow,
  type TrackedShapeRow,
  type TrackRow,
} from './annotation-rows.ts';

export type TrackPlace = Pick<TrackRow, 'id' | 'set_id' | 'origin_id'>;

/** A track without its keyframes. */
export interface TrackHead extends TrackPlace {
  readonly track: Track;
  /** A skeleton: its elements have keyframes, too. */
  readonly hasElements: boolean;
}

export interface TrackReading {
  /** Default true. Without points, keyframes have none: enough to count them, and most of the data is not read. */
  readonly points?: boolean;
}

/** Without points if the query did not read them. */
type KeyframeRow = Omit<TrackedShapeRow, 'points'> & Partial<Pick<TrackedShapeRow, 'points'>>;

export interface CutTrackRow extends TrackPiece {
  readonly pieceCount: number;
}

interface PlacedPiece {
  readonly setId: number;
  readonly track: TrackPiece;
}

const storedPieces = `FROM annotation_set s JOIN track ON track.set_id = s.id
  WHERE s.job_id = +? AND s.state = 'live' AND track.piece_count IS NULL`;
/** SQL: originals of the task's cut tracks, if all pieces are unchanged. */
const wholes = `FROM annotation_set s JOIN track ON track.set_id = s.id
  WHERE s.job_id IN (SELECT job.id FROM job WHERE job.task_id = +?) AND s.state = 'live' AND track.parent_id IS NULL
  AND track.piece_count = (SELECT count(*) FROM track p JOIN annotation_set of_piece ON of_piece.id = p.set_id
    WHERE p.origin_id = track.id AND p.piece_count IS NULL AND of_piece.state = 'live')`;
const withElements = (found: string) => `SELECT track.* FROM track JOIN (SELECT track.id AS found ${found}) ON
  track.id = found OR track.parent_id = found ORDER BY track.id`;

const keyframesOfPiece = 500;

export function createTrackRepository(database: Store) {
  const ofJob = database.query(`SELECT track.* ${storedPieces} ORDER BY track.id`);
  const shapesOfJob = database.query(`SELECT t.* FROM tracked_shape t JOIN
    (SELECT track.id AS track_id ${storedPieces}) USING (track_id) ORDER BY t.track_id, t.frame`);
  const shapesOfFrames =
    database.query(`SELECT t.* FROM (SELECT track.id AS track_id ${storedPieces.replace('?', ':jobId')}) p
    CROSS JOIN tracked_shape t ON t.track_id = p.track_id AND t.frame BETWEEN
      ifnull((SELECT max(b.frame) FROM tracked_shape b WHERE b.track_id = p.track_id AND b.frame <= +:first), +:first)
      AND ifnull((SELECT min(a.frame) FROM tracked_shape a WHERE a.track_id = p.track_id AND a.frame >= +:last), +:last)
    ORDER BY t.track_id, t.frame`);
  const ofSet = database.query('SELECT * FROM track WHERE set_id = +? AND piece_count IS NULL ORDER BY id');
  const wholesOfTask = database.query(withElements(wholes));
  const shapesOf = database.query('SELECT * FROM tracked_shape WHERE track_id = +? ORDER BY frame');
  const withoutPoints = 'id, track_id, frame, type, flags, z_order, rotation, attributes';
  const shapesWithoutPoints = database.query(
    `SELECT ${withoutPoints} FROM tracked_shape WHERE track_id = +? ORDER BY frame`,
  );
  const next = 'FROM tracked_shape WHERE track_id = +? AND (frame, id) > (+?, +?) ORDER BY frame, id LIMIT +?';
  const nextShapes = database.query(`SELECT * ${next}`);
  const nextWithoutPoints = database.query(`SELECT ${withoutPoints} ${next}`);
  const one = database.query('SELECT id, set_id, origin_id FROM track WHERE id = +? AND piece_count IS NULL');
  const oneWithElements = database.query('SELECT * FROM track WHERE id = +? OR parent_id = +? ORDER BY id');
  const setOrigin = database.query('UPDATE track SET origin_id = id WHERE id = +?');
  const update = database.query(
    'UPDATE track SET frame = ?, label_id = ?, source = ?, group_id = ?, attributes = ? WHERE id = +?',
  );
  const move = database.query('UPDATE track SET set_id = ? WHERE id = +? OR parent_id = +?');
  const removeElements = database.query('DELETE FROM track WHERE parent_id = +?');
  const removeWhole = database.query('DELETE FROM track WHERE (id = +? OR parent_id = +?) AND piece_count IS NOT NULL');
  const removeShapes = database.query('DELETE FROM tracked_shape WHERE track_id = +?');
  const { insertPieces, put, putElements, putShapes } = createTrackInserts(database);

  /** Makes the pieces independent: the original no longer matches them. */
  function forgetWhole({ origin_id: originId }: TrackPlace): void {
    if (originId === null) return;
    removeWhole.run(originId, originId);
  }

  const keyframesOf = (points: boolean) => (points ? shapesOf : shapesWithoutPoints);
  const assembled = (rows: readonly TrackRow[], points = true): TrackPiece[] =>
    assembleTracks(rows, shapesByTrack(rows.flatMap(({ id }) => keyframesOf(points).all(id) as KeyframeRow[])));

  return {
    ...createKeyframes(database, { putShapes, forgetWhole }),
    read(jobId: number): TrackPiece[] {
      const rows = ofJob.all(jobId) as TrackRow[];
      return rows.length === 0 ? [] : assembleTracks(rows, shapesByTrack(shapesOfJob.all(jobId) as TrackedShapeRow[]));
    },
    /**
     * Tracks with the keyframes that a range of frames needs, both ends included: those within it, the last before and
     * the first after. Without tracks that begin later.
     */
    readFrames(jobId: number, first: number, last = Number.MAX_SAFE_INTEGER): TrackPiece[] {
      const rows = ofJob.all(jobId) as TrackRow[];
      const shapes = rows.length === 0 ? [] : (shapesOfFrames.all({ jobId, first, last }) as TrackedShapeRow[]);
      const begun = new Set(shapes.flatMap(({ track_id: id, frame }) => (frame <= last ? [id] : [])));
      const isBegun = ({ id, parent_id: parent }: TrackRow) => begun.has(parent ?? id);
      return assembleTracks(rows.filter(isBegun), shapesByTrack(shapes));
    },
    /** Yields the tracks of a job in portions. */
    pieces: (jobId: number, { points = true }: TrackReading = {}) =>
      trackPieces(ofJob.all(jobId) as TrackRow[], points ? nextShapes : nextWithoutPoints),
    /** Tracks of one set: predictions are in no job. */
    readSet: (setId: number): TrackPiece[] => assembled(ofSet.all(setId) as TrackRow[]),
    /** Originals of the cut tracks in the task's jobs, if every piece is unchanged. */
    wholes(taskId: number, { points = true }: TrackReading = {}): CutTrackRow[] {
      const rows = wholesOfTask.all(taskId) as TrackRow[];
      const counts = new Map(rows.map((row) => [row.id, row.piece_count]));
      return assembled(rows, points).map((track) => ({ ...track, pieceCount: counts.get(track.id ?? 0) ?? 0 }));
    },
    find: (id: number) => one.get(id) as TrackPlace | undefined,
    insert: (setId: number, track: TrackPiece): TrackPiece => put({ setId }, track),
    /**
     * Stores the original and its pieces, which may be thousands; returns the pieces.
     * @param setOf returns the set of a job, by its index
     */
    *insertCut(
      whole: TrackPiece,
      pieces: CutTrack['pieces'],
      setOf: (index: number) => number,
    ): Portions<TrackPiece[]> {
      const [first] = pieces;
      if (!first) return [];
      const { id: originId = 0 } = put({ setId: setOf(first.index), pieceCount: pieces.length }, whole);
      setOrigin.run(originId);
      const stored: TrackPiece[] = [];
      for (const some of portionsOf(pieces)) {
        if (stored.length > 0) yield;
        const placed = some.map(({ index, piece }) => ({ setId: setOf(index), track: piece }));
        if (whole.elements.length === 0) stored.push(...insertPieces(placed, originId));
        else for (const { setId, track } of placed) stored.push(put({ setId, originId }, track));
      }
      return stored;
    },
    /** Keeps the track's id; its keyframes and elements are written again. */
    update(place: TrackPlace, track: Track): TrackPiece {
      const { frame, label_id, source, group, attributes } = track;
      const [stored] = assembled(oneWithElements.all(place.id, place.id) as TrackRow[]);
      const piece = stored ? withBordersOf(track, stored) : track;
      forgetWhole(place);
      update.run(frame, label_id, sourceCode(source), group ?? 0, packAttributes(attributes), place.id);
      removeShapes.run(place.id);
      removeElements.run(place.id);
      putShapes(place.id, piece.shapes);
      return { ...piece, id: place.id, elements: putElements({ setId: place.set_id }, place.id, piece) };
    },
    /**
     * Moves the track and its elements to another set, unchanged. Its original is not read while a piece is elsewhere,
     * and is read again when the piece returns.
     */
    move: ({ id }: TrackPlace, setId: number) => void move.run(setId, id, id),
  };
}

interface Place {
  readonly setId: number;
  readonly parentId?: number;
  readonly originId?: number;
  readonly pieceCount?: number;
}

function createTrackInserts(database: Store) {
  const intoTrack = 'track (set_id, frame, label_id, source, group_id, parent_id, attributes, origin_id, piece_count)';
  const insert = database.query(`INSERT INTO ${intoTrack} VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const insertTracks = createBulkInsert(database, intoTrack, 9);
  const insertShapes = createBulkInsert(
    database,
    'tracked_shape (track_id, frame, type, flags, z_order, rotation, points, attributes)',
    8,
  );

  const valuesOf = (trackId: number, shape: PieceKeyframe) => [
    trackId,
    shape.frame,
    typeCode(shape.type),
    flagsOf(shape),
    shape.z_order,
    shape.rotation,
    encodePoints(shape.points),
    packAttributes(shape.attributes),
  ];
  const putShapes = (trackId: number, shapes: readonly PieceKeyframe[]): void =>
    void insertShapes(shapes, (shape) => valuesOf(trackId, shape));

  function putPart({ setId, parentId, originId, pieceCount }: Place, part: PartOfPiece): number {
    const { frame, label_id, source, group, attributes } = part;
    const values = [setId, frame, label_id, sourceCode(source), group ?? 0, parentId ?? null];
    const { lastInsertRowid } = insert.run(...values, packAttributes(attributes), originId ?? null, pieceCount ?? null);
    const id = Number(lastInsertRowid);
    putShapes(id, part.shapes);
    return id;
  }

  const putElements = ({ setId, pieceCount }: Place, parentId: number, { elements }: TrackPiece) =>
    elements.map((element) => ({
      ...element,
      id: putPart({ setId, parentId, pieceCount }, element),
    }));

  function put(place: Place, track: TrackPiece): TrackPiece {
    const id = putPart(place, track);
    return { ...track, id, elements: putElements(place, id, track) };
  }

  /** Inserts pieces without elements, many per statement. */
  function insertPieces(placed: readonly PlacedPiece[], originId: number): TrackPiece[] {
    const ids = insertTracks(placed, ({ setId, track: { frame, label_id, source, group, attributes } }) => {
      const values = [setId, frame, label_id, sourceCode(source), group ?? 0, null];
      return [...values, packAttributes(attributes), originId, null];
    });
    const keyframes = placed.flatMap(({ track }, at) => track.shapes.map((shape) => ({ id: ids[at]!, shape })));
    insertShapes(keyframes, ({ id, shape }) => valuesOf(id, shape));
    return placed.map(({ track }, at) => ({ ...track, id: ids[at]! }));
  }

  return { insertPieces, put, putElements, putShapes };
}

interface TrackWriting {
  readonly putShapes: (trackId: number, shapes: readonly PieceKeyframe[]) => void;
  readonly forgetWhole: (place: TrackPlace) => void;
}

/** Reads and writes one keyframe, whatever the number of others. */
function createKeyframes(database: Store, { putShapes, forgetWhole }: TrackWriting) {
  const head = database.query(`SELECT *, EXISTS (SELECT 1 FROM track e WHERE e.parent_id = track.id) AS has_elements
    FROM track WHERE id = +? AND piece_count IS NULL AND parent_id IS NULL`);
  const keyframeAt = database.query('SELECT * FROM tracked_shape WHERE track_id = +? AND frame = +?');
  const firstKeyframes = database.query('SELECT frame FROM tracked_shape WHERE track_id = +? ORDER BY frame LIMIT 2');
  const removeKeyframe = database.query('DELETE FROM tracked_shape WHERE track_id = +? AND frame = +?');
  const setFrame = database.query('UPDATE track SET frame = ? WHERE id = +?');

  function startAtFirst({ id }: TrackPlace): void {
    const [first] = firstKeyframes.all(id) as { frame: number }[];
    if (first) setFrame.run(first.frame, id);
  }

  const keyframes = {
    head(id: number): TrackHead | undefined {
      const row = head.get(id) as (TrackRow & { has_elements: number }) | undefined;
      if (!row) return undefined;
      const { set_id, origin_id, has_elements } = row;
      return {
        id,
        set_id,
        origin_id,
        track: { ...readTag(row), shapes: [], elements: [] },
        hasElements: has_elements === 1,
      };
    },
    keyframe(place: TrackPlace, frame: number): PieceKeyframe | undefined {
      const row = keyframeAt.get(place.id, frame) as TrackedShapeRow | undefined;
      return row && readTrackedShape(row);
    },
    isOnlyKeyframe: (place: TrackPlace): boolean => firstKeyframes.all(place.id).length < 2,
    putKeyframe(place: TrackPlace, keyframe: TrackedShape): void {
      const stored = keyframes.keyframe(place, keyframe.frame);
      const isBorder = stored?.border === true && isSameKeyframe(keyframe, stored);
      forgetWhole(place);
      removeKeyframe.run(place.id, keyframe.frame);
      putShapes(place.id, [isBorder ? { ...keyframe, border: true } : keyframe]);
      startAtFirst(place);
    },
    removeKeyframe(place: TrackPlace, frame: number): void {
      forgetWhole(place);
      removeKeyframe.run(place.id, frame);
      startAtFirst(place);
    },
  };
  return keyframes;
}

/** Yields tracks in portions, and nothing after each portion of a track's keyframes: it may have a hundred thousand. */
function* trackPieces(rows: readonly TrackRow[], nextShapes: Query<unknown[]>): Generator<TrackPiece[]> {
  const byParent = Map.groupBy(rows, ({ parent_id: parentId }) => parentId);
  let parts: TrackRow[] = [];
  let shapes = new Map<number, PieceKeyframe[]>();
  let shapeCount = 0;
  for (const track of byParent.get(null) ?? []) {
    for (const part of [track, ...(byParent.get(track.id) ?? [])]) {
      parts.push(part);
      const own: PieceKeyframe[] = [];
      shapes.set(part.id, own);
      let [frame, id] = [-1, -1];
      for (;;) {
        const some = nextShapes.all(part.id, frame, id, keyframesOfPiece) as KeyframeRow[];
        for (const row of some) own.push(readTrackedShape(row));
        shapeCount += some.length;
        if (some.length < keyframesOfPiece) break;
        ({ frame, id } = some.at(-1)!);
        yield [];
      }
    }
    if (shapeCount < keyframesOfPiece) continue;
    yield assembleTracks(parts, shapes);
    [parts, shapes, shapeCount] = [[], new Map(), 0];
  }
  yield assembleTracks(parts, shapes);
}

export function readTag(row: TagRow): Tag {
  return {
    id: row.id,
    frame: row.frame,
    label_id: row.label_id,
    group: row.group_id,
    source: sourceOf(row.source),
    attributes: unpackAttributes(row.attributes),
  };
}

function readTrackedShape(row: KeyframeRow): PieceKeyframe {
  return {
    id: row.id,
    type: typeOf(row.type),
    frame: row.frame,
    occluded: isOccluded(row.flags),
    outside: isOutside(row.flags),
    z_order: row.z_order,
    rotation: row.rotation,
    points: row.points ? decodePoints(row.points) : [],
    attributes: unpackAttributes(row.attributes),
    border: isBorder(row.flags) || undefined,
  };
}

const shapesByTrack = (rows: readonly KeyframeRow[]): ReadonlyMap<number, PieceKeyframe[]> =>
  new Map([...Map.groupBy(rows, (row) => row.track_id)].map(([id, own]) => [id, own.map(readTrackedShape)]));

function assembleTracks(rows: readonly TrackRow[], shapes: ReadonlyMap<number, PieceKeyframe[]>): TrackPiece[] {
  const read = (row: TrackRow): PartOfPiece => ({ ...readTag(row), shapes: shapes.get(row.id) ?? [] });
  const tracks = rows
    .filter((row) => row.parent_id === null)
    .map((row): TrackPiece => ({
      ...read(row),
      elements: [],
      origin: row.origin_id ?? undefined,
    }));
  const byId = new Map(tracks.map((track) => [track.id, track]));
  for (const row of rows) if (row.parent_id !== null) byId.get(row.parent_id)?.elements.push(read(row));
  return tracks;
}
