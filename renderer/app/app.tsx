import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError } from '../api/api-error.ts';
import { UiProvider } from '../ui/ui-provider.tsx';
import { createAppRouter, loadWorkspaceSoon } from './router.tsx';

/** Server state of all screens. Failures that need no decision are retried automatically. */
function createQueryClient(onSignedOut: () => void): QueryClient {
  const watch = (error: Error): void => {
    if (error instanceof ApiError && error.kind === 'signed-out') onSignedOut();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError: watch }),
    mutationCache: new MutationCache({ onError: watch }),
    defaultOptions: {
      queries: {
        staleTime: 2_000,
        // Each one consists of several attempts of the call within four seconds.
        retry: (count, error) => error instanceof ApiError && error.kind === 'unreachable' && count < 8,
        retryDelay: 1_000,
        // The service is local and responds without a network.
        networkMode: 'always',
      },
      mutations: { networkMode: 'always', retry: false },
    },
  });
}

export function App() {
  const [{ router, client }] = useState(() => {
    const client = createQueryClient(() => {
      const { pathname, searchStr } = router.state.location;
      if (pathname !== '/sign-in') void router.navigate({ to: '/sign-in', search: { next: pathname + searchStr } });
    });
    const router = createAppRouter(client);
    const stop = router.subscribe('onRendered', () => {
      stop();
      loadWorkspaceSoon();
    });
    return { router, client };
  });
  return (
    <QueryClientProvider client={client}>
      <UiProvider>
        <RouterProvider router={router} />
      </UiProvider>
    </QueryClientProvider>
  );
}
