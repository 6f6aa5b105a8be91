import type { LabeledDataInput } from '../../../../../preload/contract/schema/annotations.ts';
import { ApiError } from '../../../../api/api-error.ts';
import { call } from '../../../../api/client.ts';
import type { ObjectRecord } from '../../../../canvas/types.ts';
import { keyframeChangeOf, type KeyframeChange } from './keyframe-change.ts';
import { contentOf, recordFromShape, recordFromTag, recordFromTrack } from './record-codec.ts';
import {
  collections,
  SaveError,
  type Collection,
  type Edit,
  type SaveBatch,
  type SavedIds,
  type SaveFailureKind,
  type SaveTransport,
} from './save-types.ts';

const kindOf = (error: ApiError): SaveFailureKind => {
  if (error.kind === 'unreachable' || error.kind === 'signed-out' || error.kind === 'disk-full') return error.kind;
  return error.kind === 'server' ? 'server' : 'refused';
};

/** Version of the job if the service rejected a save because of a remote change. */
const versionIn = ({ kind, body }: ApiError): string | null => {
  if (kind !== 'conflict' || typeof body !== 'object' || body === null || !('version' in body)) return null;
  return typeof body.version === 'string' ? body.version : null;
};

const isRefusal = (error: ApiError): boolean => error.kind === 'not-found' || kindOf(error) === 'refused';

/** Updates create no objects. */
const noIds: SavedIds = { shapes: [], tags: [], tracks: [] };

/** Up to this number frames are requested one by one; more are cheaper as the complete job. */
const fewFrames = 8;

/** Browsers limit a request that outlives its page to 64 KiB. */
const keepaliveLimit = 60_000;

/**
 * Sends a job's edits to the service.
 * @param window id of this window; only other windows receive events about the edits
 */
export function createSaveTransport(jobId: number, window: string): SaveTransport {
  const jobIsGone = async (): Promise<boolean> => {
    try {
      await call('getJob', { params: { id: jobId } });
      return false;
    } catch (error) {
      return error instanceof ApiError && error.kind === 'not-found';
    }
  };

  const failure = async (error: ApiError): Promise<SaveError> => {
    const version = versionIn(error);
    if (version !== null) return new SaveError({ kind: 'stale', message: error.message, stopped: false, version });
    const gone = error.kind === 'not-found' && (await jobIsGone());
    const kind = gone ? 'gone' : kindOf(error);
    return new SaveError({ kind, message: error.message, stopped: gone });
  };

  const readObjects = async (edits: readonly Edit[]): Promise<ReadonlyMap<string, Edit['body']>> => {
    const frames = [...new Set(edits.flatMap(({ collection, body }) => (collection === 'tracks' ? [] : [body.frame])))];
    const read = (frame?: number) =>
      call('getJobAnnotations', {
        params: { id: jobId },
        query: { without: 'tracks', ...(frame === undefined ? {} : { frame }) },
      });
    const wantsTracks = edits.some(({ collection }) => collection === 'tracks');
    const parts = await Promise.all(frames.length > fewFrames ? [read()] : frames.map(read));
    const tracks = wantsTracks ? (await call('listJobTracks', { params: { id: jobId } })).tracks : [];
    const found = new Map<string, ObjectRecord>();
    const put = (collection: Collection, id: number | undefined, record: ObjectRecord): void =>
      void found.set(`${collection} ${id}`, record);
    for (const shape of parts.flatMap(({ shapes }) => shapes)) put('shapes', shape.id, recordFromShape(shape, ''));
    for (const tag of parts.flatMap(({ tags }) => tags)) put('tags', tag.id, recordFromTag(tag, ''));
    for (const track of tracks) put('tracks', track.id, recordFromTrack(track, ''));
    return new Map(
      edits.flatMap(({ localId, collection, serverId }): [string, Edit['body']][] => {
        const record = found.get(`${collection} ${serverId}`);
        return record === undefined ? [] : [[localId, contentOf(record).body]];
      }),
    );
  };

  const headersOf = ({ key, seen }: SaveBatch) => ({
    'Idempotency-Key': key,
    'X-Limner-Window': window,
    ...(seen === undefined ? {} : { 'X-Limner-Seen': seen }),
  });

  /** Sends one keyframe, whatever the size of its track. False if the service needs the entire track. */
  const sendKeyframe = async ({ track, frame, keyframe }: KeyframeChange, batch: SaveBatch): Promise<boolean> => {
    const keepalive = JSON.stringify(keyframe).length < keepaliveLimit;
    const request = { params: { id: jobId, track, frame }, headers: headersOf(batch), keepalive };
    try {
      if (keyframe === null) await call('deleteKeyframe', request);
      else await call('putKeyframe', { ...request, body: keyframe });
      return true;
    } catch (error) {
      const isRefused = error instanceof ApiError && versionIn(error) === null && isRefusal(error);
      if (isRefused) return false;
      throw error;
    }
  };

  return {
    async readNow(edits) {
      try {
        return await readObjects(edits);
      } catch (error) {
        throw error instanceof ApiError ? await failure(error) : error;
      }
    },
    async send(batch: SaveBatch) {
      const bodies = (collection: Collection) =>
        batch.edits
          .filter((edit) => edit.collection === collection)
          .map((edit) => ({ ...edit.body, ...(batch.action === 'create' ? {} : { id: edit.serverId }) }));
      // `collection` defines the kind of an edit's body.
      const body = Object.fromEntries(collections.map((name) => [name, bodies(name)])) as LabeledDataInput;
      const change = keyframeChangeOf(batch);
      try {
        if (change && (await sendKeyframe(change, batch))) return noIds;
        const answer = await call('changeJobAnnotations', {
          params: { id: jobId },
          query: { action: batch.action },
          body,
          headers: headersOf(batch),
          keepalive: JSON.stringify(body).length < keepaliveLimit,
        });
        const ids = (items: readonly { readonly id?: number | undefined }[]): number[] =>
          items.flatMap((item) => (item.id === undefined ? [] : [item.id]));
        return { shapes: ids(answer.shapes), tags: ids(answer.tags), tracks: ids(answer.tracks) };
      } catch (error) {
        throw error instanceof ApiError ? await failure(error) : error;
      }
    },
  };
}
