import type {
  EvaluationCountsAnswer,
  EvaluationFileQuery,
  EvaluationReport,
} from '../../../preload/contract/schema/evaluations.ts';
import { csvRow } from '../../formats/io/csv-rows.ts';
import { reportPage } from './report-page.ts';

export interface ReportFile {
  readonly name: string;
  readonly type: string;
  readonly content: string;
}

/** A report as one file: numbers as data, or a self-contained page. */
export function reportFile(
  format: EvaluationFileQuery['format'],
  report: EvaluationReport,
  counts: EvaluationCountsAnswer,
): ReportFile {
  const stem = report.name.replace(/[^\p{L}\p{N}._-]+/gu, '-').slice(0, 80);
  const name = `${stem === '' ? 'evaluation' : stem}.${format}`;
  if (format === 'html') return { name, type: 'text/html', content: reportPage(report, counts) };
  if (format === 'csv') return { name, type: 'text/csv', content: asCsv(report, counts) };
  const { labels, models, details, ...head } = report;
  const content = {
    ...head,
    iou: counts.iou,
    score: counts.score,
    labels: labels.map(({ name: label, truths }) => ({ name: label, truths })),
    models: models.map((model, place) => ({ ...model, ...details[place], counts: counts.models[place] })),
  };
  return { name, type: 'application/json', content: `${JSON.stringify(content, null, 2)}\n` };
}

/** Spreadsheets interpret these prefixes as formulas. */
const plain = (value: string | number): string | number =>
  typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;

/** One row per model and label, and one for all labels. −1: nothing to measure. */
function asCsv(
  { labels, models, details, truth_count: truths }: EvaluationReport,
  counts: EvaluationCountsAnswer,
): string {
  const keys = [...new Set(details.flatMap((own) => own.labels.flatMap((label) => Object.keys(label))))];
  const head = [
    'model',
    'label',
    'truths',
    ...keys,
    'iou',
    'score',
    'hits',
    'missed',
    'extra',
    'precision',
    'recall',
    'F1',
  ];
  const { iou, score } = counts;
  const rows = models.flatMap(({ name, measures }, place) => {
    const at = counts.models[place];
    const own = details[place];
    if (!at || !own) return [];
    const tail = (one: typeof at.all) => [
      iou,
      score,
      one.hits,
      one.missed,
      one.extra,
      one.precision,
      one.recall,
      one.f1,
    ];
    const ofAll = (key: string) =>
      measures?.[key] ?? (key === 'AR' ? measures?.['AR100'] : measures?.[`m${key}`]) ?? -1;
    return [
      [name, 'all labels', truths, ...keys.map(ofAll), ...tail(at.all)],
      ...labels.map((label, index) => {
        const values = keys.map((key) => own.labels[index]?.[key] ?? -1);
        return [name, label.name, label.truths, ...values, ...tail(at.labels[index] ?? at.all)];
      }),
    ];
  });
  return [head, ...rows].map((row) => csvRow(row.map(plain), '\r\n')).join('');
}
