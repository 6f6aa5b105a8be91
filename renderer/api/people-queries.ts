import { operationQuery } from './query-options.ts';

const everything = { page_size: 'all' } as const;

export const peopleQueries = {
  users: () =>
    operationQuery(
      ['users', 'list'],
      'listUsers',
      { query: { ...everything, sort: 'username' }, organization: null },
      { staleTime: 60_000 },
    ),
  accessTokens: () => operationQuery(['access-tokens'], 'listAccessTokens', { query: everything, organization: null }),
  organizations: () =>
    operationQuery(
      ['organizations', 'list'],
      'listOrganizations',
      { query: { ...everything, sort: 'slug' }, organization: null },
      { staleTime: 30_000 },
    ),
  organization: (id: number) =>
    operationQuery(['organizations', 'one', id], 'getOrganization', { params: { id }, organization: null }),
  members: (slug: string) =>
    operationQuery(['organizations', 'members', slug], 'listMemberships', {
      query: { ...everything, sort: 'id' },
      organization: slug,
    }),
  openInvitations: (slug: string) =>
    operationQuery(['organizations', 'invitations', slug], 'listInvitations', {
      query: { ...everything, accepted: 'false' },
      organization: slug,
    }),
  invitationsTo: (userId: number) =>
    operationQuery(['organizations', 'invitations-to', userId], 'listInvitations', {
      query: { ...everything, accepted: 'false', user_id: String(userId) },
      organization: null,
    }),
};
