import { z } from 'zod';
import { equalTo, listQuery, organizationQuery, pageSchema, related } from '../schema/common.ts';
import { detailSchema, visibleUserSchema } from '../schema/server.ts';
import * as people from '../schema/people.ts';
import { collection, operation } from '../operation.ts';

const users = collection('/api/users', visibleUserSchema);
const userOperations = {
  updateUser: users.update('Change your names, or as an administrator any user', people.userPatchSchema),
  deleteUser: users.delete('Delete a user; their objects stay without an owner'),
  resetPassword: operation.post(
    '/api/auth/password/reset',
    'Request a password reset; the answer says who can help, because no e-mail is sent',
    { status: 200, open: true, body: people.passwordResetSchema, output: detailSchema },
  ),
  confirmPasswordReset: operation.post(
    '/api/auth/password/reset/confirm',
    'Set a new password with the values from an administrator',
    { status: 200, open: true, body: people.passwordResetConfirmSchema, output: detailSchema },
  ),
  /** Limner extension, because there is no e-mail to send it by. */
  createPasswordReset: operation.post(
    '/api/limner/users/{id}/password_reset',
    'As an administrator, allow a user to set a new password',
    { output: people.passwordResetTokenSchema },
  ),
} as const;

const organizations = collection('/api/organizations', people.organizationSchema);
const organizationsPart = {
  listOrganizations: organizations.list('Your organizations', equalTo('name', 'owner', 'slug')),
  createOrganization: organizations.create(
    'Create an organization; the caller becomes its owner',
    people.organizationWriteSchema,
  ),
  getOrganization: organizations.get('One organization'),
  updateOrganization: organizations.update('Change an organization', people.organizationPatchSchema),
  deleteOrganization: organizations.delete('Delete an organization with its projects and tasks'),
} as const;

const memberships = collection('/api/memberships', people.membershipSchema);
const membershipsPart = {
  listMemberships: memberships.list('Members of organizations', {
    ...equalTo('role', 'user', 'organization_id'),
    ...related('organization'),
  }),
  getMembership: memberships.get('One membership'),
  updateMembership: memberships.update("Change a member's role", people.membershipPatchSchema),
  deleteMembership: memberships.delete('Remove a member, or leave an organization'),
} as const;

const keyParams = z.object({ key: z.string() });

const invitationsPart = {
  listInvitations: operation.get('/api/invitations', 'Invitations that you sent or received', {
    query: listQuery({
      ...equalTo('accepted', 'owner', 'user_id', 'organization_id'),
      ...related('organization'),
    }),
    output: pageSchema(people.invitationSchema),
  }),
  createInvitation: operation.post(
    '/api/invitations',
    'Invite a user to the organization of the context, without an e-mail',
    { query: z.object(organizationQuery), body: people.invitationWriteSchema, output: people.invitationSchema },
  ),
  getInvitation: operation.get('/api/invitations/{key}', 'One invitation', {
    params: keyParams,
    output: people.invitationSchema,
  }),
  deleteInvitation: operation.delete('/api/invitations/{key}', 'Withdraw an invitation', { params: keyParams }),
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
    'Renew an invitation for another seven days, without an e-mail',
    { status: 204, params: keyParams },
  ),
} as const;

export const peopleOperations = {
  ...userOperations,
  ...organizationsPart,
  ...membershipsPart,
  ...invitationsPart,
} as const;
