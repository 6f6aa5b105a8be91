import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Runs `work` with a temporary folder below `LIMNER_BENCH_DIR` or the system's temporary folder, and removes it
 * afterwards.
 */
export async function withWorkspace<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(process.env['LIMNER_BENCH_DIR'] ?? tmpdir(), 'limner-bench-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
