/** From best to worst. Only a fault stops Limner from working or loses data. */
export const levels = ['ok', 'note', 'warning', 'fault'] as const;
export type Level = (typeof levels)[number];

export interface Finding {
  readonly area: string;
  readonly level: Level;
  readonly message: string;
  readonly suggestion: string | null;
}

export const good = (area: string, message: string): Finding => ({ area, level: 'ok', message, suggestion: null });

export const bad = (
  area: string,
  level: Exclude<Level, 'ok'>,
  message: string,
  suggestion: string | null,
): Finding => ({
  area,
  level,
  message,
  suggestion,
});

export const worst = (findings: readonly Finding[]): Level =>
  levels[Math.max(0, ...findings.map(({ level }) => levels.indexOf(level)))] ?? 'ok';

export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code ?? '');

export const megabytes = (bytes: number): string => `${Math.floor(bytes / 1e6).toLocaleString('en')} MB`;

export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

const named = 10;

/** The first ten names, then the number of the others. */
export const someOf = (names: readonly string[]): string =>
  names.slice(0, named).join(', ') + (names.length > named ? ` and ${names.length - named} more` : '');
