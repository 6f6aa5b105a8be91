import { withSource } from '../io/open-source.ts';
import type { Source } from '../io/source.ts';
import {
  type Detector,
  type Exporter,
  exporter,
  type FormatOption,
  type FormatParameters,
  importer,
  type ImportOptions,
  type RegisteredExporter,
  type RegisteredImporter,
  type SupportTable,
} from './plugin.ts';
import type { TaskData } from './task-data.ts';

/** Reads a data set that is open; what its files themselves give to say is in the report. */
export type DatasetReader = (source: Source, task_data: TaskData, options: ImportOptions) => Promise<void>;

/** Registers an importer of Limner's own. */
export const datasetImporter =
  (parameters: FormatParameters) =>
  (read: DatasetReader): RegisteredImporter =>
    importer(parameters)((file_object, task_data, options) =>
      withSource(file_object, async (source) => {
        source.warnings.forEach((warning) => options.report.warn(warning));
        await read(source, task_data, options);
        options.progress(1);
      }),
    );

/** Registers an exporter of Limner's own. */
export const datasetExporter =
  (parameters: FormatParameters) =>
  (write: Exporter): RegisteredExporter =>
    exporter(parameters)(async (file_object, task_data, options) => {
      await write(file_object, task_data, options);
      options.progress(1);
    });

/** A format of Limner's own that is read and written under one name: `name version`. */
export function defineFormat({
  importExt = 'ZIP',
  detect,
  importOptions,
  exportOptions,
  isSequence,
  lacksSubsets,
  numbersClasses,
  read,
  write,
  ...own
}: Pick<FormatParameters, 'name' | 'version' | 'isSequence' | 'lacksSubsets' | 'numbersClasses'> & {
  readonly support: SupportTable;
  readonly detect: Detector;
  /** What is read beside the archives that are written. */
  readonly importExt?: string;
  readonly importOptions?: readonly FormatOption[];
  readonly exportOptions?: readonly FormatOption[];
  readonly read: DatasetReader;
  readonly write: Exporter;
}) {
  const display_name = `${own.name} ${own.version}`;
  return {
    importer: datasetImporter({ ...own, display_name, ext: importExt, detect, options: importOptions })(read),
    exporter: datasetExporter({
      ...own,
      display_name,
      ext: 'ZIP',
      options: exportOptions,
      isSequence,
      lacksSubsets,
      numbersClasses,
    })(write),
  };
}
