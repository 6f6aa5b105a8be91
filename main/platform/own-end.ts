import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** Written by Limner when it meets an error that it cannot survive. */
const noteFile = (logs: string): string => join(logs, 'ended-by-itself.json');
/** Written by Node.js when it has no more memory, or fails inside. */
const reportName = 'fatal-error.json';

const noteSchema = z.object({ reason: z.string() });
const reportSchema = z.object({ header: z.object({ event: z.string() }) });

/** From now on an end by the program's own fault leaves a note. A kill, a power cut or a shutdown leaves none. */
export function noteOwnEnd(logs: string): () => void {
  const note = (error: unknown): void => {
    try {
      const reason = error instanceof Error ? error.message : String(error);
      writeFileSync(noteFile(logs), JSON.stringify({ reason }), { mode: 0o600 });
    } catch {
      // Then it counts as an end from outside.
    }
  };
  process.on('uncaughtExceptionMonitor', note);
  Object.assign(process.report, {
    reportOnFatalError: true,
    directory: logs,
    filename: reportName,
    compact: true,
    // Secrets may be in the environment.
    excludeEnv: true,
    excludeNetwork: true,
  });
  return () => {
    process.off('uncaughtExceptionMonitor', note);
    process.report.reportOnFatalError = false;
  };
}

/** Why the process before this one ended, where that was by its own fault; else `null`. Answers once. */
export function takeOwnEnd(logs: string): string | null {
  const report = join(logs, reportName);
  const noted = read(noteFile(logs), noteSchema)?.reason;
  const reported = read(report, reportSchema)?.header.event;
  rmSync(noteFile(logs), { force: true });
  try {
    // The report is worth reading, and is not to be taken for one of this process.
    renameSync(report, join(logs, 'fatal-error.last.json'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  return noted ?? reported ?? null;
}

function read<Content>(file: string, schema: z.ZodType<Content>): Content | undefined {
  try {
    return schema.safeParse(JSON.parse(readFileSync(file, 'utf8'))).data;
  } catch {
    return undefined;
  }
}
