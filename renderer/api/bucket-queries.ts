import { infiniteQueryOptions } from '@tanstack/react-query';
import { call } from './client.ts';
import { operationQuery, refetchOnMount } from './query-options.ts';

interface ContentWish {
  readonly storageId: number;
  readonly prefix: string;
  /** Key of a manifest whose images are listed instead of objects. */
  readonly manifest: string | null;
}

/** Servers of other people answer slowly, so a list stays for this time. */
const contentStaleMs = 30_000;

export const bucketQueries = {
  list: () =>
    operationQuery(
      ['cloudstorages', 'list'],
      'listCloudStorages',
      { query: { page_size: '500', sort: 'display_name' } },
      refetchOnMount,
    ),
  /** Asks the bucket's server. */
  state: (id: number, version: string) =>
    operationQuery(['cloudstorages', 'state', id, version], 'getCloudStorageState', { params: { id } }, refetchOnMount),
  content: ({ storageId, prefix, manifest }: ContentWish) =>
    infiniteQueryOptions({
      queryKey: ['cloudstorages', 'content', storageId, prefix, manifest],
      queryFn: ({ pageParam, signal }) =>
        call('getCloudStorageContent', {
          params: { id: storageId },
          query: {
            prefix,
            ...(manifest === null ? {} : { manifest_path: manifest }),
            ...(pageParam === '' ? {} : { next_token: pageParam }),
          },
          signal,
        }),
      initialPageParam: '',
      getNextPageParam: ({ next }) => next ?? undefined,
      staleTime: contentStaleMs,
      retry: false,
    }),
};
