import type { LabeledDataInput } from '../../../../preload/contract/schema/annotations.ts';
import { ApiError } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import {
  collections,
  SaveError,
  type Collection,
  type SaveBatch,
  type SaveFailureKind,
  type SaveTransport,
} from './save-types.ts';

const kindOf = (error: ApiError): SaveFailureKind => {
  if (error.kind === 'unreachable' || error.kind === 'signed-out' || error.kind === 'disk-full') return error.kind;
  return error.kind === 'server' ? 'server' : 'refused';
};

/** 64 KiB is what browsers let a request carry past the end of its page. */
const keepaliveLimit = 60_000;

/**
 * Sends a job's edits to the service.
 * @param window its name: other windows are told of the edits, this one is not
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
    const gone = error.kind === 'not-found' && (await jobIsGone());
    const kind = gone ? 'gone' : kindOf(error);
    return new SaveError({ kind, message: error.message, stopped: gone });
  };

  return {
    async send(batch: SaveBatch) {
      const bodies = (collection: Collection) =>
        batch.edits
          .filter((edit) => edit.collection === collection)
          .map((edit) => ({ ...edit.body, ...(batch.action === 'create' ? {} : { id: edit.serverId }) }));
      // `collection` decides which kind of body an edit has.
      const body = Object.fromEntries(collections.map((name) => [name, bodies(name)])) as LabeledDataInput;
      try {
        const answer = await call('changeJobAnnotations', {
          params: { id: jobId },
          query: { action: batch.action },
          body,
          headers: { 'Idempotency-Key': batch.key, 'X-Limner-Window': window },
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
