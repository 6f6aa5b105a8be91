import { queryOptions } from '@tanstack/react-query';
import { call } from './client.ts';

const everything = { page_size: 'all' } as const;

/** Accounts, organizations and their members; none of them is narrowed to the organization that is worked in. */
export const peopleQueries = {
  users: () =>
    queryOptions({
      queryKey: ['users', 'list'],
      queryFn: ({ signal }) =>
        call('listUsers', { query: { ...everything, sort: 'username' }, organization: null, signal }),
      staleTime: 60_000,
    }),
  accessTokens: () =>
    queryOptions({
      queryKey: ['access-tokens'],
      queryFn: ({ signal }) => call('listAccessTokens', { query: everything, organization: null, signal }),
    }),
  organizations: () =>
    queryOptions({
      queryKey: ['organizations', 'list'],
      queryFn: ({ signal }) =>
        call('listOrganizations', { query: { ...everything, sort: 'slug' }, organization: null, signal }),
      staleTime: 30_000,
    }),
  organization: (id: number) =>
    queryOptions({
      queryKey: ['organizations', 'one', id],
      queryFn: ({ signal }) => call('getOrganization', { params: { id }, organization: null, signal }),
    }),
  members: (slug: string) =>
    queryOptions({
      queryKey: ['organizations', 'members', slug],
      queryFn: ({ signal }) =>
        call('listMemberships', { query: { ...everything, sort: 'id' }, organization: slug, signal }),
    }),
  /** Of an organization: what was sent and is not accepted. */
  openInvitations: (slug: string) =>
    queryOptions({
      queryKey: ['organizations', 'invitations', slug],
      queryFn: ({ signal }) =>
        call('listInvitations', { query: { ...everything, accepted: 'false' }, organization: slug, signal }),
    }),
  /** To a user: what waits for an answer. */
  invitationsTo: (userId: number) =>
    queryOptions({
      queryKey: ['organizations', 'invitations-to', userId],
      queryFn: ({ signal }) =>
        call('listInvitations', {
          query: { ...everything, accepted: 'false', user_id: String(userId) },
          organization: null,
          signal,
        }),
    }),
};
