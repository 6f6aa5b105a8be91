import { dayAfter } from './local-time.ts';

/** So many days, today too, say how fast it goes. */
export const forecastDays = 28;
/** Beyond it, a date says nothing. */
const maxDays = 3650;

export interface Forecast {
  readonly jobs_per_day: number;
  readonly end: string;
  readonly earliest: string;
  readonly latest: string;
}

/**
 * When the remaining jobs are done if it goes on as in the last days: by their mean, and, for the earliest and the
 * latest day, by the mean with one standard error more or less. Days without work count: weekends come again.
 */
export function forecast(
  remaining: number,
  completions: readonly { readonly day: string; readonly completed: number }[],
  today: string,
): Forecast | null {
  const from = dayAfter(today, 1 - forecastDays);
  const recent = completions.filter(({ day }) => day >= from && day <= today);
  const first = recent.map(({ day }) => day).sort()[0];
  if (first === undefined || remaining <= 0) return null;
  const days = (Date.parse(today) - Date.parse(first)) / 86_400_000 + 1;
  const mean = recent.reduce((sum, { completed }) => sum + completed, 0) / days;
  if (mean <= 0) return null;
  const squares = recent.reduce((sum, { completed }) => sum + (completed - mean) ** 2, 0);
  const variance = (squares + (days - recent.length) * mean ** 2) / Math.max(1, days - 1);
  const error = Math.sqrt(variance / days);
  const endAt = (rate: number): string =>
    dayAfter(today, Math.ceil(Math.min(maxDays, remaining / Math.max(rate, 1e-9))));
  return {
    jobs_per_day: mean,
    end: endAt(mean),
    earliest: endAt(mean + error),
    latest: endAt(Math.max(mean - error, mean / 4)),
  };
}
