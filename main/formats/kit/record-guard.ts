import { RecordError } from './records.ts';
import type { FormatReport } from './report.ts';

/** Runs `use`; what it throws about a record is reported with its place in the file, and the rest goes on. */
export type RecordGuard = (at: string, use: () => void) => void;

export function createRecordGuard(report: FormatReport, file: string): RecordGuard {
  return (at, use) => {
    try {
      use();
    } catch (error) {
      if (!(error instanceof RecordError)) throw error;
      report.bad(file, error.at === '' ? at : `${at}.${error.at}`, error.message);
    }
  };
}
