import type { LabeledData } from '../../../../../preload/contract/schema/annotations.ts';
import type { TrackPiece } from '../../../../../preload/geometry/track-pieces.ts';
import type { ObjectRecord, SceneRecord, TrackRecord } from '../../../../canvas/types.ts';
import { clientIdOf, recordFromEdit, recordFromShape, recordFromTag, recordFromTrack } from './record-codec.ts';
import type { SaveQueue } from './save-queue.ts';
import type { Collection, Edit } from './save-types.ts';

export function createRecordReading(queue: Pick<SaveQueue, 'know' | 'serverIdOf' | 'unsaved'>) {
  const remembered = new Map<string, string>();
  /** Local ids of objects created in this session by server id; they keep their local id when loaded. */
  const localIdOf = (collection: Collection, serverId: number, unsaved: readonly Edit[]): string => {
    const found = unsaved.find((edit) => edit.collection === collection && edit.serverId === serverId);
    const byId = clientIdOf(collection, serverId);
    return found?.localId ?? remembered.get(byId) ?? byId;
  };
  const withUnsaved = <Found extends ObjectRecord>(
    loaded: readonly Found[],
    unsaved: readonly Edit[],
    isOurs: (record: ObjectRecord) => record is Found,
  ): Map<string, Found> => {
    const records = new Map<string, Found>();
    for (const record of loaded) {
      records.set(record.clientId, record);
      if (record.serverId !== undefined) queue.know(record.clientId, record.serverId);
    }
    for (const edit of unsaved) {
      const record = recordFromEdit(edit);
      if (record === null) records.delete(edit.localId);
      else if (isOurs(record)) records.set(edit.localId, record);
    }
    return records;
  };

  const build = (frame: number, data: Pick<LabeledData, 'shapes' | 'tags'>): Map<string, SceneRecord> => {
    const unsaved = queue.unsaved();
    const loaded: readonly SceneRecord[] = [
      ...data.shapes.map((shape) => recordFromShape(shape, localIdOf('shapes', shape.id ?? -1, unsaved))),
      ...data.tags.map((tag) => recordFromTag(tag, localIdOf('tags', tag.id ?? -1, unsaved))),
    ];
    const here = unsaved.filter(({ collection, body }) => collection !== 'tracks' && body.frame === frame);
    return withUnsaved(loaded, here, (record): record is SceneRecord => record.kind !== 'track');
  };

  return {
    /** Must run before a record is dropped, because the history refers to objects by local id. */
    remember(collection: Collection, clientId: string) {
      const serverId = queue.serverIdOf(clientId);
      if (serverId !== undefined) remembered.set(clientIdOf(collection, serverId), clientId);
    },
    /** Restores local ids of an earlier window, because its commands still use them. */
    recall(ids: readonly { readonly localId: string; readonly collection: Collection; readonly serverId: number }[]) {
      for (const { localId, collection, serverId } of ids) remembered.set(clientIdOf(collection, serverId), localId);
    },
    build,
    buildTracks(pieces: readonly TrackPiece[]): Map<string, TrackRecord> {
      const unsaved = queue.unsaved().filter(({ collection }) => collection === 'tracks');
      const loaded = pieces.map((piece) => recordFromTrack(piece, localIdOf('tracks', piece.id ?? -1, unsaved)));
      return withUnsaved(loaded, unsaved, (record): record is TrackRecord => record.kind === 'track');
    },
  };
}
