import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { logLevels, type Log, type LogLine, type LogQuery } from '../../../preload/contract/schema/logs.ts';
import { namesIn } from '../../platform/names-in.ts';

const chunkBytes = 256 * 1024;
const newLine = 0x0a;

/** Files of the log, the newest first: `limner.log`, then the rotated ones. */
export const logFiles = (folder: string): string[] =>
  namesIn(folder)
    .flatMap((name) => {
      const [, number] = /^limner(?:\.(\d+))?\.log$/.exec(name) ?? [null];
      return number === null ? [] : [{ name, age: Number(number ?? 0) }];
    })
    .toSorted((a, b) => a.age - b.age)
    .map(({ name }) => name);

/** The newest lines that fit. Files are read from their ends, piece by piece, as far as is needed. */
export async function readLog(folder: string, { level, search, limit }: LogQuery): Promise<Log> {
  const wanted = new Set<string>(logLevels.slice(logLevels.indexOf(level)));
  const words = search.toLowerCase();
  const results: LogLine[] = [];
  for (const name of logFiles(folder)) {
    for await (const text of linesFromEnd(join(folder, name))) {
      if (words !== '' && !text.toLowerCase().includes(words)) continue;
      const line = parseLine(text);
      if (line === null || !wanted.has(line.level)) continue;
      if (results.length === limit) return { results, more: true };
      results.push(line);
    }
  }
  return { results, more: false };
}

async function* linesFromEnd(path: string): AsyncGenerator<string> {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    // Rotated away since its name was read.
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (!file) return;
  try {
    let rest: Buffer = Buffer.alloc(0);
    for (let end = (await file.stat()).size; end > 0;) {
      const start = Math.max(0, end - chunkBytes);
      const chunk = Buffer.alloc(end - start);
      await file.read(chunk, 0, chunk.length, start);
      rest = Buffer.concat([chunk, rest]);
      end = start;
      // The first line of what was read may go on before it.
      const from = start === 0 ? 0 : rest.indexOf(newLine) + 1;
      if (from === 0 && start > 0) continue;
      const lines = rest.toString('utf8', from).split('\n');
      rest = rest.subarray(0, from);
      for (const line of lines.toReversed()) if (line !== '') yield line;
    }
  } finally {
    await file.close();
  }
}

/** Null for what is no whole line: a power cut may leave such. */
function parseLine(text: string): LogLine | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null) return null;
  const { time, level, message, request, ...fields } = value as Record<string, unknown>;
  const known = logLevels.find((one) => one === level);
  if (known === undefined || typeof time !== 'string' || typeof message !== 'string') return null;
  return { time, level: known, message, request: typeof request === 'string' ? request : null, fields };
}
