import { queryOptions } from '@tanstack/react-query';
import { call } from './client.ts';

/** Settings of this computer. */
export const settingsQuery = () =>
  queryOptions({
    queryKey: ['settings'],
    queryFn: ({ signal }) => call('getSettings', { organization: null, signal }),
  });
