import { queryOptions } from '@tanstack/react-query';
import { call } from './client.ts';
import type { GitOwner } from './git-calls.ts';

const place = ({ kind, id }: GitOwner) => [`${kind}s`, id] as const;

export const gitQueries = {
  keys: () =>
    queryOptions({
      queryKey: ['ssh-keys'],
      queryFn: async ({ signal }) => (await call('listSshKeys', { organization: null, signal })).results,
    }),
  /** Key of everything about a task or project, because a pull changes much of it. */
  place,
  of: (owner: GitOwner) =>
    queryOptions({
      queryKey: [...place(owner), 'git'],
      queryFn: async ({ signal }) => {
        const given = { params: { id: owner.id }, signal };
        if (owner.kind === 'project') return call('getProjectGit', given);
        return { ...(await call('getTaskGit', given)), skipped: [] };
      },
    }),
  history: (owner: GitOwner, base: string) =>
    queryOptions({
      queryKey: [...place(owner), 'git', 'history', base],
      queryFn: async ({ signal }) => {
        const given = { params: { id: owner.id }, signal };
        const history = owner.kind === 'task' ? call('getTaskGitHistory', given) : call('getProjectGitHistory', given);
        return (await history).results;
      },
    }),
};
