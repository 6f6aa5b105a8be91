import type { Label } from '../../../../preload/contract/schema/labels.ts';
import { openRangeInput } from '../../../formats/io/byte-input.ts';
import { readJsonArrays } from '../../../formats/io/json-array-reader.ts';
import { createFormatReport } from '../../../formats/kit/report.ts';
import type { JobRun } from '../../../platform/worker-job.ts';
import { sendingBatches, type ParseJob, type ParseOutcome } from '../../import/parse-and-write.ts';
import type { JobRange } from './annotation-ranges.ts';
import { createBackupSink } from './backup-sink.ts';
import type { PlacedJob } from './restored-task.ts';

export interface ParseBackupJob {
  readonly path: string;
  readonly ranges: readonly JobRange[];
  /** In the order of the ranges and of the writer's targets. */
  readonly jobs: readonly PlacedJob[];
  readonly labels: readonly Label[];
}

type Kind = 'tags' | 'shapes' | 'tracks';
const isKind = (key: string | undefined): key is Kind => key === 'tags' || key === 'shapes' || key === 'tracks';

/** Parses the annotations of one task and sends them to the writer thread. */
export function parseBackup(job: ParseBackupJob & ParseJob, run: JobRun): Promise<ParseOutcome> {
  return sendingBatches(job, run, async (send) => {
    const report = createFormatReport();
    const sink = createBackupSink(job.labels, report, send);
    const totalBytes = job.ranges.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    let doneBytes = 0;
    for (const [index, range] of job.ranges.entries()) {
      const target = job.jobs[index];
      if (!target) continue;
      const input = await openRangeInput({ path: job.path, ...range });
      try {
        await readJsonArrays(input, {
          array: (key) =>
            isKind(key)
              ? (items, first) => {
                  for (const [offset, item] of items.entries()) {
                    sink.add(key, item, target, index, `[${index}].${key}[${first + offset}]`);
                  }
                }
              : undefined,
          signal: run.signal,
          progress: (bytes) => run.progress((doneBytes + bytes) / Math.max(1, totalBytes)),
        });
      } finally {
        await input.close();
      }
      doneBytes += range.sizeBytes;
    }
    sink.end();
    return { summary: report.summary() };
  });
}
