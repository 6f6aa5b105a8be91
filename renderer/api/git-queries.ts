import { queryOptions } from '@tanstack/react-query';
import { call } from './client.ts';

export const gitQueries = {
  keys: () =>
    queryOptions({
      queryKey: ['ssh-keys'],
      queryFn: async ({ signal }) => (await call('listSshKeys', { organization: null, signal })).results,
    }),
  ofTask: (id: number) =>
    queryOptions({
      queryKey: ['tasks', id, 'git'],
      queryFn: ({ signal }) => call('getTaskGit', { params: { id }, signal }),
    }),
  history: (id: number, base: string) =>
    queryOptions({
      queryKey: ['tasks', id, 'git', 'history', base],
      queryFn: async ({ signal }) => (await call('getTaskGitHistory', { params: { id }, signal })).results,
    }),
};
