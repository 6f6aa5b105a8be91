import type { Shape, Tag, Track } from '../../../../preload/contract/schema/annotations.ts';

export type ShapeBody = Omit<Shape, 'id'>;
export type TagBody = Omit<Tag, 'id'>;
export type TrackBody = Omit<Track, 'id'>;
/** The lists of the service's annotations that are edited here. */
export const collections = ['shapes', 'tags', 'tracks'] as const;
export type Collection = (typeof collections)[number];
export type SaveAction = 'create' | 'update' | 'delete';
interface EditBase<Name extends Collection, Body> {
  readonly collection: Name;
  readonly localId: string;
  /** As known when the request was formed. */
  readonly serverId?: number;
  /** Why the service refused it. */
  readonly reason?: string;
  readonly deleted: boolean;
  readonly body: Body;
  /** What the service had before the first edit that has no answer. */
  readonly base?: Body;
  /** The version of the job that `base` is from: what others did up to it is known here. */
  readonly seen?: string;
  /** What somebody else made of it meanwhile; null: they deleted it. The person has to choose. */
  readonly theirs?: Body | null;
}
/** The newest state of one object, whole; of a deleted one, its last state. */
export type Edit = EditBase<'shapes', ShapeBody> | EditBase<'tags', TagBody> | EditBase<'tracks', TrackBody>;

/** One request: many objects, one action. Its key makes a repeated request harmless. */
export interface SaveBatch {
  readonly key: string;
  readonly action: SaveAction;
  readonly edits: readonly Edit[];
  /** What all of them have seen. */
  readonly seen?: string;
}

/** Which of two states of an object holds, or both as two objects. */
export type ClashChoice = 'mine' | 'theirs' | 'both';

/** Ids that the service gave to created objects, in the order in which they were sent. */
export type SavedIds = Readonly<Record<Collection, readonly number[]>>;

export type SaveFailureKind = 'unreachable' | 'signed-out' | 'gone' | 'disk-full' | 'refused' | 'stale' | 'server';

export interface SaveFailure {
  readonly kind: SaveFailureKind;
  /** The service's own sentence. */
  readonly message: string;
  /** No further attempt is made by itself. */
  readonly stopped: boolean;
  /** Of 'stale': the version of the job when the service said so. */
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
  /** What the service has of the objects now, by their local ids; what is not there is gone. Rejects with SaveError. */
  readNow(edits: readonly Edit[]): Promise<ReadonlyMap<string, Edit['body']>>;
}

/** Everything that has no answer yet. */
export interface UnsavedEdits {
  readonly batches: readonly SaveBatch[];
  readonly pending: readonly Edit[];
  readonly refused: readonly Edit[];
}

/** Keeps unanswered edits across a reload or a crash of the page. */
export interface SaveJournal {
  write(edits: UnsavedEdits): void;
}

export interface SaveStatus {
  readonly state: 'saved' | 'saving' | 'failed';
  /** Objects with an edit that is not on disk yet. */
  readonly unsaved: number;
  readonly refused: number;
  /** Objects that were changed elsewhere too: they wait for a choice. */
  readonly clashes: readonly Edit[];
  readonly failure: SaveFailure | null;
}
