import { messageOf } from '../../../api/api-error.ts';

/** Why something failed, as the end of a sentence: functions and services end theirs as they like. */
export function reasonOf(error: unknown): string {
  const message = messageOf(error).trim();
  return /[.!?]$/.test(message) ? message : `${message}.`;
}
