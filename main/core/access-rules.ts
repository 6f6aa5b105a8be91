import { AppError } from '../platform/errors.ts';
import type { Actor } from './actor.ts';

/** The people of an object and of what it belongs to. */
export interface Staff {
  readonly ownerId: number | null;
  readonly assigneeId: number | null;
}

export const forbidden = () => {
  const message = 'You do not have permission to perform this action.';
  return new AppError('forbidden', message, { detail: message });
};

export function isAdmin(actor: Actor): boolean {
  return actor.group === 'admin';
}

function isStaff(actor: Actor, staff: Staff): boolean {
  return staff.ownerId === actor.userId || staff.assigneeId === actor.userId;
}

/** Owner or assignee of the object or of one that contains it; an admin passes everything. */
export function requireStaff(actor: Actor, ...staffs: (Staff | null)[]): void {
  if (isAdmin(actor) || staffs.some((staff) => staff !== null && isStaff(actor, staff))) return;
  throw forbidden();
}

/** Owner only, or the staff of what contains it: for deletion, and for changes of owner and assignee. */
export function requireOwner(actor: Actor, own: Staff, ...containers: (Staff | null)[]): void {
  if (isAdmin(actor) || own.ownerId === actor.userId) return;
  if (containers.some((staff) => staff !== null && isStaff(actor, staff))) return;
  throw forbidden();
}

/** Group `user` or above: may create projects and tasks. */
export function requireUserGroup(actor: Actor): void {
  if (actor.group === 'worker') throw forbidden();
}
