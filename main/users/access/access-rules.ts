import { organizationRoles, type OrganizationRole } from '../../../preload/contract/schema/people.ts';
import { AppError } from '../../platform/errors.ts';
import {
  accessTable,
  type AccessRow,
  type ActionOf,
  type Group,
  type Relation,
  type Resource,
} from './access-table.ts';
import type { Actor } from './actor.ts';

export type Caller = Pick<Actor, 'userId' | 'group'>;

export interface AccessFacts {
  /** The organization that the object belongs to; null in a sandbox. */
  readonly organizationId: number | null;
  /** The caller's role in that organization; null without an active membership. */
  readonly role: OrganizationRole | null;
  readonly people?: Readonly<Partial<Record<Relation, number | null>>>;
  readonly roles?: readonly OrganizationRole[];
  readonly isPending?: boolean;
}

/** Organization of an object, and the caller's role there. Not read for admins, who may do everything. */
export type PlaceFacts = ReturnType<typeof createPlaceFacts>;

export function createPlaceFacts(users: {
  readonly role: (organizationId: number, userId: number) => OrganizationRole | null;
}) {
  return (caller: Caller, organizationId: number | null): Pick<AccessFacts, 'organizationId' | 'role'> => ({
    organizationId,
    role: organizationId === null || isAdmin(caller) ? null : users.role(organizationId, caller.userId),
  });
}

export const noFacts: AccessFacts = { organizationId: null, role: null };

const groupOrder: readonly Group[] = ['worker', 'user', 'admin'];

export const isAtLeastGroup = (group: Group, least: Group): boolean =>
  groupOrder.indexOf(group) >= groupOrder.indexOf(least);
export const isAtLeastRole = (role: OrganizationRole | null, least: OrganizationRole): boolean =>
  role !== null && organizationRoles.indexOf(role) >= organizationRoles.indexOf(least);

export const forbidden = () => new AppError('forbidden', 'You do not have permission to perform this action.');

export function isAdmin(actor: Caller): boolean {
  return actor.group === 'admin';
}

/** @throws AppError 403 */
export function requireAdmin(actor: Caller): void {
  if (!isAdmin(actor)) throw forbidden();
}

export function rowsOf<Kind extends Resource>(kind: Kind, action: ActionOf<Kind>): readonly AccessRow[] {
  const rows: readonly AccessRow[] = accessTable[kind];
  return rows.filter((row) => row.actions.includes(action));
}

export function isAllowed<Kind extends Resource>(
  caller: Caller,
  kind: Kind,
  action: ActionOf<Kind>,
  facts: AccessFacts,
): boolean {
  return isAdmin(caller) || rowsOf(kind, action).some((row) => passes(row, caller, facts));
}

/** @throws AppError 403 */
export function requireAllowed<Kind extends Resource>(
  caller: Caller,
  kind: Kind,
  action: ActionOf<Kind>,
  facts: AccessFacts,
): void {
  if (!isAllowed(caller, kind, action, facts)) throw forbidden();
}

function passes(row: AccessRow, caller: Caller, facts: AccessFacts): boolean {
  const { who, roles, settled } = row;
  if (who && !who.some((relation) => facts.people?.[relation] === caller.userId)) return false;
  if (roles && !facts.roles?.every((role) => roles.includes(role))) return false;
  if (settled && facts.isPending === true) return false;
  return isInPlace(row, caller, facts);
}

function isInPlace(row: AccessRow, { group }: Caller, { organizationId, role }: AccessFacts): boolean {
  if (row.anywhere && isAtLeastGroup(group, row.anywhere)) return true;
  if (organizationId === null) return row.sandbox !== undefined && isAtLeastGroup(group, row.sandbox);
  if (row.outsider && row.outsider === group && role === null) return true;
  if (!row.organization) return false;
  const [leastGroup, leastRole] = row.organization;
  return isAtLeastGroup(group, leastGroup) && isAtLeastRole(role, leastRole);
}
