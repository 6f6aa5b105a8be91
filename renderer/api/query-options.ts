import {
  keepPreviousData,
  queryOptions,
  type DataTag,
  type QueryKey,
  type UnusedSkipTokenOptions,
} from '@tanstack/react-query';
import type { OutputOf } from '../../preload/contract/operation.ts';
import type { OperationId, Operations } from '../../preload/contract/operations/index.ts';
import { call } from './client.ts';

type Answer<Id extends OperationId> = OutputOf<Operations[Id]>;
type OperationQuery<Id extends OperationId, Key extends QueryKey> = UnusedSkipTokenOptions<
  Answer<Id>,
  Error,
  Answer<Id>,
  Key
> & { readonly queryKey: DataTag<Key, Answer<Id>, Error> };

interface Keeping {
  readonly staleTime?: number;
  readonly gcTime?: number;
  readonly retry?: false;
  readonly refetchOnMount?: true | 'always';
  readonly refetchOnWindowFocus?: false;
  readonly placeholderData?: typeof keepPreviousData;
}

/** Keeps the previous data while another page or selection loads. */
export const keepsPrevious = { placeholderData: keepPreviousData } as const;
export const refetchOnMount = { refetchOnMount: 'always' } as const;
/** The router requests data of a page while the page's code loads; later visits request it again. */
const justLoadedMs = 1000;
export const refetchUnlessJustLoaded = {
  refetchOnMount: ({
    state,
  }: {
    readonly state: { readonly dataUpdatedAt: number; readonly isInvalidated: boolean };
  }) => (state.isInvalidated || Date.now() - state.dataUpdatedAt > justLoadedMs ? 'always' : false),
} as const;
/** For annotations, which change while screens are open. */
export const noCache = { retry: false, refetchOnWindowFocus: false, gcTime: 0 } as const;

/** One operation as a query, cached by its key and aborted when no screen needs it any more. */
export const operationQuery = <Id extends OperationId, const Key extends QueryKey>(
  queryKey: Key,
  id: Id,
  input: Parameters<typeof call<Id>>[1],
  keeping: Keeping = {},
): OperationQuery<Id, Key> =>
  queryOptions<Answer<Id>, Error, Answer<Id>, Key>({
    queryKey,
    queryFn: ({ signal }) => call(id, { ...input, signal }),
    ...keeping,
  });
