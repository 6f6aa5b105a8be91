/** Now, as the API writes dates: ISO 8601 in UTC with microseconds and `Z`. */
export type Clock = () => string;

/** @param ms since 1970 */
export const isoFromMs = (ms: number): string => `${new Date(ms).toISOString().slice(0, -1)}000Z`;

export const systemClock: Clock = () => isoFromMs(Date.now());

export function isoAfter(date: string, durationMs: number): string {
  return isoFromMs(Date.parse(date) + durationMs);
}
