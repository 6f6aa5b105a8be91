import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder for one bench, on the disk of `LIMNER_BENCH_DIR` or of temporary files; removed at its end. */
export async function withWorkspace<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(process.env['LIMNER_BENCH_DIR'] ?? tmpdir(), 'limner-bench-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
