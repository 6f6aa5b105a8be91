import type { peopleOperations } from '../../../../preload/contract/operations/people.ts';
import type { CasesOf } from '../operation-case.ts';

export const peopleCases: CasesOf<typeof peopleOperations> = {
  updateUser: {
    good: ({ boss }) => ({ params: { id: boss.id }, body: { first_name: 'The' } }),
    denied: 403,
    bad: () => [
      [400, { raw: { groups: ['gods'] } }],
      [403, { body: { groups: ['admin'] } }],
    ],
  },
  deleteUser: {
    caller: ({ admin }) => admin,
    good: async ({ newPerson }) => ({ params: { id: (await newPerson()).id } }),
    denied: 403,
  },
  resetPassword: {
    good: () => ({ body: { email: 'somebody@example.org' } }),
    denied: 'everybody',
    bad: () => [[400, { body: { email: 'no address' } }]],
  },
  confirmPasswordReset: {
    async good({ admin, newPerson }) {
      const { id } = await newPerson();
      const { uid, token } = await admin.good('createPasswordReset', { params: { id } });
      return { body: { uid, token, new_password1: 'a better password', new_password2: 'a better password' } };
    },
    denied: 'everybody',
    bad: () => [
      [400, { body: { uid: '1', token: 'guessed', new_password1: 'long enough', new_password2: 'long enough' } }],
    ],
  },
  createPasswordReset: {
    caller: ({ admin }) => admin,
    good: ({ boss }) => ({ params: { id: boss.id } }),
    denied: 403,
  },

  listOrganizations: { good: () => ({}), denied: 'sees less' },
  createOrganization: {
    good: () => ({ body: { slug: 'another' } }),
    denied: 'everybody',
    bad: () => [
      [400, { body: { slug: 'team' } }],
      [400, { body: { slug: 'with a space' } }],
      [400, { body: { slug: 'longer-than-sixteen' } }],
    ],
  },
  getOrganization: { good: ({ organization: { id } }) => ({ params: { id } }), denied: 403 },
  updateOrganization: {
    good: ({ organization: { id } }) => ({ params: { id }, body: { description: 'changed' } }),
    denied: 403,
    bad: () => [
      [400, { body: { slug: '' } }],
      [400, { raw: { contact: 'none' } }],
    ],
  },
  deleteOrganization: {
    good: async ({ boss }) => ({
      params: { id: (await boss.good('createOrganization', { body: { slug: 'short-lived' } })).id },
    }),
    denied: 403,
  },

  listMemberships: { good: ({ organization: { slug } }) => ({ query: { org: slug } }), denied: 403 },
  getMembership: { good: async ({ newMember }) => ({ params: { id: await newMember() } }), denied: 403 },
  updateMembership: {
    good: async ({ newMember }) => ({ params: { id: await newMember() }, body: { role: 'supervisor' } }),
    denied: 403,
    bad: () => [
      [400, { raw: { role: 'king' } }],
      [403, { body: { role: 'owner' } }],
    ],
  },
  deleteMembership: { good: async ({ newMember }) => ({ params: { id: await newMember() } }), denied: 403 },

  listInvitations: { good: ({ organization: { slug } }) => ({ query: { org: slug } }), denied: 403 },
  createInvitation: {
    good: ({ organization: { slug } }) => ({
      query: { org: slug },
      body: { role: 'worker', email: 'another@example.org' },
    }),
    denied: 403,
    bad: () => [
      [400, { body: { role: 'worker', email: '' } }],
      [400, { query: {} }],
      [403, { body: { role: 'owner', email: 'another@example.org' } }],
      [404, { query: { org: 'nobody' } }],
    ],
  },
  getInvitation: { good: async ({ newInvitation }) => ({ params: { key: await newInvitation() } }), denied: 404 },
  deleteInvitation: { good: async ({ newInvitation }) => ({ params: { key: await newInvitation() } }), denied: 404 },
  acceptInvitation: {
    caller: ({ invited }) => invited,
    good: async ({ newInvitationOf, invited }) => ({ params: { key: await newInvitationOf(invited) } }),
    denied: 404,
  },
  declineInvitation: {
    caller: ({ decliner }) => decliner,
    good: async ({ newInvitationOf, decliner }) => ({ params: { key: await newInvitationOf(decliner) } }),
    denied: 404,
  },
  resendInvitation: { good: async ({ newInvitation }) => ({ params: { key: await newInvitation() } }), denied: 404 },
};
