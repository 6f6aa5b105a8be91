import type { peopleOperations } from '../../../../preload/contract/operations/people.ts';
import type { CasesOf } from '../operation-case.ts';

export const peopleCases: CasesOf<typeof peopleOperations> = {
  updateUser: {
    good: ({ boss }) => ({ params: { id: boss.id }, body: { first_name: 'The' } }),
    bad: () => [
      [400, { raw: { groups: ['gods'] } }],
      [403, { body: { groups: ['admin'] } }],
    ],
  },
  deleteUser: {
    caller: ({ admin }) => admin,
    good: async ({ newPerson }) => ({ params: { id: (await newPerson()).id } }),
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
  createPasswordReset: { caller: ({ admin }) => admin, good: ({ boss }) => ({ params: { id: boss.id } }) },

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
  getOrganization: { good: ({ organization: { id } }) => ({ params: { id } }) },
  updateOrganization: {
    good: ({ organization: { id } }) => ({ params: { id }, body: { description: 'changed' } }),
    bad: () => [
      [400, { body: { slug: '' } }],
      [400, { raw: { contact: 'none' } }],
    ],
  },
  deleteOrganization: {
    good: async ({ boss }) => ({
      params: { id: (await boss.good('createOrganization', { body: { slug: 'short-lived' } })).id },
    }),
  },

  listMemberships: { good: ({ organization: { slug } }) => ({ query: { org: slug } }) },
  getMembership: { good: async ({ newMember }) => ({ params: { id: await newMember() } }) },
  updateMembership: {
    good: async ({ newMember }) => ({ params: { id: await newMember() }, body: { role: 'supervisor' } }),
    bad: () => [
      [400, { raw: { role: 'king' } }],
      [403, { body: { role: 'owner' } }],
    ],
  },
  deleteMembership: { good: async ({ newMember }) => ({ params: { id: await newMember() } }) },

  listInvitations: { good: ({ organization: { slug } }) => ({ query: { org: slug } }) },
  createInvitation: {
    good: ({ organization: { slug } }) => ({
      query: { org: slug },
      body: { role: 'worker', email: 'another@example.org' },
    }),
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
