export const kills = Number(process.env['LIMNER_KILLS'] ?? 10);
/** Printed with the results. `LIMNER_SEED` repeats the choices of a run, but not its timing. */
export const seed = Number(process.env['LIMNER_SEED'] ?? Date.now() % 1_000_000);

/** A fraction of the kills for slow operations: imports and the creation of tasks. */
export const fewerKills = Math.max(2, Math.ceil(kills / 10));

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

export const milliseconds = (value: number) => `${value.toFixed(0)} ms`;

export function reopenTimes(readyMs: readonly number[]): string {
  const [p50, p99] = [percentile(readyMs, 0.5), percentile(readyMs, 0.99)];
  return `ready again p50 ${milliseconds(p50)}, p99 ${milliseconds(p99)}, max ${milliseconds(Math.max(...readyMs))}`;
}
