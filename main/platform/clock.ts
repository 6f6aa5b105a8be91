/** Now, as the API writes dates: ISO 8601 in UTC with microseconds and `Z`. */
export type Clock = () => string;

export const systemClock: Clock = () => new Date().toISOString().replace('Z', '000Z');

export function isoAfter(date: string, durationMs: number): string {
  return new Date(Date.parse(date) + durationMs).toISOString().replace('Z', '000Z');
}
