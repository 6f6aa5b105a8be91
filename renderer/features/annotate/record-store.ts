import type { LabeledData } from '../../../preload/contract/schema/annotations.ts';
import type { Command, SceneRecord } from '../../canvas/types.ts';
import {
  editBetween,
  recordFromEdit,
  recordFromShape,
  recordFromTag,
  shapeClientId,
  tagClientId,
} from './saving/record-codec.ts';
import { createSuggestionShelf, isSuggestion, type SuggestionShelf } from './models/suggestion-shelf.ts';
import type { SaveQueue } from './saving/save-queue.ts';
import type { Edit } from './saving/save-types.ts';

interface RecordStoreOptions {
  readonly load: (frame: number) => Promise<LabeledData>;
  readonly queue: Pick<SaveQueue, 'know' | 'serverIdOf' | 'push' | 'unsaved'>;
  /** Models' proposals: shown with the annotations, never sent to the service. */
  readonly shelf?: SuggestionShelf;
}

type Frame = Map<string, SceneRecord>;

/** The records of all frames that were looked at, and the bridge from the canvas' commands to the save queue. */
export function createRecordStore(options: RecordStoreOptions) {
  const { load, queue, shelf = createSuggestionShelf() } = options;
  const frames = new Map<number, Frame>();
  const loading = new Map<number, Promise<Frame>>();
  const tracks = new Map<number, number>();
  const remembered = new Map<string, string>();
  /** Local ids of objects made in this session, by their id at the service: they keep their own id when loaded. */
  const localIdOf = (collection: 'shapes' | 'tags', serverId: number, unsaved: readonly Edit[]): string => {
    const found = unsaved.find((edit) => edit.collection === collection && edit.serverId === serverId);
    const byId = collection === 'shapes' ? shapeClientId(serverId) : tagClientId(serverId);
    return found?.localId ?? remembered.get(byId) ?? byId;
  };
  /** Before records are dropped: commands of the history name objects by their local ids. */
  const rememberIds = (): void => {
    for (const record of [...frames.values()].flatMap((records) => [...records.values()])) {
      const serverId = queue.serverIdOf(record.clientId);
      if (serverId === undefined) continue;
      remembered.set(record.kind === 'shape' ? shapeClientId(serverId) : tagClientId(serverId), record.clientId);
    }
  };

  const build = (frame: number, data: LabeledData): Frame => {
    const unsaved = queue.unsaved();
    const records: Frame = new Map();
    const add = (record: SceneRecord): void => {
      records.set(record.clientId, record);
      if (record.serverId !== undefined) queue.know(record.clientId, record.serverId);
    };
    for (const shape of data.shapes) add(recordFromShape(shape, localIdOf('shapes', shape.id ?? -1, unsaved)));
    for (const tag of data.tags) add(recordFromTag(tag, localIdOf('tags', tag.id ?? -1, unsaved)));
    for (const edit of unsaved.filter((item) => item.body.frame === frame)) {
      const record = recordFromEdit(edit);
      if (record === null) records.delete(edit.localId);
      else records.set(edit.localId, record);
    }
    tracks.set(frame, data.tracks.length);
    return records;
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
    /** The frame's records with everything that is not sent yet; loads them at first. */
    async open(frame: number): Promise<readonly SceneRecord[]> {
      const records = frames.get(frame) ?? (await fetchFrame(frame));
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
        const kept = isSuggestion(after) ? null : after;
        if (before !== null) frames.get(before.frame)?.delete(clientId);
        if (kept !== null) frames.get(kept.frame)?.set(clientId, kept);
        const edit = editBetween(isSuggestion(before) ? null : before, kept);
        if (edit !== null) edits.push(edit);
      }
      shelf.follow(command.changes);
      if (edits.length > 0) queue.push(edits);
    },
    tracksOn: (frame: number) => tracks.get(frame) ?? 0,
    /** Drops what is in memory, except for proposals; objects that are loaded again keep their local ids. */
    forget() {
      rememberIds();
      frames.clear();
      tracks.clear();
    },
  };
}

export type RecordStore = ReturnType<typeof createRecordStore>;
