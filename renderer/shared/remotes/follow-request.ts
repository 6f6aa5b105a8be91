import { useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../../api/api-error.ts';
import { wasCancelled } from '../../api/client.ts';
import { waitForRequest } from '../../api/requests.ts';
import { useText } from '../../i18n/index.ts';
import { notify } from '../../ui/notify.ts';

/** Everything that a checkout, a publication, a pull or a push changes. */
const stale = ['remotes', 'remote-jobs', 'requests', 'projects', 'tasks', 'jobs'] as const;

export function useReloadRemotes(): () => void {
  const client = useQueryClient();
  return () => {
    for (const key of stale) void client.invalidateQueries({ queryKey: [key], refetchType: 'active' });
  };
}

/** Reports the end of a checkout or publication, also on other screens. */
export function useFollowRequest(): (requestId: string, failed: string) => void {
  const t = useText();
  const reload = useReloadRemotes();
  return (requestId, failed) => {
    const wait = async (): Promise<void> => {
      reload();
      try {
        const { message } = await waitForRequest(requestId);
        notify.success(message === '' ? t('requests.status.finished') : message);
      } catch (error) {
        const isCancelled = error instanceof ApiError && error.kind === 'not-found';
        if (!isCancelled && !wasCancelled(error)) notify.failure(failed, error);
      }
      reload();
    };
    void wait();
  };
}
