import { asked } from './asked.ts';

const everything = { page_size: 'all' } as const;

export const peopleQueries = {
  users: () =>
    asked(
      ['users', 'list'],
      'listUsers',
      { query: { ...everything, sort: 'username' }, organization: null },
      { staleTime: 60_000 },
    ),
  accessTokens: () => asked(['access-tokens'], 'listAccessTokens', { query: everything, organization: null }),
  organizations: () =>
    asked(
      ['organizations', 'list'],
      'listOrganizations',
      { query: { ...everything, sort: 'slug' }, organization: null },
      { staleTime: 30_000 },
    ),
  organization: (id: number) =>
    asked(['organizations', 'one', id], 'getOrganization', { params: { id }, organization: null }),
  members: (slug: string) =>
    asked(['organizations', 'members', slug], 'listMemberships', {
      query: { ...everything, sort: 'id' },
      organization: slug,
    }),
  openInvitations: (slug: string) =>
    asked(['organizations', 'invitations', slug], 'listInvitations', {
      query: { ...everything, accepted: 'false' },
      organization: slug,
    }),
  invitationsTo: (userId: number) =>
    asked(['organizations', 'invitations-to', userId], 'listInvitations', {
      query: { ...everything, accepted: 'false', user_id: String(userId) },
      organization: null,
    }),
};
