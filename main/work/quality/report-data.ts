import type { QualityReportData } from '../../../preload/contract/schema/quality.ts';
import { measuresOfClasses, share, tableOf, total, type ClassMeasures } from '../../comparison/confusion.ts';
import { csvRow } from '../../formats/io/csv-rows.ts';
import type { FoundConflict } from './found-conflict.ts';
import type { MatrixCells, QualityCounts } from './quality-counts.ts';
import { countConflicts } from './conflict-counts.ts';
import { ratesOf, summaryOf, type StoredReport } from './quality-rules.ts';
import { noRequirements, requirementsData } from './requirement-results.ts';

/** Above this total of numbers, the matrices of single frames are omitted. */
const mostFrameCells = 1_000_000;

/**
 * Rows are labels of annotations, columns those of the ground truth. The last row and column are for unmatched objects.
 */
function confusionMatrix(labels: readonly string[], cells: MatrixCells) {
  const names = [...labels, 'unmatched'];
  const classes = measuresOfClasses(
    tableOf(
      cells.map(([found, wanted, count]) => [wanted, found, count] as const),
      names.length,
    ),
    true,
  );
  const all = total(classes.map(({ results }) => results));
  const each = (of: (one: ClassMeasures) => number): number[] => classes.map((one) => Math.max(0, of(one)));
  return {
    labels: names,
    rows: tableOf(cells, names.length),
    precision: each(({ precision }) => precision),
    recall: each(({ recall }) => recall),
    // Includes true negatives, as in CVAT. The Jaccard index is the accuracy without them.
    accuracy: each(({ hits, results, truths }) => share(all - (results - hits) - (truths - hits), all)),
    jaccard_index: each(({ iou }) => iou),
    axes: { cols: 'gt', rows: 'ds' },
    classes,
  };
}

function countsData(labels: readonly string[], { annotations, shape, label, cells }: QualityCounts, withMatrix = true) {
  const { classes: _, ...matrix } = confusionMatrix(labels, cells);
  return {
    annotations: {
      ...annotations,
      confusion_matrix: withMatrix ? matrix : null,
      ...ratesOf(annotations),
    },
    annotation_components: {
      shape: { ...shape, accuracy: share(shape.valid_count, shape.total_count) },
      label: { ...label, accuracy: share(label.valid_count, label.total_count) },
    },
  };
}

function idsData<Ids extends object>(ids: Ids | null, counts: object | undefined) {
  if (ids === null || counts === undefined) return null;
  const named = Object.entries(counts).map(([name, count]) => [`${name}_count`, count as number] as const);
  return { ...ids, ...Object.fromEntries(named) };
}

export type ReportHeader = Readonly<Record<string, unknown>>;

/**
 * A full report in CVAT's format.
 * @param urlOf returns the address of an annotation in a conflict
 */
export function reportData(
  header: ReportHeader,
  report: StoredReport,
  urlOf: (id: FoundConflict['annotation_ids'][number], frame: number) => string,
): QualityReportData {
  const {
    parameters,
    labels,
    counts,
    frames,
    frame_results: results,
    jobs,
    tasks,
    requirements = noRequirements,
  } = report;
  const summary = summaryOf(report);
  const withMatrices = (labels.length + 1) ** 2 * (frames?.length ?? 0) <= mostFrameCells;
  const frameData = ([frame, one]: [string, NonNullable<typeof results>[string]]) => {
    const conflicts = one.conflicts.map(({ frame: frame_id, annotation_ids: ids, ...rest }) => ({
      frame_id,
      ...rest,
      annotation_ids: ids.map((id) => ({ ...id, url: urlOf(id, frame_id) })),
    }));
    return [
      frame,
      { ...countsData(labels, one.counts, withMatrices), conflicts, ...countConflicts(one.conflicts) },
    ] as const;
  };
  return {
    ...header,
    parameters,
    comparison_summary: {
      frames: frames ?? undefined,
      total_frames: report.total_frames,
      frame_count: report.frame_count,
      frame_share: summary.frame_share,
      frame_share_percent: (summary.frame_share ?? 0) * 100,
      conflict_count: report.conflict_count,
      warning_count: report.warning_count,
      error_count: report.error_count,
      conflicts_by_type: report.conflicts_by_type,
      mean_conflict_count: share(report.conflict_count, report.frame_count),
      ...countsData(labels, counts),
      tasks: idsData(tasks, summary.tasks),
      jobs: idsData(jobs, summary.jobs),
      requirements: summary.requirements,
    },
    groups: requirementsData(requirements),
    frame_results: results === null ? undefined : Object.fromEntries(Object.entries(results).map(frameData)),
  };
}

/** Formats a ratio like Python, because readers of CVAT's files expect it. */
const shareText = (value: number): string => {
  if (Number.isNaN(value)) return 'nan';
  return Number.isInteger(value) ? `${value}.0` : String(value);
};

/** The confusion matrix as a table, with measures by label in its last column and its last rows. */
export function confusionTable(labels: readonly string[], cells: MatrixCells): string {
  const { classes, ...matrix } = confusionMatrix(labels, cells);
  const { labels: names, rows, precision, recall, jaccard_index: jaccard } = matrix;
  const unmatched = labels.length;
  const dice = classes.map(({ results, f1 }, index) => (index !== unmatched && results > 0 ? f1 : Number.NaN));
  const counted = dice.filter((value) => !Number.isNaN(value));
  const valid = total(classes.map(({ hits }) => hits));
  const lines: (string | number)[][] = [
    ['label', ...names, 'precision'],
    ...rows.map((row, index) => [names[index] ?? '', ...row, shareText(precision[index] ?? 0)]),
    ['recall', ...recall.map(shareText)],
    ['dice coefficient', ...dice.map(shareText)],
    ['jaccard index', ...jaccard.map((value, index) => (index === unmatched ? 'nan' : shareText(value)))],
    [''],
    ['avg. accuracy (micro)', shareText(share(valid, total(rows.map(total))))],
    ['avg. dice coefficient (macro)', shareText(total(counted) / counted.length)],
  ];
  return lines.map((line) => csvRow(line, '\r\n')).join('');
}
