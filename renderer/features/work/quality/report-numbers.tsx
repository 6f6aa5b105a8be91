import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import {
  conflictTypes,
  type ConflictType,
  type QualityChoices,
  type QualityReport,
  type QualityConflict,
} from '../../../../preload/contract/schema/quality.ts';
import { useText } from '../../../i18n/index.ts';
import { formatNumber } from '../../../i18n/language.ts';
import { Title, Button, Dimmed, SmallButton } from '../../../ui/kit.ts';
import { Measures } from '../../../ui/panel.tsx';
import { NumberCell } from '../../../ui/table.tsx';
import classes from './quality.module.css';
import { qualityQueries } from '../../../api/quality-queries.ts';
import { Loaded } from '../../../ui/loaded.tsx';

const percent = (share: number): string =>
  formatNumber(share, { style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 });

interface ReportNumbersProps {
  readonly report: QualityReport;
  readonly settings: QualityChoices | null | undefined;
  /** Without it, conflicts are only counted. */
  readonly onGo?: (wanted: WantedConflicts) => void;
}

export function ReportNumbers({ report: { summary }, settings, onGo }: ReportNumbersProps) {
  const t = useText();
  const scored = summary.requirements.items.filter(({ score }) => score !== null);
  return (
    <Measures least={104} className={classes.numbers}>
      {scored.length > 0 && (
        <div>
          <dt>{t('quality.requirementsMet')}</dt>
          <dd>
            {t('quality.framesOf', {
              count: formatNumber(scored.filter(({ score, threshold }) => (score ?? 0) >= threshold).length),
              all: formatNumber(scored.length),
            })}
          </dd>
        </div>
      )}
      {(['accuracy', 'precision', 'recall'] as const).map((name) => (
        <div key={name}>
          <dt>{t(`quality.${name}`)}</dt>
          <dd>{percent(summary[name])}</dd>
          {settings?.target_metric === name && (
            <dd
              className={classes.target}
              data-reached={summary[name] >= settings.target_metric_threshold || undefined}
            >
              {`${t('quality.target', { share: percent(settings.target_metric_threshold) })}: ${t(
                summary[name] >= settings.target_metric_threshold ? 'quality.reached' : 'quality.notReached',
              )}`}
            </dd>
          )}
        </div>
      ))}
      {(
        [
          ['conflicts', summary.conflict_count, {}],
          ['errors', summary.error_count, { severity: 'error' }],
          ['warnings', summary.warning_count, { severity: 'warning' }],
        ] as const
      ).map(([name, count, which]) => (
        <div key={name}>
          <dt>{t(`quality.${name}`)}</dt>
          <dd>
            {onGo === undefined ? (
              formatNumber(count)
            ) : (
              <button type="button" disabled={count === 0} onClick={() => onGo(which)}>
                {formatNumber(count)}
              </button>
            )}
          </dd>
        </div>
      ))}
      <div>
        <dt>{t('quality.frames')}</dt>
        <dd>
          {t('quality.framesOf', {
            count: formatNumber(summary.validation_frames),
            all: formatNumber(summary.total_frames),
          })}
        </dd>
      </div>
    </Measures>
  );
}

/** Conflicts by kind; without `onGo` they are only counted. */
export function Kinds({
  report,
  onGo,
}: {
  readonly report: QualityReport;
  readonly onGo?: (type: ConflictType) => void;
}) {
  const t = useText();
  const counts = report.summary.conflicts_by_type;
  const most = Math.max(1, ...Object.values(counts));
  const found = conflictTypes.filter((type) => (counts[type] ?? 0) > 0);
  if (found.length === 0) return null;
  return (
    <section>
      <Title order={2}>{t('quality.byKind')}</Title>
      <ul className={classes.kinds}>
        {found.map((type) => (
          <li key={type}>
            <button type="button" disabled={onGo === undefined} onClick={() => onGo?.(type)}>
              <span>{t(`quality.kinds.${type}`)}</span>
              <i>
                <i style={{ width: `${(100 * (counts[type] ?? 0)) / most}%` }} />
              </i>
              <b>{formatNumber(counts[type] ?? 0)}</b>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

const numberNames = ['accuracy', 'precision', 'recall', 'right', 'objects', 'conflicts'] as const;

export function useColumns(first: 'job' | 'task' | 'annotator', more: readonly ('annotator' | 'frames')[]) {
  const t = useText();
  const columns = [first, ...more, ...numberNames].map((name) => t(`quality.${name}`));
  return { columns, numbers: new Set([...numberNames, 'frames' as const].map((name) => t(`quality.${name}`))) };
}

export type Counted = Pick<
  QualityReport['summary'],
  'accuracy' | 'precision' | 'recall' | 'valid_count' | 'ds_count' | 'conflict_count'
>;

export const Numbers = ({ summary, onGo }: { readonly summary: Counted; readonly onGo?: () => void }) => (
  <>
    {(['accuracy', 'precision', 'recall'] as const).map((name) => (
      <NumberCell key={name}>{percent(summary[name])}</NumberCell>
    ))}
    <NumberCell>{formatNumber(summary.valid_count)}</NumberCell>
    <NumberCell>{formatNumber(summary.ds_count)}</NumberCell>
    <NumberCell>
      {onGo === undefined ? (
        formatNumber(summary.conflict_count)
      ) : (
        <button type="button" className={classes.plain} disabled={summary.conflict_count === 0} onClick={onGo}>
          {formatNumber(summary.conflict_count)}
        </button>
      )}
    </NumberCell>
    <td />
  </>
);

export interface WantedConflicts {
  readonly type?: ConflictType;
  readonly severity?: QualityConflict['severity'];
  readonly reports?: readonly number[];
  readonly name?: string;
}

interface ListProps {
  readonly taskId: number;
  readonly report: QualityReport;
  readonly jobs: readonly QualityReport[];
  readonly wanted: WantedConflicts;
  readonly onAll: () => void;
}

const page = 48;

export function ConflictList({ taskId, report, jobs, wanted, onAll }: ListProps) {
  const t = useText();
  const [limit, setLimit] = useState(page);
  const conflicts = useQuery(qualityQueries.conflicts(report.id));
  const jobOf = new Map(jobs.map(({ id, job_id: job }) => [id, job]));
  const what = [
    wanted.type && t(`quality.kinds.${wanted.type}`),
    wanted.severity && t(`quality.${wanted.severity === 'error' ? 'errors' : 'warnings'}`),
    wanted.name,
  ].filter((part) => part !== undefined);
  const isWanted = ({ type, severity, report_id: of }: QualityConflict): boolean =>
    (wanted.type === undefined || wanted.type === type) &&
    (wanted.severity === undefined || wanted.severity === severity) &&
    (wanted.reports === undefined || wanted.reports.includes(of));
  return (
    <section>
      <div className={classes.head}>
        <Title order={2}>
          {what.length === 0 ? t('quality.list') : t('quality.listOf', { what: what.join(', ') })}
        </Title>
        {what.length > 0 && (
          <Button size="compact-xs" variant="subtle" onClick={onAll}>
            {t('quality.showAll')}
          </Button>
        )}
      </div>
      <Loaded query={conflicts}>
        {({ results }) => {
          const shown = results.filter(isWanted);
          return (
            <>
              {shown.length === 0 && <Dimmed>{t('quality.none')}</Dimmed>}
              <ul className={classes.conflicts}>
                {shown.slice(0, limit).map(({ id, frame, type, severity, report_id: of }) => {
                  const job = jobOf.get(of) ?? 0;
                  return (
                    <li key={id}>
                      <Link
                        to="/tasks/$taskId/jobs/$jobId"
                        params={{ taskId: String(taskId), jobId: String(job) }}
                        search={{ frame, mode: 'review' }}
                      >
                        <i data-severity={severity} title={t(`quality.severity.${severity}`)} aria-hidden>
                          {severity === 'error' ? '!' : '~'}
                        </i>
                        <span>{t(`quality.kinds.${type}`)}</span>
                        <small>
                          {t('quality.frame', { frame })} · {t('quality.jobOf', { id: job })}
                        </small>
                      </Link>
                    </li>
                  );
                })}
              </ul>
              {shown.length > limit && (
                <SmallButton mt={8} onClick={() => setLimit(limit + 4 * page)}>
                  {t('quality.more')} ({formatNumber(shown.length - limit)})
                </SmallButton>
              )}
            </>
          );
        }}
      </Loaded>
    </section>
  );
}
