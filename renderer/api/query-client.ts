import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';

/** Server state of all screens. Failures that need no decision of the user are tried again by themselves. */
export function createQueryClient(onSignedOut: () => void): QueryClient {
  const watch = (error: Error): void => {
    if (error instanceof ApiError && error.kind === 'signed-out') onSignedOut();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError: watch }),
    mutationCache: new MutationCache({ onError: watch }),
    defaultOptions: {
      queries: {
        staleTime: 2_000,
        retry: (count, error) => error instanceof ApiError && error.kind === 'unreachable' && count < 30,
        retryDelay: 1_000,
        // The service is on this machine: it answers without a network.
        networkMode: 'always',
      },
      mutations: { networkMode: 'always', retry: false },
    },
  });
}
