import type { RemoteItemsQuery } from '../../preload/contract/schema/remotes.ts';
import { keepsPrevious, operationQuery } from './query-options.ts';

type ItemsQuery = Partial<RemoteItemsQuery> & Pick<RemoteItemsQuery, 'kind'>;

/** Servers belong to the user, so no query depends on the organization. */
const personal = { organization: null } as const;

export const remoteQueries = {
  servers: () => operationQuery(['remotes', 'list'], 'listRemoteServers', personal),
  /** Connects to the server. */
  check: (id: number) =>
    operationQuery(['remotes', 'check', id], 'checkRemoteServer', { params: { id }, ...personal }, { retry: false }),
  items: (id: number, query: ItemsQuery) =>
    operationQuery(
      ['remotes', 'items', id, query],
      'browseRemoteServer',
      { params: { id }, query, ...personal },
      { ...keepsPrevious, retry: false },
    ),
  jobs: () => operationQuery(['remote-jobs', 'list'], 'listRemoteJobs', { query: {}, ...personal }),
  /** Connects to the server and reads the annotations of both ends, so it is only done on demand. */
  comparison: (id: number) =>
    operationQuery(
      ['remote-jobs', 'comparison', id],
      'compareRemoteJob',
      { params: { id }, ...personal },
      { retry: false, refetchOnWindowFocus: false, staleTime: 30_000, gcTime: Infinity },
    ),
};
