import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { cpus, freemem, release, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import type { Log, LogQuery, Report } from '../../../preload/contract/schema/logs.ts';
import { createZipWriter } from '../../formats/io/zip-writer.ts';
import { forbidden, isAdmin, type Caller } from '../../people/access/access-rules.ts';
import { logFiles, readLog } from './log-lines.ts';

const aboutEntry = 'about.json';

/** The log, and a report of it for somebody who helps. Nothing is sent: the person who saves it hands it on. */
export function createLogService({
  dataDirectory,
  version,
}: {
  readonly dataDirectory: string;
  readonly version: string;
}) {
  const folder = join(dataDirectory, 'logs');
  const requireAdmin = (actor: Caller): void => {
    if (!isAdmin(actor)) throw forbidden();
  };

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
    /** A zip of what `describe` names. */
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
