export const expiryChoices = ['30', '90', '365', 'never', 'date'] as const;
export type Expiry = (typeof expiryChoices)[number];

const dayMs = 86_400_000;

/**
 * Expiry of a token: the end of the chosen day in local time. Null for never, undefined if the choice is incomplete or
 * in the past.
 * @param day `2026-12-31`, for the choice `date`
 */
export function expiryDate(choice: Expiry, day: string, nowMs = Date.now()): string | null | undefined {
  if (choice === 'never') return null;
  if (choice !== 'date') return new Date(nowMs + Number(choice) * dayMs).toISOString();
  const end = Date.parse(`${day}T23:59:59`);
  return Number.isNaN(end) || end <= nowMs ? undefined : new Date(end).toISOString();
}
