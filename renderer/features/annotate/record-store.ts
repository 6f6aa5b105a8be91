import type { LabeledData } from '../../../preload/contract/schema/annotations.ts';
import type { TrackPiece } from '../../../preload/contract/track-pieces.ts';
import type { Command, ObjectRecord, SceneRecord, TrackRecord } from '../../canvas/types.ts';
import {
  clientIdOf,
  collectionOf,
  editBetween,
  recordFromEdit,
  recordFromShape,
  recordFromTag,
  recordFromTrack,
} from './saving/record-codec.ts';
import { createSuggestionShelf, isSuggestion, type SuggestionShelf } from './models/suggestion-shelf.ts';
import type { SaveQueue } from './saving/save-queue.ts';
import type { Collection, Edit } from './saving/save-types.ts';

interface RecordStoreOptions {
  readonly load: (frame: number) => Promise<Pick<LabeledData, 'shapes' | 'tags'>>;
  /** All tracks of the job. */
  readonly loadTracks: () => Promise<readonly TrackPiece[]>;
  /** They are loaded; from then on whoever is told here has them. */
  readonly onTracks: (tracks: readonly TrackRecord[]) => void;
  readonly queue: Pick<SaveQueue, 'know' | 'serverIdOf' | 'push' | 'unsaved'>;
  /** Models' proposals: shown with the annotations, never sent to the service. */
  readonly shelf?: SuggestionShelf;
}

type Frame = Map<string, SceneRecord>;

/** The records of all frames that were looked at, and the bridge from the canvas' commands to the save queue. */
export function createRecordStore(options: RecordStoreOptions) {
  const { load, loadTracks, onTracks, queue, shelf = createSuggestionShelf() } = options;
  const frames = new Map<number, Frame>();
  const loading = new Map<number, Promise<Frame>>();
  const remembered = new Map<string, string>();
  const trackIds = new Set<string>();
  let tracks: Promise<void> | null = null;
  /** Local ids of objects made in this session, by their id at the service: they keep their own id when loaded. */
  const localIdOf = (collection: Collection, serverId: number, unsaved: readonly Edit[]): string => {
    const found = unsaved.find((edit) => edit.collection === collection && edit.serverId === serverId);
    const byId = clientIdOf(collection, serverId);
    return found?.localId ?? remembered.get(byId) ?? byId;
  };
  const remember = (collection: Collection, clientId: string): void => {
    const serverId = queue.serverIdOf(clientId);
    if (serverId !== undefined) remembered.set(clientIdOf(collection, serverId), clientId);
  };
  /** Before records are dropped: commands of the history name objects by their local ids. */
  const rememberIds = (): void => {
    for (const record of [...frames.values()].flatMap((records) => [...records.values()]))
      remember(collectionOf(record), record.clientId);
    for (const id of trackIds) remember('tracks', id);
  };
  /** What the service has, with what is not sent yet. */
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

  const build = (frame: number, data: Pick<LabeledData, 'shapes' | 'tags'>): Frame => {
    const unsaved = queue.unsaved();
    const loaded: readonly SceneRecord[] = [
      ...data.shapes.map((shape) => recordFromShape(shape, localIdOf('shapes', shape.id ?? -1, unsaved))),
      ...data.tags.map((tag) => recordFromTag(tag, localIdOf('tags', tag.id ?? -1, unsaved))),
    ];
    const here = unsaved.filter(({ collection, body }) => collection !== 'tracks' && body.frame === frame);
    return withUnsaved(loaded, here, (record): record is SceneRecord => record.kind !== 'track');
  };

  const fetchTracks = async (): Promise<void> => {
    const pieces = await loadTracks();
    const unsaved = queue.unsaved().filter(({ collection }) => collection === 'tracks');
    const loaded = pieces.map((piece) => recordFromTrack(piece, localIdOf('tracks', piece.id ?? -1, unsaved)));
    const records = withUnsaved(loaded, unsaved, (record): record is TrackRecord => record.kind === 'track');
    for (const id of records.keys()) trackIds.add(id);
    onTracks([...records.values()]);
  };
  const openTracks = (): Promise<void> => {
    tracks ??= fetchTracks().catch((error: unknown) => {
      tracks = null;
      throw error;
    });
    return tracks;
  };

  const fetchFrame = (frame: number): Promise<Frame> => {
    const started = loading.get(frame);
    if (started !== undefined) return started;
    const promise = load(frame)
      .then((data) => {
        const records = build(frame, data);
        frames.set(frame, records);
        return records;
      })
      .finally(() => loading.delete(frame));
    loading.set(frame, promise);
    return promise;
  };

  return {
    /** The frame's records with everything that is not sent yet; loads them, and all tracks, at first. */
    async open(frame: number): Promise<readonly SceneRecord[]> {
      const [records] = await Promise.all([frames.get(frame) ?? fetchFrame(frame), openTracks()]);
      return [...records.values(), ...shelf.of(frame)];
    },
    /** Starts loading, without waiting. */
    prefetch(frame: number) {
      if (!frames.has(frame)) fetchFrame(frame).catch(() => undefined);
    },
    /** Takes over a command of the canvas and sends what the service keeps of it. */
    apply(command: Command) {
      const edits: Edit[] = [];
      for (const { clientId, before, after } of command.changes) {
        const [was, is] = [before, after].map((record) => (isSuggestion(record) ? null : record));
        if (was && was.kind !== 'track') frames.get(was.frame)?.delete(clientId);
        if (is?.kind === 'track') trackIds.add(clientId);
        else if (is) frames.get(is.frame)?.set(clientId, is);
        const edit = editBetween(was ?? null, is ?? null);
        if (edit !== null) edits.push(edit);
      }
      shelf.follow(command.changes);
      if (edits.length > 0) queue.push(edits);
    },
    /** Drops what is in memory, except for proposals; objects that are loaded again keep their local ids. */
    forget() {
      rememberIds();
      frames.clear();
      tracks = null;
    },
  };
}

export type RecordStore = ReturnType<typeof createRecordStore>;
