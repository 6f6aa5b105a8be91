import { queryOptions } from '@tanstack/react-query';
import { call } from './client.ts';

const whileRunningMs = 500;
const otherwiseMs = 15_000;

export const backupsQuery = () =>
  queryOptions({
    queryKey: ['backups'],
    queryFn: ({ signal }) => call('getBackups', { signal }),
    refetchInterval: ({ state }) => (state.data?.running ? whileRunningMs : otherwiseMs),
  });
