import { IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState, type CSSProperties } from 'react';
import type { RequirementMatrix as Matrix } from '../../../../preload/contract/schema/quality-requirements.ts';
import type { QualityReport } from '../../../../preload/contract/schema/quality.ts';
import { qualityQueries } from '../../../api/quality-queries.ts';
import { useText } from '../../../i18n/index.ts';
import { formatNumber } from '../../../i18n/language.ts';
import { Button, Dimmed, SegmentedControl } from '../../../ui/kit.ts';
import { Loaded } from '../../../ui/loaded.tsx';
import { scoreText } from './requirement-list.tsx';
import type { RequirementResult } from './requirement-tree.ts';
import { metricText } from './requirement-words.ts';
import classes from './requirements.module.css';

interface MatrixProps {
  readonly name: string;
  readonly isEnabled: boolean;
  readonly report: QualityReport | undefined;
  readonly result: RequirementResult | undefined;
}

/** Confusion matrix of a requirement in a report, with its measures. */
export function RequirementMatrix({ name, isEnabled, report, result }: MatrixProps) {
  const t = useText();
  const [unit, setUnit] = useState<'objects' | 'share'>('objects');
  const isThere = report !== undefined && result !== undefined;
  const isComputed = result !== undefined && result.score !== null;
  return (
    <section className={classes.panel} aria-label={t('requirements.confusionOf', { name })}>
      <header className={classes.head}>
        <h2>{t('requirements.confusionOf', { name })}</h2>
        {isThere && isComputed && (
          <>
            <SegmentedControl
              size="xs"
              aria-label={t('requirements.unit')}
              data={(['objects', 'share'] as const).map((value) => ({
                value,
                label: t(`requirements.units.${value}`),
              }))}
              value={unit}
              onChange={(value) => setUnit(value === 'share' ? 'share' : 'objects')}
            />
            <Button
              component="a"
              size="xs"
              variant="default"
              leftSection={<IconDownload size={14} />}
              href={`/api/quality/reports/${report.id}/confusion/matrix?requirement=${result.requirement_id}&format=csv`}
              download={`quality-report-${report.id}-confusion-${result.requirement_id}.csv`}
            >
              CSV
            </Button>
          </>
        )}
      </header>
      {!isThere && <Dimmed>{t(missing(report, isEnabled))}</Dimmed>}
      {isThere && !isComputed && (
        <Dimmed>{t(`requirements.reasons.${result.calculation.reason ?? 'no_annotations'}`)}</Dimmed>
      )}
      {isThere && isComputed && <Cells report={report} result={result} unit={unit} />}
    </section>
  );
}

function missing(report: QualityReport | undefined, isEnabled: boolean) {
  if (!isEnabled) return 'requirements.offText';
  return report === undefined ? 'requirements.noReport' : 'requirements.notInReport';
}

interface CellsProps {
  readonly report: QualityReport;
  readonly result: RequirementResult;
  readonly unit: 'objects' | 'share';
}

function Cells({ report, result, unit }: CellsProps) {
  const t = useText();
  const matrix = useQuery(qualityQueries.matrix(report.id, result.requirement_id ?? 0));
  return (
    <Loaded query={matrix}>
      {(found) => (
        <>
          <p className={classes.note}>{t('requirements.rowsAreTruth')}</p>
          <Table matrix={found} unit={unit} />
          <Measures matrix={found} result={result} />
        </>
      )}
    </Loaded>
  );
}

/** The service has a row per annotated label and a column per true label. The table shows them the other way round. */
const turned = (rows: Matrix['rows']): number[][] => rows.map((_, truth) => rows.map((row) => row[truth] ?? 0));

/** Labels with objects, and `unmatched`, which is last. */
function usedLabels(rows: Matrix['rows']): number[] {
  const last = rows.length - 1;
  return [...rows.keys()].filter(
    (label) => label === last || rows[label]!.some((count) => count > 0) || rows.some((row) => (row[label] ?? 0) > 0),
  );
}

function Table({ matrix, unit }: { readonly matrix: Matrix; readonly unit: 'objects' | 'share' }) {
  const t = useText();
  const rows = turned(matrix.rows);
  const none = rows.length - 1;
  const used = usedLabels(rows);
  const most = Math.max(1, ...rows.flat());
  const nameOf = (label: number): string => matrix.labels[label] ?? '';
  const isAnnotated = (label: number): boolean => (matrix.rows[label] ?? []).some((count) => count > 0);
  return (
    <div className={classes.scroll} tabIndex={0} role="region" aria-label={t('requirements.confusion')}>
      <table className={classes.matrix}>
        <thead>
          <tr>
            <td />
            {used.map((label) => (
              <th key={label} scope="col" title={label === none ? undefined : nameOf(label)}>
                {label === none ? t('evaluations.missed') : nameOf(label)}
              </th>
            ))}
            <th scope="col" data-measure>
              {t('quality.recall')}
            </th>
          </tr>
        </thead>
        <tbody>
          {used.map((truth) => {
            const row = rows[truth] ?? [];
            const all = row.reduce((sum, count) => sum + count, 0);
            return (
              <tr key={truth}>
                <th scope="row" title={truth === none ? undefined : nameOf(truth)}>
                  {truth === none ? t('evaluations.extra') : nameOf(truth)}
                </th>
                {used.map((found) => {
                  const count = row[found] ?? 0;
                  if (truth === none && found === none) return <td key={found} />;
                  const what = truth === none || found === none ? 'none' : truth === found ? 'same' : 'mixed';
                  return (
                    <td
                      key={found}
                      data-what={count === 0 ? undefined : what}
                      // React's types do not know custom CSS properties.
                      style={{ '--share': `${Math.round(12 + 43 * (count / most))}%` } as CSSProperties}
                    >
                      {count === 0
                        ? '·'
                        : unit === 'objects'
                          ? formatNumber(count)
                          : formatNumber(count / all, { style: 'percent', maximumFractionDigits: 0 })}
                    </td>
                  );
                })}
                <td data-measure>{truth === none ? '' : scoreText(all === 0 ? null : matrix.recall?.[truth])}</td>
              </tr>
            );
          })}
          <tr>
            <th scope="row">{t('quality.precision')}</th>
            {used.map((label) => (
              <td key={label} data-foot>
                {label === none ? '' : scoreText(isAnnotated(label) ? matrix.precision?.[label] : null)}
              </td>
            ))}
            <td />
          </tr>
        </tbody>
      </table>
    </div>
  );
}

const share = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);

/** Measures over all objects. The service gives those of the labels, and only one of these. */
function overall({ rows }: Matrix) {
  const last = rows.length - 1;
  const sum = (isIn: (found: number, truth: number) => boolean): number =>
    rows.reduce(
      (total, row, found) => total + row.reduce((part, count, truth) => part + (isIn(found, truth) ? count : 0), 0),
      0,
    );
  const valid = sum((found, truth) => found === truth && found !== last);
  const annotated = sum((found) => found !== last);
  const truths = sum((_, truth) => truth !== last);
  return {
    accuracy: share(
      valid,
      sum(() => true),
    ),
    precision: share(valid, annotated),
    recall: share(valid, truths),
    jaccard_index: share(valid, annotated + truths - valid),
    dice: share(2 * valid, annotated + truths),
  };
}

function Measures({ matrix, result }: { readonly matrix: Matrix; readonly result: RequirementResult }) {
  const t = useText();
  const { metric, aggregation, values, worst_labels: worst } = matrix.target_metric_summary;
  const isFailed = result.score !== null && result.score < result.threshold;
  return (
    <>
      <dl className={classes.measures}>
        {Object.entries(overall(matrix)).map(([name, value]) => (
          <div key={name}>
            {/* The names are those of metrics. */}
            <dt>{metricText(name as 'dice', t)}</dt>
            <dd data-failed={(aggregation === 'micro' && metric === name && isFailed) || undefined}>
              {scoreText(value)}
            </dd>
          </div>
        ))}
      </dl>
      <p className={classes.note}>
        {t('requirements.byLabel', {
          metric: metricText(metric, t),
          mean: scoreText(values.mean),
          worst: scoreText(values.label),
          labels: worst.slice(0, 3).join(', '),
        })}
      </p>
    </>
  );
}
