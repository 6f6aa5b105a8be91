import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { backupSeries, gitCopySeries, gitObjectSeries } from './support/growth/backup-series.ts';
import { printBounds, printGrowth } from './support/growth/growth-table.ts';
import { imageSeries, uploadSeries } from './support/growth/image-series.ts';
import { jobSeries, largeRemovalSeries, removalSeries } from './support/growth/job-series.ts';
import { labelSeries, taskSeries } from './support/growth/list-series.ts';
import { writeReport, type GrowthReport, type GrowthRow, type IdleWaits } from './support/growth/report.ts';
import { analyticsSeries, consensusSeries, nativeSeries, qualitySeries } from './support/growth/review-series.ts';
import type { Series } from './support/growth/series.ts';
import { startServiceUnderTest } from './support/growth/service-under-test.ts';
import { shapeSeries } from './support/growth/shape-series.ts';
import { keyframeSeries, trackJobsSeries, trackSeries } from './support/growth/track-series.ts';
import { deliverySeries } from './support/growth/webhook-series.ts';
import type { BenchOptions } from './support/options.ts';
import { withWorkspace } from './support/workspace.ts';

/** Names for `--part`. */
const allSeries: Readonly<Record<string, Series>> = {
  labels: labelSeries,
  tasks: taskSeries,
  jobs: jobSeries,
  removal: removalSeries,
  'large-removal': largeRemovalSeries,
  uploads: uploadSeries,
  images: imageSeries,
  shapes: shapeSeries,
  keyframes: keyframeSeries,
  tracks: trackSeries,
  'track-jobs': trackJobsSeries,
  backup: backupSeries,
  git: gitObjectSeries,
  'git-copy': gitCopySeries,
  quality: qualitySeries,
  consensus: consensusSeries,
  analytics: analyticsSeries,
  native: nativeSeries,
  deliveries: deliverySeries,
};

const limitMs = { short: 40_000, long: 600_000 };

/**
 * Measures each operation at several sizes: CPU time of the service and its exponent, peak memory, and the latencies of
 * another client beside it. The anchor is the same client beside an idle service. With `--against`, another checkout is
 * measured in turns.
 */
export async function bench({ part, long, against, entry, json, computer, scale }: BenchOptions): Promise<void> {
  const parts = part === null ? Object.keys(allSeries) : part.split(',');
  const unknown = parts.filter((name) => !Object.hasOwn(allSeries, name));
  if (unknown.length > 0)
    throw new Error(`--part: unknown part "${unknown.join('", "')}". Use ${Object.keys(allSeries).join(', ')}.`);
  const versions = [
    ...(against === null ? [] : [{ name: 'before', options: { program: against } }]),
    { name: 'now', options: { entry } },
  ];
  const rows: GrowthRow[] = [];
  const idle: IdleWaits[] = [];
  await withWorkspace(async (folder) => {
    const shared = join(folder, 'shared');
    mkdirSync(shared);
    for (const name of parts) {
      const series = allSeries[name]!;
      const all = [...series.short, ...(long ? series.long : [])].map((size) => Math.max(1, Math.round(size * scale)));
      const sizes = [...new Set(all)].toSorted((a, b) => a - b);
      const skipped = new Map(versions.map((version) => [version.name, new Set<string>()]));
      for (const size of sizes) {
        for (const version of versions) {
          const service = await startServiceUnderTest(folder, version.options);
          try {
            idle.push({ version: version.name, ...service.idle });
            const options = { size, shared, isLong: long, limitMs: limitMs[long ? 'long' : 'short'] };
            const found = await series.run(service, { ...options, skipped: skipped.get(version.name)! });
            for (const [operation, figures] of found)
              rows.push({
                part: name,
                series: series.name,
                unit: series.unit,
                operation,
                version: version.name,
                size,
                figures,
              });
          } finally {
            await service.stop();
          }
        }
      }
      printGrowth(rows.filter((row) => row.part === name));
    }
  });
  const report: GrowthReport = { isLong: long, computer, rows, idle };
  printBounds(report);
  if (json !== null) writeReport(json, report);
}
