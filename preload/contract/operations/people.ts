import { z } from 'zod';
import { equalTo, listQuery, organizationQuery, pageSchema, related } from '../schema/common.ts';
import { detailSchema, visibleUserSchema } from '../schema/server.ts';
import * as people from '../schema/people.ts';
import { operation } from '../operation.ts';

const userOperations = {
  updateUser: operation.patch('/api/users/{id}', 'Change a user; the own names, or as an admin anything', {
    body: people.userPatchSchema,
    output: visibleUserSchema,
  }),
  deleteUser: operation.delete('/api/users/{id}', 'Delete a user; what the user owned stays, without an owner'),
  resetPassword: operation.post(
    '/api/auth/password/reset',
    'Ask for a new password; nothing is mailed, the answer says whom to ask',
    { status: 200, open: true, body: people.passwordResetSchema, output: detailSchema },
  ),
  confirmPasswordReset: operation.post(
    '/api/auth/password/reset/confirm',
    'Set a new password with what an admin handed out',
    { status: 200, open: true, body: people.passwordResetConfirmSchema, output: detailSchema },
  ),
  /** Limner's own: there is no mail to send it by. */
  createPasswordReset: operation.post(
    '/api/limner/users/{id}/password_reset',
    'As an admin, let a user set a new password',
    { output: people.passwordResetTokenSchema },
  ),
} as const;

const organizationsPart = {
  listOrganizations: operation.get('/api/organizations', 'Organizations of the caller', {
    query: listQuery(equalTo('name', 'owner', 'slug')),
    output: pageSchema(people.organizationSchema),
  }),
  createOrganization: operation.post('/api/organizations', 'Create an organization; the caller becomes its owner', {
    body: people.organizationWriteSchema,
    output: people.organizationSchema,
  }),
  getOrganization: operation.get('/api/organizations/{id}', 'One organization', { output: people.organizationSchema }),
  updateOrganization: operation.patch('/api/organizations/{id}', 'Change an organization', {
    body: people.organizationPatchSchema,
    output: people.organizationSchema,
  }),
  deleteOrganization: operation.delete('/api/organizations/{id}', 'Delete an organization with its projects and tasks'),
} as const;

const membershipsPart = {
  listMemberships: operation.get('/api/memberships', 'Members of organizations', {
    query: listQuery({ ...equalTo('role', 'user', 'organization_id'), ...related('organization') }),
    output: pageSchema(people.membershipSchema),
  }),
  getMembership: operation.get('/api/memberships/{id}', 'One membership', { output: people.membershipSchema }),
  updateMembership: operation.patch('/api/memberships/{id}', "Change a member's role", {
    body: people.membershipPatchSchema,
    output: people.membershipSchema,
  }),
  deleteMembership: operation.delete('/api/memberships/{id}', 'Remove a member, or leave an organization'),
} as const;

const keyParams = z.object({ key: z.string() });

const invitationsPart = {
  listInvitations: operation.get('/api/invitations', 'Invitations that the caller sent or got', {
    query: listQuery({
      ...equalTo('accepted', 'owner', 'user_id', 'organization_id'),
      ...related('organization'),
    }),
    output: pageSchema(people.invitationSchema),
  }),
  createInvitation: operation.post(
    '/api/invitations',
    'Invite a person to the organization of the context; nothing is mailed',
    { query: z.object(organizationQuery), body: people.invitationWriteSchema, output: people.invitationSchema },
  ),
  getInvitation: operation.get('/api/invitations/{key}', 'One invitation', {
    params: keyParams,
    output: people.invitationSchema,
  }),
  deleteInvitation: operation.delete('/api/invitations/{key}', 'Take an invitation back', { params: keyParams }),
  acceptInvitation: operation.post('/api/invitations/{key}/accept', 'Accept an invitation', {
    status: 200,
    params: keyParams,
    output: people.acceptedInvitationSchema,
  }),
  declineInvitation: operation.post('/api/invitations/{key}/decline', 'Decline an invitation', {
    status: 204,
    params: keyParams,
  }),
  resendInvitation: operation.post(
    '/api/invitations/{key}/resend',
    'Renew an invitation for another seven days; nothing is mailed',
    { status: 204, params: keyParams },
  ),
} as const;

export const peopleOperations = {
  ...userOperations,
  ...organizationsPart,
  ...membershipsPart,
  ...invitationsPart,
} as const;
