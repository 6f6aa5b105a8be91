import type { DatasetExportOptions } from '../../../preload/contract/schema/export-options.ts';
import type { KnownFormat } from '../../formats/format-catalog.ts';
import { invalidField } from '../../platform/errors.ts';

/** @throws AppError 400 for options that the format does not support, whatever the data. */
export function checkExportOptions(exportOptions: DatasetExportOptions, format: KnownFormat): void {
  const { display_name: name, isSequence, numbersClasses } = format;
  const refuse = (reason: string): never => {
    throw invalidField('export_options', reason);
  };
  if (exportOptions.first_class_id !== undefined && !numbersClasses) {
    refuse(`${name} determines the number of its first class. Remove this option.`);
  }
  if (!isSequence) return;
  const { frames = '', split, names = 'kept' } = exportOptions;
  if (frames.trim() !== '')
    refuse(`${name} is a format of sequences: its frames are consecutive, so none can be left out.`);
  if (split && split.keep_together !== 'task')
    refuse(`${name} is a format of sequences: only complete tasks can be split.`);
  if (names !== 'kept') refuse(`${name} is a format of sequences: it names frames itself.`);
}
