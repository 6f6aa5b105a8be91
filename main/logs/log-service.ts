import { mkdtemp, readFile, rm, stat, open } from 'node:fs/promises';
import { cpus, freemem, release, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { logLevels, type Log, type LogQuery, type Report, type LogLine } from '../../preload/contract/schema/logs.ts';
import { createZipWriter } from '../formats/io/zip-writer.ts';
import { requireAdmin, type Caller } from '../users/access/access-rules.ts';
import { listFolder } from '../platform/list-folder.ts';

const aboutEntry = 'about.json';

/** The log and a diagnostic report. Nothing is sent; the user saves the report and passes it on. */
export function createLogService({
  dataDirectory,
  version,
}: {
  readonly dataDirectory: string;
  readonly version: string;
}) {
  const folder = join(dataDirectory, 'logs');
  const about = (): string =>
    `${JSON.stringify(
      {
        limner: version,
        node: process.versions.node,
        electron: process.versions['electron'] ?? null,
        chrome: process.versions['chrome'] ?? null,
        system: `${process.platform} ${release()} ${process.arch}`,
        processors: cpus().length,
        memory_bytes: totalmem(),
        free_memory_bytes: freemem(),
        running_seconds: Math.round(process.uptime()),
      },
      null,
      2,
    )}\n`;

  return {
    async list(actor: Caller, query: LogQuery): Promise<Log> {
      requireAdmin(actor);
      return readLog(folder, query);
    },
    async describe(actor: Caller): Promise<Report> {
      requireAdmin(actor);
      const text = about();
      const files = logFiles(folder).map(async (name) => {
        const { size: bytes } = await stat(join(folder, name));
        return { name: `logs/${name}`, bytes, text: null };
      });
      return { entries: [{ name: aboutEntry, bytes: Buffer.byteLength(text), text }, ...(await Promise.all(files))] };
    },
    async pack(actor: Caller): Promise<Buffer> {
      requireAdmin(actor);
      const temporary = await mkdtemp(join(tmpdir(), 'limner-report-'));
      try {
        const path = join(temporary, 'report.zip');
        const zip = await createZipWriter(path);
        await zip.add(aboutEntry, about());
        for (const name of logFiles(folder)) await zip.add(`logs/${name}`, await readFile(join(folder, name)));
        await zip.finish();
        return await readFile(path);
      } finally {
        await rm(temporary, { recursive: true, force: true });
      }
    },
  };
}

const chunkBytes = 256 * 1024;
const newLine = 0x0a;

/** Log files, newest first: `limner.log`, then the rotated ones. */
const logFiles = (folder: string): string[] =>
  listFolder(folder)
    .flatMap((name) => {
      const match = /^limner(?:\.(\d+))?\.log$/.exec(name);
      return match === null ? [] : [{ name, age: Number(match[1] ?? 0) }];
    })
    .toSorted((a, b) => a.age - b.age)
    .map(({ name }) => name);

/** The newest matching lines. Files are read from their end in pieces. */
async function readLog(folder: string, { level, search, limit }: LogQuery): Promise<Log> {
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
    // Rotated since the listing.
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
      // The first line of a piece may be incomplete.
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

/** Null for an incomplete line, for example after a power cut. */
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
