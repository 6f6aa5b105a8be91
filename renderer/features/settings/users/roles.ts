import { groups, type User } from '../../../../preload/contract/schema/server.ts';
import type { UserPatch } from '../../../../preload/contract/schema/people.ts';

/** What a person may do on this workbench: CVAT's groups, strongest first. */
export type Role = (typeof groups)[number];
export const roles: readonly Role[] = groups;

export const roleOf = ({ groups: [role = 'user'] }: User): Role => role;

export const rolePatch = (role: Role): UserPatch => ({
  groups: [role],
  is_superuser: role === 'admin',
  is_staff: role === 'admin',
});
