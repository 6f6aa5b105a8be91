import { z } from 'zod';
import { equality, idParams, listQuery, organizationQuery, pageSchema, related } from '../schema/common.ts';
import { detailSchema, visibleUserSchema } from '../schema/server.ts';
import * as people from '../schema/people.ts';
import { operation } from '../operation.ts';

const userOperations = {
  updateUser: operation({
    method: 'PATCH',
    path: '/api/users/{id}',
    tag: 'users',
    summary: 'Change a user; the own names, or as an admin anything',
    status: 200,
    params: idParams,
    body: people.userPatchSchema,
    output: visibleUserSchema,
  }),
  deleteUser: operation({
    method: 'DELETE',
    path: '/api/users/{id}',
    tag: 'users',
    summary: 'Delete a user; what the user owned stays, without an owner',
    status: 204,
    params: idParams,
  }),
  resetPassword: operation({
    method: 'POST',
    path: '/api/auth/password/reset',
    tag: 'auth',
    summary: 'Ask for a new password; nothing is mailed, the answer says whom to ask',
    status: 200,
    open: true,
    body: people.passwordResetSchema,
    output: detailSchema,
  }),
  confirmPasswordReset: operation({
    method: 'POST',
    path: '/api/auth/password/reset/confirm',
    tag: 'auth',
    summary: 'Set a new password with what an admin handed out',
    status: 200,
    open: true,
    body: people.passwordResetConfirmSchema,
    output: detailSchema,
  }),
  /** Limner's own: there is no mail to send it by. */
  createPasswordReset: operation({
    method: 'POST',
    path: '/api/limner/users/{id}/password_reset',
    tag: 'limner',
    summary: 'As an admin, let a user set a new password',
    status: 201,
    params: idParams,
    output: people.passwordResetTokenSchema,
  }),
} as const;

const organizationsPart = {
  listOrganizations: operation({
    method: 'GET',
    path: '/api/organizations',
    tag: 'organizations',
    summary: 'Organizations of the caller',
    status: 200,
    query: listQuery({ name: equality, owner: equality, slug: equality }),
    output: pageSchema(people.organizationSchema),
  }),
  createOrganization: operation({
    method: 'POST',
    path: '/api/organizations',
    tag: 'organizations',
    summary: 'Create an organization; the caller becomes its owner',
    status: 201,
    body: people.organizationWriteSchema,
    output: people.organizationSchema,
  }),
  getOrganization: operation({
    method: 'GET',
    path: '/api/organizations/{id}',
    tag: 'organizations',
    summary: 'One organization',
    status: 200,
    params: idParams,
    output: people.organizationSchema,
  }),
  updateOrganization: operation({
    method: 'PATCH',
    path: '/api/organizations/{id}',
    tag: 'organizations',
    summary: 'Change an organization',
    status: 200,
    params: idParams,
    body: people.organizationPatchSchema,
    output: people.organizationSchema,
  }),
  deleteOrganization: operation({
    method: 'DELETE',
    path: '/api/organizations/{id}',
    tag: 'organizations',
    summary: 'Delete an organization with its projects and tasks',
    status: 204,
    params: idParams,
  }),
} as const;

const membershipsPart = {
  listMemberships: operation({
    method: 'GET',
    path: '/api/memberships',
    tag: 'memberships',
    summary: 'Members of organizations',
    status: 200,
    query: listQuery({ role: equality, user: equality, organization_id: equality, ...related('organization') }),
    output: pageSchema(people.membershipSchema),
  }),
  getMembership: operation({
    method: 'GET',
    path: '/api/memberships/{id}',
    tag: 'memberships',
    summary: 'One membership',
    status: 200,
    params: idParams,
    output: people.membershipSchema,
  }),
  updateMembership: operation({
    method: 'PATCH',
    path: '/api/memberships/{id}',
    tag: 'memberships',
    summary: "Change a member's role",
    status: 200,
    params: idParams,
    body: people.membershipPatchSchema,
    output: people.membershipSchema,
  }),
  deleteMembership: operation({
    method: 'DELETE',
    path: '/api/memberships/{id}',
    tag: 'memberships',
    summary: 'Remove a member, or leave an organization',
    status: 204,
    params: idParams,
  }),
} as const;

const keyParams = z.object({ key: z.string() });

const invitationsPart = {
  listInvitations: operation({
    method: 'GET',
    path: '/api/invitations',
    tag: 'invitations',
    summary: 'Invitations that the caller sent or got',
    status: 200,
    query: listQuery({
      accepted: equality,
      owner: equality,
      user_id: equality,
      organization_id: equality,
      ...related('organization'),
    }),
    output: pageSchema(people.invitationSchema),
  }),
  createInvitation: operation({
    method: 'POST',
    path: '/api/invitations',
    tag: 'invitations',
    summary: 'Invite a person to the organization of the context; nothing is mailed',
    status: 201,
    query: z.object(organizationQuery),
    body: people.invitationWriteSchema,
    output: people.invitationSchema,
  }),
  getInvitation: operation({
    method: 'GET',
    path: '/api/invitations/{key}',
    tag: 'invitations',
    summary: 'One invitation',
    status: 200,
    params: keyParams,
    output: people.invitationSchema,
  }),
  deleteInvitation: operation({
    method: 'DELETE',
    path: '/api/invitations/{key}',
    tag: 'invitations',
    summary: 'Take an invitation back',
    status: 204,
    params: keyParams,
  }),
  acceptInvitation: operation({
    method: 'POST',
    path: '/api/invitations/{key}/accept',
    tag: 'invitations',
    summary: 'Accept an invitation',
    status: 200,
    params: keyParams,
    output: people.acceptedInvitationSchema,
  }),
  declineInvitation: operation({
    method: 'POST',
    path: '/api/invitations/{key}/decline',
    tag: 'invitations',
    summary: 'Decline an invitation',
    status: 204,
    params: keyParams,
  }),
  resendInvitation: operation({
    method: 'POST',
    path: '/api/invitations/{key}/resend',
    tag: 'invitations',
    summary: 'Renew an invitation for another seven days; nothing is mailed',
    status: 204,
    params: keyParams,
  }),
} as const;

export const peopleOperations = {
  ...userOperations,
  ...organizationsPart,
  ...membershipsPart,
  ...invitationsPart,
} as const;
