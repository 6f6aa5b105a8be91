import type { RequestRow } from '../background-requests/request-repository.ts';
import type { RequestService } from '../background-requests/request-service.ts';
import { AppError } from '../platform/errors.ts';
import type { CheckoutParameters } from './checkout.ts';
import type { ExchangeParameters } from './exchange-runner.ts';
import type { PublishParameters } from './publish.ts';
import type { LinkRow, RemoteRepository, ServerRow } from './remote-repository.ts';

const nouns = { pull: 'pull', push: 'push', checkout: 'checkout', publish: 'publication' } as const;
const types = Object.keys(nouns).map((action) => `${action}:remote`);

type Running =
  | ({ readonly action: 'pull' } & ExchangeParameters)
  | ({ readonly action: 'push' } & ExchangeParameters)
  | ({ readonly action: 'checkout' } & CheckoutParameters)
  | ({ readonly action: 'publish' } & PublishParameters);

const runningOf = ({ type, parameters }: RequestRow): Running =>
  ({ ...(JSON.parse(parameters) as object), action: type.split(':')[0] }) as Running;

export type RunningRequests = ReturnType<typeof createRunningRequests>;

/**
 * Refuses to delete rows that a background request uses. Dry runs do not count: they write nothing, and a page starts
 * them without being asked.
 */
export function createRunningRequests(requests: Pick<RequestService, 'active'>, remotes: RemoteRepository) {
  function require(userId: number, failed: string, isUsing: (running: Running) => boolean): void {
    const running = requests
      .active(types)
      .filter(({ owner_id: owner }) => owner === userId)
      .map(runningOf)
      .find(isUsing);
    if (running === undefined) return;
    const message = `${failed}: a ${nouns[running.action]} is running. Wait for it, or cancel it under Requests.`;
    throw new AppError('conflict', message);
  }
  const isChange = (running: Running): boolean => !('dry_run' in running && running.dry_run);

  function isOfJob(running: Running, link: LinkRow): boolean {
    if (running.action === 'pull' || running.action === 'push') return running.linkId === link.id;
    if (running.serverId !== link.server_id) return false;
    const { kind, id } = running;
    if (running.action === 'checkout') return id === link[`remote_${kind}_id`];
    if (kind === 'task') return id === link.task_id;
    return link.remote_project_id !== null && id === remotes.localProject(link.server_id, link.remote_project_id);
  }

  return {
    /** @throws AppError 409 while a background request exchanges with the server */
    requireNoneOfServer({ id, name, owner_id: owner }: ServerRow): void {
      const isOfServer = (running: Running): boolean =>
        'serverId' in running ? running.serverId === id : remotes.link(running.linkId, owner)?.server_id === id;
      require(owner, `Cannot disconnect "${name}"`, (running) => isChange(running) && isOfServer(running));
    },
    /** @throws AppError 409 while a background request exchanges the job */
    requireNoneOfJob(userId: number, link: LinkRow): void {
      const isUsing = (running: Running): boolean => isChange(running) && isOfJob(running, link);
      require(userId, `Cannot stop following "${link.name}"`, isUsing);
    },
  };
}
