import type { LabeledData } from '../../../preload/contract/schema/annotations.ts';
import type { Label } from '../../../preload/contract/schema/labels.ts';
import { createFormatReport, type FormatReport, type FormatSummary } from '../../formats/kit/report.ts';

/** Report of an automatic annotation, which survives an interruption. */
export function createRunReport(labels: readonly Label[], earlier: FormatSummary | null) {
  const report = createFormatReport();
  if (earlier) repeat(report, earlier);
  const names = new Map(labels.map(({ id, name }) => [id, name]));
  return {
    ...report,
    take(data: LabeledData): void {
      for (const shape of data.shapes) report.included(shape.type, names.get(shape.label_id) ?? '');
      for (const tag of data.tags) report.included('tag', names.get(tag.label_id) ?? '');
    },
    count: (): number => report.summary().included.reduce((sum, one) => sum + one.count, 0),
  };
}

function repeat(report: FormatReport, { included, invalid, warnings }: FormatSummary): void {
  for (const { type, label, count } of included) report.included(type, label, count);
  for (const { file, at, reason } of invalid) report.invalid(file, at, reason);
  for (const warning of warnings) report.warn(warning);
}
