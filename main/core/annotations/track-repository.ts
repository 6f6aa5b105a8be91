import type { SubTrack, Tag, Track, TrackedShape } from '../../../preload/contract/schema/annotations.ts';
import type { Database } from '../../db/open.ts';
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
  type TagRow,
  type TrackedShapeRow,
  type TrackRow,
} from './annotation-rows.ts';

export type TrackPlace = Pick<TrackRow, 'id' | 'set_id'>;

export function createTrackRepository(database: Database) {
  const ofJob = database.prepare(`SELECT track.* FROM annotation_set s JOIN track ON track.set_id = s.id
    WHERE s.job_id = ? AND s.state = 'live' ORDER BY track.id`);
  const shapesOfJob = database.prepare(`SELECT t.* FROM annotation_set s JOIN track ON track.set_id = s.id
    JOIN tracked_shape t ON t.track_id = track.id
    WHERE s.job_id = ? AND s.state = 'live' ORDER BY t.track_id, t.frame`);
  const one = database.prepare('SELECT id, set_id FROM track WHERE id = ?');
  const insert = database.prepare(
    'INSERT INTO track (set_id, frame, label_id, source, group_id, parent_id, attributes) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const update = database.prepare(
    'UPDATE track SET frame = ?, label_id = ?, source = ?, group_id = ?, attributes = ? WHERE id = ?',
  );
  const move = database.prepare('UPDATE track SET set_id = ? WHERE id = ? OR parent_id = ?');
  const removeElements = database.prepare('DELETE FROM track WHERE parent_id = ?');
  const removeShapes = database.prepare('DELETE FROM tracked_shape WHERE track_id = ?');
  const insertShape = database.prepare(
    `INSERT INTO tracked_shape (track_id, frame, type, flags, z_order, rotation, points, attributes)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );

  function putShapes(trackId: number, shapes: readonly TrackedShape[]): void {
    for (const shape of shapes) {
      insertShape.run(
        trackId,
        shape.frame,
        typeCode(shape.type),
        flagsOf(shape),
        shape.z_order,
        shape.rotation,
        encodePoints(shape.points),
        packAttributes(shape.attributes),
      );
    }
  }

  function put(setId: number, parentId: number | null, track: SubTrack): number {
    const { frame, label_id, source, group, attributes } = track;
    const id = Number(
      insert.run(setId, frame, label_id, sourceCode(source), group ?? 0, parentId, packAttributes(attributes))
        .lastInsertRowid,
    );
    putShapes(id, track.shapes);
    return id;
  }

  const putElements = (setId: number, id: number, track: Track) =>
    track.elements.map((element) => ({ ...element, id: put(setId, id, element) }));

  return {
    read(jobId: number): Track[] {
      const rows = ofJob.all(jobId) as TrackRow[];
      return rows.length === 0 ? [] : assembleTracks(rows, shapesOfJob.all(jobId) as TrackedShapeRow[]);
    },
    find: (id: number) => one.get(id) as TrackPlace | undefined,
    insert(setId: number, track: Track): Track {
      const id = put(setId, null, track);
      return { ...track, id, elements: putElements(setId, id, track) };
    },
    /** Keeps the track's id; its keyframes and elements are written anew. */
    update(place: TrackPlace, track: Track): Track {
      const { frame, label_id, source, group, attributes } = track;
      update.run(frame, label_id, sourceCode(source), group ?? 0, packAttributes(attributes), place.id);
      removeShapes.run(place.id);
      removeElements.run(place.id);
      putShapes(place.id, track.shapes);
      return { ...track, id: place.id, elements: putElements(place.set_id, place.id, track) };
    },
    /** Into another set, with its elements and as it is. */
    move: ({ id }: TrackPlace, setId: number) => void move.run(setId, id, id),
  };
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

function readTrackedShape(row: TrackedShapeRow): TrackedShape {
  return {
    id: row.id,
    type: typeOf(row.type),
    frame: row.frame,
    occluded: isOccluded(row.flags),
    outside: isOutside(row.flags),
    z_order: row.z_order,
    rotation: row.rotation,
    points: decodePoints(row.points),
    attributes: unpackAttributes(row.attributes),
  };
}

export function assembleTracks(rows: readonly TrackRow[], shapeRows: readonly TrackedShapeRow[]): Track[] {
  const shapesByTrack = Map.groupBy(shapeRows, (row) => row.track_id);
  const read = (row: TrackRow): SubTrack => ({
    ...readTag(row),
    shapes: (shapesByTrack.get(row.id) ?? []).map(readTrackedShape),
  });
  const tracks = rows.filter((row) => row.parent_id === null).map((row): Track => ({ ...read(row), elements: [] }));
  const byId = new Map(tracks.map((track) => [track.id, track]));
  for (const row of rows) if (row.parent_id !== null) byId.get(row.parent_id)?.elements.push(read(row));
  return tracks;
}
