import { isoAfter } from '../../platform/clock.ts';
import { AppError } from '../../platform/errors.ts';
import type { InvitationRow } from './invitation-repository.ts';

const validMs = 7 * 24 * 60 * 60 * 1000;

/** Whether its days are over, also where it was accepted in time. */
export const isPastDue = ({ sent_date }: InvitationRow, now: string): boolean => isoAfter(sent_date, validMs) <= now;

/** Whether nobody can accept it any more. */
export const isExpired = (invitation: InvitationRow, now: string): boolean =>
  invitation.is_active === 0 && isPastDue(invitation, now);

/** @throws AppError 400 for an invitation that is accepted already, or was not in time */
export function requirePending(invitation: InvitationRow, now: string): void {
  if (invitation.is_active === 1) throw refusal('This invitation is accepted already.');
  if (isExpired(invitation, now)) {
    throw refusal('This invitation has expired. Ask who sent it to send it again; it is good for seven days then.');
  }
}

/** Answered as a bare text. */
export const refusal = (message: string) => new AppError('invalid', message, message);
