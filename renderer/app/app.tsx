import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useState } from 'react';
import { createQueryClient } from '../api/query-client.ts';
import { UiProvider } from '../ui/ui-provider.tsx';
import { createAppRouter } from './router.tsx';

/** The whole window: server state, theme, and the screen of the address. */
export function App() {
  const [{ router, client }] = useState(() => {
    const router = createAppRouter();
    const toSignIn = (): void => {
      const { pathname, searchStr } = router.state.location;
      if (pathname !== '/sign-in') void router.navigate({ to: '/sign-in', search: { next: pathname + searchStr } });
    };
    return { router, client: createQueryClient(toSignIn) };
  });
  return (
    <QueryClientProvider client={client}>
      <UiProvider>
        <RouterProvider router={router} />
      </UiProvider>
    </QueryClientProvider>
  );
}
