import { applyImportChoices, readImportChoices } from '../../../formats/import-choices/import-choices.ts';
import type { FormatReport } from '../../../formats/kit/report.ts';
import type { TaskData } from '../../../formats/kit/task-data.ts';
import { importerOf, type FormattedFile } from '../../import/run-importer.ts';

export interface DatasetFile extends FormattedFile {
  /** Options of the format, and the user's choices for labels and masks. */
  readonly options?: Readonly<Record<string, unknown>>;
}

/** Wraps the new tasks of a dataset with the user's choices, for inspection and parsing. */
export function applyDatasetChoices(file: DatasetFile, task_data: TaskData, report: FormatReport) {
  const options = file.options ?? {};
  const choices = {
    ...readImportChoices(options, importerOf(file)),
    subset: undefined,
    frame_matching: 'auto' as const,
  };
  return applyImportChoices(task_data, report, { options, choices });
}
