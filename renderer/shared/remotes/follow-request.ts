import { useQueryClient } from '@tanstack/react-query';
import type { BodyInputOf } from '../../../preload/contract/operation.ts';
import type { Operations } from '../../../preload/contract/operations/index.ts';
import type { RemoteJob, RemoteResult } from '../../../preload/contract/schema/remotes.ts';
import { ApiError } from '../../api/api-error.ts';
import { call, wasCancelled } from '../../api/client.ts';
import { waitForRequest } from '../../api/requests.ts';
import { useText } from '../../i18n/index.ts';
import { notify } from '../../ui/notify.ts';

/** Everything that a checkout, a publication, a pull or a push changes. */
const stale = ['remotes', 'remote-jobs', 'requests', 'projects', 'tasks', 'jobs'] as const;

type Exchange =
  | { readonly kind: 'pull'; readonly body: BodyInputOf<Operations['pullRemoteJob']> }
  | { readonly kind: 'push'; readonly body: BodyInputOf<Operations['pushRemoteJob']> };

interface ExchangeOptions {
  /** An abort ends the wait; the request continues. */
  readonly signal?: AbortSignal;
  /** Called when the request is listed. */
  readonly onStart?: () => void;
}

/** Pulls or pushes a job and returns the result, which may be conflicts. */
export async function exchangeJob(
  id: number,
  { kind, body }: Exchange,
  { signal, onStart }: ExchangeOptions = {},
): Promise<RemoteResult> {
  const given = { params: { id }, organization: null };
  const { rq_id: request } =
    kind === 'pull' ? await call('pullRemoteJob', { ...given, body }) : await call('pushRemoteJob', { ...given, body });
  onStart?.();
  await waitForRequest(request, { signal, longestPauseMs: 300 });
  return call('getRemoteResult', { params: { id: request }, organization: null });
}

/** A request that was cancelled before it began is deleted. */
const isCancelled = (error: unknown): boolean =>
  (error instanceof ApiError && error.kind === 'not-found') || wasCancelled(error);

export function useReloadRemotes(keys: readonly string[] = stale): () => void {
  const client = useQueryClient();
  return () => {
    for (const key of keys) void client.invalidateQueries({ queryKey: [key], refetchType: 'active' });
  };
}

/** Loads the running requests again, because one has started. */
export function useShowRequest(): () => void {
  const client = useQueryClient();
  return () => void client.invalidateQueries({ queryKey: ['requests'] });
}

/** Reports the end of a request, also on other screens, and reloads what it changes. */
export function useFollowRequest(keys: readonly string[] = stale): (requestId: string, failed: string) => void {
  const t = useText();
  const reload = useReloadRemotes(keys);
  return (requestId, failed) => {
    const wait = async (): Promise<void> => {
      reload();
      try {
        const { message } = await waitForRequest(requestId);
        notify.success(message === '' ? t('requests.status.finished') : message);
      } catch (error) {
        if (!isCancelled(error)) notify.failure(failed, error);
      }
      reload();
    };
    void wait();
  };
}

/** Starts a pull or push and reports its end, also on other screens. */
export function useFollowExchange(): (job: RemoteJob, kind: 'pull' | 'push') => void {
  const t = useText();
  const reload = useReloadRemotes();
  const onStart = useShowRequest();
  return (job, kind) => {
    const { name } = job;
    const exchange = async (): Promise<void> => {
      try {
        const { conflicts } = await exchangeJob(job.id, { kind, body: {} }, { onStart });
        // Another user changed the job since the dry run.
        if (conflicts.length > 0)
          notify.failure(name, new Error(t('remote.resolveFirst', { count: conflicts.length })));
        else notify.success(t(kind === 'push' ? 'remote.pushed' : 'remote.pulled', { name }));
      } catch (error) {
        const failed = t(kind === 'push' ? 'remote.pushFailed' : 'remote.pullFailed', { name });
        if (!isCancelled(error)) notify.failure(failed, error);
      }
      reload();
    };
    void exchange();
  };
}
