import type { Shape, Tag, Track } from '../../../../../preload/contract/schema/annotations.ts';

export type ShapeBody = Omit<Shape, 'id'>;
export type TagBody = Omit<Tag, 'id'>;
export type TrackBody = Omit<Track, 'id'>;
export const collections = ['shapes', 'tags', 'tracks'] as const;
export type Collection = (typeof collections)[number];
export type SaveAction = 'create' | 'update' | 'delete';
interface EditBase<Name extends Collection, Body> {
  readonly collection: Name;
  readonly localId: string;
  /** Known when the request was built. */
  readonly serverId?: number;
  readonly reason?: string;
  readonly deleted: boolean;
  readonly body: Body;
  /** State in the service before the first unanswered edit. */
  readonly base?: Body;
  /** Version of the job of `base`; remote changes up to it are known. */
  readonly seen?: string;
  /** Remote version that conflicts; null if deleted. The user has to choose. */
  readonly theirs?: Body | null;
}
/** Complete latest state of one object; for a deleted one, its last state. */
export type Edit = EditBase<'shapes', ShapeBody> | EditBase<'tags', TagBody> | EditBase<'tracks', TrackBody>;

/** One request: many objects, one action. The key makes repetition harmless. */
export interface SaveBatch {
  readonly key: string;
  readonly action: SaveAction;
  readonly edits: readonly Edit[];
  /** Version that all edits are based on. */
  readonly seen?: string;
}

/** Choice in a conflict: one of the versions, or both as two objects. */
export type ConflictChoice = 'mine' | 'theirs' | 'both';

/** Ids of created objects in the order of the request. */
export type SavedIds = Readonly<Record<Collection, readonly number[]>>;

export type SaveFailureKind = 'unreachable' | 'signed-out' | 'gone' | 'disk-full' | 'refused' | 'stale' | 'server';

export interface SaveFailure {
  readonly kind: SaveFailureKind;
  readonly message: string;
  /** No automatic retry follows. */
  readonly stopped: boolean;
  /** For 'stale': the version of the job at the rejection. */
  readonly version?: string;
}

export class SaveError extends Error {
  readonly failure: SaveFailure;

  constructor(failure: SaveFailure) {
    super(failure.message);
    this.name = 'SaveError';
    this.failure = failure;
  }
}

export interface SaveTransport {
  /** Rejects with SaveError. */
  send(batch: SaveBatch): Promise<SavedIds>;
  /** Current state of the objects in the service by local id; deleted ones are missing. Rejects with SaveError. */
  readNow(edits: readonly Edit[]): Promise<ReadonlyMap<string, Edit['body']>>;
}

export interface UnsavedEdits {
  readonly batches: readonly SaveBatch[];
  readonly pending: readonly Edit[];
  readonly refused: readonly Edit[];
}

/** Persists unanswered edits across a reload or crash of the page. */
export interface SaveJournal {
  write(edits: UnsavedEdits): void;
}

export interface SaveStatus {
  readonly state: 'saved' | 'saving' | 'failed';
  readonly unsaved: number;
  readonly refused: number;
  readonly conflicts: readonly Edit[];
  readonly failure: SaveFailure | null;
}
