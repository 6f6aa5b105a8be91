import { runnableImporter } from '../../formats/runnable-formats.ts';
import type { RegisteredImporter, SourceFile } from '../../formats/kit/plugin.ts';
import type { FormatReport } from '../../formats/kit/report.ts';
import type { TaskData } from '../../formats/kit/task-data.ts';
import type { PluginReference } from '../../formats/user-plugins/plugin-format.ts';
import { AppError } from '../../platform/errors.ts';
import type { JobRun } from '../../platform/worker-job.ts';

export interface FormattedFile {
  readonly format: string;
  /** Set if the format is a user's plug-in. */
  readonly plugin?: PluginReference;
  readonly file: SourceFile;
}

export function importerOf({ format, plugin }: FormattedFile): RegisteredImporter {
  const importer = runnableImporter(format, plugin);
  if (!importer) throw new AppError('invalid', `No importer for "${format}".`);
  return importer;
}

/** Reads a file into a task with the importer of its format. */
export async function runImporter(
  formatted: FormattedFile,
  task: {
    readonly task_data: TaskData;
    readonly report: FormatReport;
    readonly options?: Readonly<Record<string, unknown>>;
  },
  { signal, progress }: Pick<JobRun, 'signal' | 'progress'>,
): Promise<void> {
  await importerOf(formatted).run(formatted.file, task.task_data, {
    conv_mask_to_poly: true,
    ...task.options,
    report: task.report,
    signal,
    progress: (fraction) => progress(fraction),
  });
  for (const note of task.task_data.match_notes?.() ?? []) task.report.warn(note);
}
