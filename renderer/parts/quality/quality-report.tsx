import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { conflictTypes, type ConflictType, type QualityReport } from '../../../preload/contract/schema/quality.ts';
import { qualityQueries } from '../../api/quality-queries.ts';
import { useText } from '../../i18n/index.ts';
import { formatNumber } from '../../i18n/language.ts';
import { Title } from '../../ui/kit.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { DataTable, NumberCell } from '../../ui/table.tsx';
import { userName } from '../people/user-name.ts';
import { ConflictList, type WantedConflicts } from './conflict-list.tsx';
import classes from './quality.module.css';

const percent = (share: number): string =>
  formatNumber(share, { style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 });

interface ViewProps {
  readonly taskId: number;
  readonly report: QualityReport;
}

/** The numbers of a report. Each of them opens what is behind it: a list of conflicts, which lead to their frames. */
export function QualityReportView({ taskId, report }: ViewProps) {
  const t = useText();
  const [wanted, setWanted] = useState<WantedConflicts>({});
  const jobs = useQuery(qualityQueries.jobReports(report.id));
  const settings = useQuery(qualityQueries.settings(taskId)).data;
  const { summary } = report;
  const shares = ['accuracy', 'precision', 'recall'] as const;
  return (
    <>
      <dl className={classes.numbers}>
        {shares.map((name) => (
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
              <button type="button" disabled={count === 0} onClick={() => setWanted(which)}>
                {formatNumber(count)}
              </button>
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
      </dl>
      <Kinds report={report} onGo={(type) => setWanted({ type })} />
      <Loaded query={jobs}>
        {({ results }) => (
          <>
            <JobTable reports={results} onGo={(job) => setWanted({ reports: [job.id], name: nameOf(job) })} />
            <AnnotatorTable
              reports={results}
              onGo={(name, reports) => setWanted({ reports: reports.map(({ id }) => id), name })}
            />
            <ConflictList taskId={taskId} report={report} jobs={results} wanted={wanted} onAll={() => setWanted({})} />
          </>
        )}
      </Loaded>
    </>
  );

  function nameOf(job: QualityReport): string {
    return t('quality.jobOf', { id: job.job_id ?? 0 });
  }
}

function Kinds({ report, onGo }: { readonly report: QualityReport; readonly onGo: (type: ConflictType) => void }) {
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
            <button type="button" onClick={() => onGo(type)}>
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

function useColumns(first: 'job' | 'annotator', more: readonly ('annotator' | 'frames')[]) {
  const t = useText();
  const columns = [first, ...more, ...numberNames].map((name) => t(`quality.${name}`));
  return { columns, numbers: new Set([...numberNames, 'frames' as const].map((name) => t(`quality.${name}`))) };
}

function JobTable({
  reports,
  onGo,
}: {
  readonly reports: readonly QualityReport[];
  readonly onGo: (report: QualityReport) => void;
}) {
  const t = useText();
  const { columns, numbers } = useColumns('job', ['annotator', 'frames']);
  return (
    <section>
      <Title order={2} mb={8}>
        {t('quality.byJob')}
      </Title>
      <DataTable label={t('quality.byJob')} columns={columns} numbers={numbers}>
        {reports.map((report) => (
          <tr key={report.id}>
            <th scope="row">
              {report.task_id === null ? null : (
                <Link
                  to="/tasks/$taskId/jobs/$jobId"
                  params={{ taskId: String(report.task_id), jobId: String(report.job_id) }}
                  search={{ mode: 'review' }}
                >
                  {t('quality.jobOf', { id: report.job_id ?? 0 })}
                </Link>
              )}
            </th>
            <td>{report.assignee === null ? t('quality.nobody') : userName(report.assignee)}</td>
            <NumberCell>{formatNumber(report.summary.validation_frames)}</NumberCell>
            <Numbers summary={report.summary} onGo={() => onGo(report)} />
          </tr>
        ))}
      </DataTable>
    </section>
  );
}

type Counted = Pick<
  QualityReport['summary'],
  'accuracy' | 'precision' | 'recall' | 'valid_count' | 'ds_count' | 'conflict_count'
>;

const Numbers = ({ summary, onGo }: { readonly summary: Counted; readonly onGo: () => void }) => (
  <>
    {(['accuracy', 'precision', 'recall'] as const).map((name) => (
      <NumberCell key={name}>{percent(summary[name])}</NumberCell>
    ))}
    <NumberCell>{formatNumber(summary.valid_count)}</NumberCell>
    <NumberCell>{formatNumber(summary.ds_count)}</NumberCell>
    <NumberCell>
      <button type="button" className={classes.plain} disabled={summary.conflict_count === 0} onClick={onGo}>
        {formatNumber(summary.conflict_count)}
      </button>
    </NumberCell>
    <td />
  </>
);

const share = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);

/** The jobs of one person as one. */
function sumOf(reports: readonly QualityReport[]): Counted {
  const sum = (of: 'valid_count' | 'ds_count' | 'gt_count' | 'total_count' | 'conflict_count'): number =>
    reports.reduce((total, { summary }) => total + summary[of], 0);
  const valid = sum('valid_count');
  return {
    valid_count: valid,
    ds_count: sum('ds_count'),
    conflict_count: sum('conflict_count'),
    accuracy: share(valid, sum('total_count')),
    precision: share(valid, sum('ds_count')),
    recall: share(valid, sum('gt_count')),
  };
}

function AnnotatorTable({
  reports,
  onGo,
}: {
  readonly reports: readonly QualityReport[];
  readonly onGo: (name: string, reports: readonly QualityReport[]) => void;
}) {
  const t = useText();
  const { columns, numbers } = useColumns('annotator', []);
  const people = [...Map.groupBy(reports, ({ assignee }) => assignee?.id ?? null)];
  if (people.length < 2) return null;
  return (
    <section>
      <Title order={2} mb={8}>
        {t('quality.byAnnotator')}
      </Title>
      <DataTable label={t('quality.byAnnotator')} columns={columns} numbers={numbers}>
        {people.map(([id, own]) => {
          const [{ assignee } = { assignee: null }] = own;
          const name = assignee === null ? t('quality.nobody') : userName(assignee);
          return (
            <tr key={id ?? 'nobody'}>
              <th scope="row">{name}</th>
              <Numbers summary={sumOf(own)} onGo={() => onGo(name, own)} />
            </tr>
          );
        })}
      </DataTable>
    </section>
  );
}
