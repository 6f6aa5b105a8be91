import type { RemotePullWrite, RemoteResult } from '../../preload/contract/schema/remotes.ts';
import type { RequestKey } from '../background-requests/request-id.ts';
import type { RequestService } from '../background-requests/request-service.ts';
import type { Actor } from '../users/access/actor.ts';
import type { ExchangeParameters, StoredResult } from './exchange-runner.ts';
import type { LinkRow } from './remote-repository.ts';

type Action = RemoteResult['action'];

/** Background requests that pull or push a job. */
export function createExchangeRequests(requests: RequestService) {
  return {
    start(actor: Actor, link: LinkRow, action: Action, body: RemotePullWrite): { rq_id: string } {
      const parameters: ExchangeParameters = { ...body, linkId: link.id };
      return requests.startOnce(actor, {
        key: exchangeKey(actor, link, action, body.dry_run),
        type: `${action}:remote`,
        taskId: link.task_id,
        jobId: link.job_id,
        parameters: { ...parameters },
      });
    },
    result: (actor: Actor, requestId: string): StoredResult =>
      JSON.parse(requests.exchangeResult(actor, requestId)) as StoredResult,
  };
}

/** A dry run has its own key, so that it never delays a pull or push with a conflict. */
const exchangeKey = (
  { userId }: Actor,
  { id, job_id: job }: Pick<LinkRow, 'id' | 'job_id'>,
  action: Action,
  isDry: boolean,
): RequestKey => ({
  action: action === 'pull' ? 'import' : 'export',
  target: 'job',
  ...(job === null ? {} : { targetId: job }),
  uuid: isDry ? `${id}-dry-run` : String(id),
  userId,
  subresource: 'remote',
});
