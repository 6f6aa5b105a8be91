import { applyImportChoices, readImportChoices } from '../../../formats/import-choices/import-choices.ts';
import type { FormatReport } from '../../../formats/kit/report.ts';
import type { TaskData } from '../../../formats/kit/task-data.ts';
import { importerOf, type FormattedFile } from '../../import/run-importer.ts';

export interface DatasetFile extends FormattedFile {
  /** Of the format, and the person's choices for labels and masks. */
  readonly options?: Readonly<Record<string, unknown>> | undefined;
}

/** The tasks that a data set becomes, as its importer sees them with the person's choices: for survey and parsing. */
export function applyDatasetChoices(file: DatasetFile, task_data: TaskData, report: FormatReport) {
  const options = file.options ?? {};
  const choices = {
    ...readImportChoices(options, importerOf(file)),
    subset: undefined,
    frame_matching: 'auto' as const,
  };
  return applyImportChoices(task_data, report, { options, choices });
}
