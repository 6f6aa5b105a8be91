import type { peopleOperations } from '../../../preload/contract/operations/people.ts';
import type { PasswordResetService } from '../../users/auth/password-reset-service.ts';
import type { Services } from '../../composition/services.ts';
import type { UserService } from '../../users/accounts/user-service.ts';
import type { HandlersOf } from '../handler.ts';
import { listHandler } from '../paging.ts';

interface Dependencies {
  readonly core: Pick<Services, 'organizations' | 'memberships' | 'invitations'>;
  readonly signIn: { readonly users: UserService; readonly passwordResets: PasswordResetService };
}

export function createOrganizationHandlers({ core, signIn }: Dependencies): HandlersOf<typeof peopleOperations> {
  const { organizations, memberships, invitations } = core;
  const { users, passwordResets } = signIn;
  return {
    updateUser: ({ actor, params, body, request }) =>
      users.update(actor, request.identity.credentials, params.id, body),
    deleteUser: ({ actor, params }) => users.remove(actor, params.id),
    resetPassword: () => ({ detail: passwordResets.request() }),
    async confirmPasswordReset({ body }) {
      const { uid, token, new_password1: new1, new_password2: new2 } = body;
      const keepsAccessTokens = body.limner_keep_access_tokens === true;
      await passwordResets.confirm({ uid, token, new1, new2, keepsAccessTokens });
      return { detail: 'Password has been reset with the new password.' };
    },
    createPasswordReset: ({ actor, params, request }) =>
      passwordResets.create(actor, request.identity.credentials, params.id),

    listOrganizations: listHandler(organizations.list),
    createOrganization: ({ actor, body }) => organizations.create(actor, body),
    getOrganization: ({ actor, params }) => organizations.get(actor, params.id),
    updateOrganization: ({ actor, params, body }) => organizations.update(actor, params.id, body),
    deleteOrganization: ({ actor, params }) => organizations.remove(actor, params.id),

    listMemberships: listHandler(memberships.list),
    getMembership: ({ actor, params }) => memberships.get(actor, params.id),
    updateMembership: ({ actor, params, body }) => memberships.update(actor, params.id, body),
    deleteMembership: ({ actor, params }) => memberships.remove(actor, params.id),

    listInvitations: listHandler(invitations.list),
    createInvitation: ({ actor, body }) => invitations.create(actor, body),
    getInvitation: ({ actor, params }) => invitations.get(actor, params.key),
    deleteInvitation: ({ actor, params }) => invitations.remove(actor, params.key),
    acceptInvitation: ({ actor, params }) => invitations.accept(actor, params.key),
    declineInvitation: ({ actor, params }) => invitations.decline(actor, params.key),
    resendInvitation: ({ actor, params }) => invitations.resend(actor, params.key),
  };
}
