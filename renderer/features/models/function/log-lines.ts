export interface LogLine {
  readonly id: number;
  /** `12:34:56`; empty without a time. */
  readonly time: string;
  readonly level: 'debug' | 'info' | 'warning' | 'error';
  readonly text: string;
}

/** Older lines are dropped. */
export const keptLines = 5000;

const levels = ['debug', 'info', 'warning', 'error'] as const;
const levelOf = (value: unknown): LogLine['level'] => levels.find((level) => level === value) ?? 'info';

export function createLogReader() {
  let rest = '';
  let id = 0;
  return (piece: string): LogLine[] => {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    return lines.filter((line) => line.trim() !== '').map((line) => ({ id: (id += 1), ...readLine(line) }));
  };
}

function readLine(line: string): Omit<LogLine, 'id'> {
  const record = line.startsWith('{') ? recordOf(line) : null;
  if (record !== null) return record;
  const [, time = '', text = line] = /^(\d\d:\d\d:\d\d) (.*)$/.exec(line) ?? [];
  if (text.startsWith('Error: ')) return { time, level: 'error', text: text.slice('Error: '.length) };
  if (text.startsWith('Note: ')) return { time, level: 'warning', text: text.slice('Note: '.length) };
  return { time, level: 'info', text };
}

/** Parses a runtime's line: JSON with time, level, message and other values. */
function recordOf(line: string): Omit<LogLine, 'id'> | null {
  let record: unknown;
  try {
    record = JSON.parse(line);
  } catch {
    return null;
  }
  const { datetime, level, message, with: values, ...more } = Object(record) as Record<string, unknown>;
  if (typeof message !== 'string') return null;
  const others = { ...more, ...(typeof values === 'object' ? values : {}) };
  const tail = Object.entries(others).map(
    ([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return {
    time: /T(\d\d:\d\d:\d\d)/.exec(String(datetime ?? ''))?.[1] ?? '',
    level: levelOf(level),
    text: [message, ...tail].join('  '),
  };
}
