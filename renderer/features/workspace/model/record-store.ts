import type { TrackPiece } from '../../../../preload/geometry/track-pieces.ts';
import { sameRecord } from '../../../canvas/same-record.ts';
import type { Command, ObjectRecord, RecordChange, SceneRecord, TrackRecord } from '../../../canvas/types.ts';
import { collectionOf, contentOf, editBetween, sameBody } from './saving/record-codec.ts';
import { createFrameReading, isEditOf, type FrameRecords, type LoadedFrames } from './saving/frame-reading.ts';
import { createRecordReading } from './saving/record-reading.ts';
import { createSuggestionStore, isSuggestion, type SuggestionStore } from './models/suggestion-store.ts';
import type { SaveQueue } from './saving/save-queue.ts';
import { createSettledReading } from './saving/settled-reading.ts';
import type { Edit } from './saving/save-types.ts';

interface RecordStoreOptions {
  /** Loads all frames from the first to the last, both included. */
  readonly load: (first: number, last: number) => Promise<LoadedFrames>;
  readonly loadTracks: () => Promise<readonly TrackPiece[]>;
  readonly onTracks: (tracks: readonly TrackRecord[]) => void;
  readonly tracksNow: () => readonly TrackRecord[];
  readonly queue: Pick<SaveQueue, 'know' | 'serverIdOf' | 'push' | 'unsaved' | 'uncertain' | 'subscribe' | 'onSaved'>;
  /** Proposals of models: shown with the annotations, never sent to the service. */
  readonly suggestionStore?: SuggestionStore;
}

interface Concerned {
  readonly frames: readonly number[] | null;
  readonly tracks: boolean;
}

/** Records of all visited frames. Passes the canvas' commands to the save queue. */
export function createRecordStore(options: RecordStoreOptions) {
  const { load, loadTracks, onTracks, tracksNow, queue, suggestionStore = createSuggestionStore() } = options;
  const frames = new Map<number, FrameRecords>();
  const reading = createRecordReading(queue);
  const settled = createSettledReading(queue);
  /** Locked or hidden state of objects on frames that will be reloaded. */
  const display = new Map<string, Pick<SceneRecord, 'locked' | 'hidden'>>();
  const trackIds = new Set<string>();
  let tracks: Promise<void> | null = null;
  let tracksAreThere = false;
  const put = (id: string, was: ObjectRecord | null, is: ObjectRecord | null): void => {
    if (was && was.kind !== 'track') frames.get(was.frame)?.delete(id);
    if (is?.kind === 'track') trackIds.add(id);
    else if (is) frames.get(is.frame)?.set(id, is);
  };
  /** Must run before records are dropped, because the history refers to objects by local id. */
  const rememberIds = (): void => {
    for (const record of [...frames.values()].flatMap((records) => [...records.values()]))
      reading.remember(collectionOf(record), record.clientId);
    for (const id of trackIds) reading.remember('tracks', id);
  };
  const readTracks = (use: (records: ReadonlyMap<string, TrackRecord>) => void): Promise<void> =>
    settled.read(loadTracks, isTrackEdit, (pieces) => {
      rememberIds();
      use(reading.buildTracks(pieces));
    });
  const fetchTracks = (): Promise<void> =>
    readTracks((records) => {
      tracksAreThere = true;
      for (const id of records.keys()) trackIds.add(id);
      onTracks([...records.values()]);
    });
  const openTracks = (): Promise<void> => {
    tracks ??= fetchTracks().catch((error: unknown) => {
      tracks = null;
      throw error;
    });
    return tracks;
  };

  const reads = createFrameReading({
    load,
    settled,
    frames,
    build: (frame, data) =>
      new Map([...reading.build(frame, data)].map(([id, record]) => [id, { ...record, ...display.get(id) }])),
  });
  /** Drops a frame that is not displayed; it is loaded when it is opened again. */
  const drop = (frame: number): void => {
    for (const { clientId, locked, hidden } of frames.get(frame)?.values() ?? []) {
      if (locked || hidden) display.set(clientId, { locked, hidden });
      else display.delete(clientId);
    }
    frames.delete(frame);
    reads.drop(frame);
  };

  return {
    recall: reading.recall,
    /** The frame's records with unsaved edits. The first call loads them and all tracks. */
    async open(frame: number): Promise<readonly SceneRecord[]> {
      const [records] = await Promise.all([frames.get(frame) ?? reads.read(frame), openTracks()]);
      return [...records.values(), ...suggestionStore.of(frame)];
    },
    /** The same synchronously; undefined if not loaded. */
    ready(frame: number): readonly SceneRecord[] | undefined {
      const records = frames.get(frame);
      return records === undefined || !tracksAreThere ? undefined : [...records.values(), ...suggestionStore.of(frame)];
    },
    prefetch: reads.prefetch,
    /** Applies a command of the canvas and sends its persistent part. */
    apply(command: Command) {
      const edits: Edit[] = [];
      for (const { clientId, before, after } of command.changes) {
        const [was, is] = [before, after].map((record) => (isSuggestion(record) ? null : record));
        put(clientId, was ?? null, is ?? null);
        const edit = editBetween(was ?? null, is ?? null);
        if (edit !== null) edits.push(edit);
      }
      settled.edited(edits);
      suggestionStore.follow(command.changes);
      if (edits.length > 0) queue.push(edits);
    },
    /**
     * Reloads after remote changes to these frames (null for any) or to tracks. Unsaved edits remain.
     * @param shown the displayed frame
     * @param show receives the differences as soon as they are loaded
     */
    async takeIn(
      { frames: concerned, tracks: withTracks }: Concerned,
      shown: number,
      show: (changes: readonly RecordChange[]) => void,
    ): Promise<void> {
      const isConcerned = (frame: number): boolean => concerned === null || concerned.includes(frame);
      rememberIds();
      for (const frame of new Set([...frames.keys(), ...reads.loading.keys()])) {
        if (isConcerned(frame) && frame !== shown) drop(frame);
      }
      const takeFrame = (data: LoadedFrames): void => {
        rememberIds();
        const changes: RecordChange[] = [];
        const before = frames.get(shown) ?? new Map<string, SceneRecord>();
        frames.set(shown, merged(before, reading.build(shown, data), changes));
        show(changes);
      };
      const takeTracks = (records: ReadonlyMap<string, TrackRecord>): void => {
        const changes: RecordChange[] = [];
        const before = new Map(tracksNow().map((track) => [track.clientId, track]));
        for (const id of merged(before, records, changes).keys()) trackIds.add(id);
        show(changes);
      };
      const isHeld = isConcerned(shown) && (frames.has(shown) || reads.loading.has(shown));
      const readShown = () => settled.read(() => load(shown, shown), isEditOf(shown, shown), takeFrame);
      await Promise.all([
        isHeld ? after(reads.loading.get(shown), readShown) : null,
        withTracks && tracks !== null ? after(tracks, () => readTracks(takeTracks)) : null,
      ]);
    },
    /** Adopts the current state without sending it. */
    settle(changes: readonly RecordChange[]) {
      for (const { clientId, before, after: is } of changes) put(clientId, before, is);
    },
    /** Drops the loaded records except for proposals. Objects keep their local ids when they are loaded again. */
    forget() {
      rememberIds();
      frames.clear();
      tracks = null;
      tracksAreThere = false;
    },
  };
}

const isTrackEdit = ({ collection }: Edit): boolean => collection === 'tracks';
/** Waits for an earlier read, because its result may be older than the current state. */
const after = <Value>(earlier: Promise<unknown> | undefined, read: () => Promise<Value>): Promise<Value> =>
  earlier === undefined ? read() : earlier.then(read, read);

/**
 * Merges reloaded records with local display state. Unchanged records keep their identity so that React does not render
 * them.
 */
function merged<One extends ObjectRecord>(
  before: ReadonlyMap<string, One>,
  loaded: ReadonlyMap<string, One>,
  changes: RecordChange[],
): Map<string, One> {
  const now = new Map<string, One>();
  for (const [id, record] of loaded) {
    const was = before.get(id);
    const after = was === undefined ? record : { ...record, locked: was.locked, hidden: was.hidden };
    const isSame =
      was !== undefined && (sameRecord(was, after) || sameBody(contentOf(was).body, contentOf(after).body));
    now.set(id, isSame ? was : after);
    if (!isSame) changes.push({ clientId: id, before: was ?? null, after });
  }
  for (const [id, was] of before) if (!loaded.has(id)) changes.push({ clientId: id, before: was, after: null });
  return now;
}

export type RecordStore = ReturnType<typeof createRecordStore>;
