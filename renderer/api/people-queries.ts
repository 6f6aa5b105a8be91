import { asked } from './asked.ts';

const everything = { page_size: 'all' } as const;

/** Accounts, organizations and their members; none of them is narrowed to the organization that is worked in. */
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
  /** Of an organization: what was sent and is not accepted. */
  openInvitations: (slug: string) =>
    asked(['organizations', 'invitations', slug], 'listInvitations', {
      query: { ...everything, accepted: 'false' },
      organization: slug,
    }),
  /** To a user: what waits for an answer. */
  invitationsTo: (userId: number) =>
    asked(['organizations', 'invitations-to', userId], 'listInvitations', {
      query: { ...everything, accepted: 'false', user_id: String(userId) },
      organization: null,
    }),
};
