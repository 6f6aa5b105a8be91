import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const noteFile = (logs: string): string => join(logs, 'ended-by-itself.json');
/** Written by Node.js when it runs out of memory or crashes. */
const reportName = 'fatal-error.json';

const noteSchema = z.object({ reason: z.string() });
const reportSchema = z.object({ header: z.object({ event: z.string() }) });

/** Starts recording crashes of the program itself. A kill, a power failure or a shutdown leaves no record. */
export function writeCrashMarker(logs: string): () => void {
  const note = (error: unknown): void => {
    try {
      const reason = error instanceof Error ? error.message : String(error);
      writeFileSync(noteFile(logs), JSON.stringify({ reason }), { mode: 0o600 });
    } catch {
      // If this fails, the end counts as one from outside.
    }
  };
  process.on('uncaughtExceptionMonitor', note);
  Object.assign(process.report, {
    reportOnFatalError: true,
    directory: logs,
    filename: reportName,
    compact: true,
    // The environment may contain secrets.
    excludeEnv: true,
    excludeNetwork: true,
  });
  return () => {
    process.off('uncaughtExceptionMonitor', note);
    process.report.reportOnFatalError = false;
  };
}

/** Reason of the previous process's own crash, otherwise `null`. Returns it only once. */
export function takeCrashMarker(logs: string): string | null {
  const report = join(logs, reportName);
  const noted = read(noteFile(logs), noteSchema)?.reason;
  const reported = read(report, reportSchema)?.header.event;
  rmSync(noteFile(logs), { force: true });
  try {
    // Keeps the report for the user, under a name that the next start ignores.
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
