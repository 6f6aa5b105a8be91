import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { ConflictType, QualityConflict, QualityReport } from '../../../../preload/contract/schema/quality.ts';
import { qualityQueries } from '../../../api/quality-queries.ts';
import { useText } from '../../../i18n/index.ts';
import { formatNumber } from '../../../i18n/language.ts';
import { Button, Dimmed, SmallButton, Title } from '../../../ui/kit.ts';
import { Loaded } from '../../../ui/loaded.tsx';
import classes from './quality.module.css';

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
