import { IconChartBar, IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { AnalyticsReport, AnalyticsState } from '../../../preload/contract/schema/analytics.ts';
import { analyticsQueries } from '../../api/analytics-queries.ts';
import { useText } from '../../i18n/index.ts';
import { csvOf, saveFile } from '../../shared/files/save-file.ts';
import { ResourceSelect } from '../../shared/lists/resource-select.tsx';
import { usePeople } from '../../shared/people/people.tsx';
import { QuietButton, Select, TextInput } from '../../ui/kit.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Empty, Page } from '../../ui/page.tsx';
import { AnalyticsView } from './analytics-view.tsx';
import classes from './analytics.module.css';

const columns = ['section', 'name', 'day', 'value'] as const;

/** One number per row: measure, subject, day. Column names are the same in every language. */
function analyticsCsv(report: AnalyticsReport): string {
  const { totals, working_time: time, objects } = report;
  const nameOf = ({ id, name }: { readonly id: number | null; readonly name: string }) => name || String(id ?? '');
  const row = (section: string, name: string, value: number, day = '') => ({ section, name, day, value });
  return csvOf(columns, [
    ...Object.entries(totals).map(([name, value]) => row('total', name, value)),
    ...time.by_user.map((one) => row('working_ms by person', nameOf(one), one.ms)),
    ...time.by_project.map((one) => row('working_ms by project', nameOf(one), one.ms)),
    ...time.by_day.map(({ day, ms }) => row('working_ms by day', '', ms, day)),
    ...objects.by_day.map(({ day, kind, count }) => row('objects by day and kind', kind, count, day)),
    ...objects.by_hour.map(({ weekday, hour, count }) =>
      row('objects by weekday and hour', `${weekday} ${hour}`, count),
    ),
    ...objects.by_label.map(({ id, name, count }) => row('objects by label', name || String(id), count)),
    ...objects.by_user.map(({ id, name, count }) => row('objects by person', name || String(id), count)),
    ...objects.by_source.map(({ source, count }) => row('objects by source', source, count)),
    ...report.tools.flatMap(({ tool, objects: count, ms }) => [
      row('drawn by tool', tool, count),
      row('drawing_ms by tool', tool, ms),
    ]),
    ...report.speed_by_day.flatMap(({ day, objects: count, ms }) => [
      row('drawn by day', '', count, day),
      row('drawing_ms by day', '', ms, day),
    ]),
    ...(report.progress?.by_day ?? []).map(({ day, completed }) => row('jobs completed', '', completed, day)),
    ...report.requests.flatMap(({ type, finished, failed }) => [
      row('requests finished', type, finished),
      row('requests failed', type, failed),
    ]),
    ...report.calls.flatMap(({ function: name, good, failed, ms }) => [
      row('model calls', name, good),
      row('model calls failed', name, failed),
      row('model call ms', name, ms),
    ]),
    ...report.errors.map(({ source, count }) => row('errors', source, count)),
  ]);
}

export interface AnalyticsAddress {
  readonly from?: string;
  readonly to?: string;
  readonly project?: number;
  readonly person?: number;
}

const usualDays = 30;
const localDay = (ms: number): string => new Intl.DateTimeFormat('sv-SE').format(ms);
const periodOf = ({ from, to }: AnalyticsAddress) => {
  const last = to ?? localDay(Date.now());
  return { from: from ?? localDay(Date.parse(`${last}T12:00`) - (usualDays - 1) * 86_400_000), to: last };
};

const isEmpty = ({ totals, requests, calls, progress }: AnalyticsReport): boolean =>
  Object.values(totals).every((value) => value === 0) &&
  requests.length + calls.length + (progress?.by_day.length ?? 0) === 0;

function Filters({ search, state }: { readonly search: AnalyticsAddress; readonly state: AnalyticsState }) {
  const t = useText();
  const navigate = useNavigate();
  const { people, areSeveral } = usePeople();
  const period = periodOf(search);
  const go = (change: { readonly [Name in keyof AnalyticsAddress]: AnalyticsAddress[Name] | undefined }): void => {
    const next = Object.entries({ ...search, ...change }).filter(([, value]) => value !== undefined && value !== '');
    void navigate({ to: '/analytics', search: Object.fromEntries(next), replace: true });
  };
  return (
    <div className={classes.bar}>
      {(['from', 'to'] as const).map((end) => (
        <TextInput
          key={end}
          type="date"
          w={150}
          aria-label={t(`analytics.${end}`)}
          value={period[end]}
          onChange={(value) => go({ [end]: value })}
        />
      ))}
      <ResourceSelect
        kind="project"
        label={t('analytics.project')}
        placeholder={t('analytics.anyProject')}
        width={200}
        value={search.project ?? null}
        onChange={(project) => go({ project: project ?? undefined })}
      />
      {state.can_see_all && areSeveral && (
        <Select
          aria-label={t('analytics.person')}
          placeholder={t('analytics.anyPerson')}
          w={180}
          clearable
          searchable
          data={people.map(({ id, username }) => ({ value: String(id), label: username }))}
          value={search.person === undefined ? null : String(search.person)}
          onChange={(id) => go({ person: id === null ? undefined : Number(id) })}
        />
      )}
      <span className={classes.local}>{state.can_see_all ? t('analytics.local') : t('analytics.onlyOwn')}</span>
    </div>
  );
}

function Switched({ search, state }: { readonly search: AnalyticsAddress; readonly state: AnalyticsState }) {
  const t = useText();
  const { from, to } = periodOf(search);
  const report = useQuery(analyticsQueries.report({ from, to, project: search.project, person: search.person }));
  const save = (ending: 'csv' | 'json', content: string, type: string): void =>
    saveFile(`limner-analytics-${from}-${to}.${ending}`, new Blob([content], { type }));
  const { data } = report;
  const buttons = data !== undefined && (
    <>
      <QuietButton leftSection={<IconDownload size={16} />} onClick={() => save('csv', analyticsCsv(data), 'text/csv')}>
        {t('analytics.csv')}
      </QuietButton>
      <QuietButton
        leftSection={<IconDownload size={16} />}
        onClick={() => save('json', `${JSON.stringify(data, null, 2)}\n`, 'application/json')}
      >
        {t('analytics.json')}
      </QuietButton>
    </>
  );
  return (
    <Page title={t('analytics.title')} actions={buttons}>
      <Filters search={search} state={state} />
      <Loaded query={report}>
        {(numbers) =>
          isEmpty(numbers) ? (
            <Empty
              icon={<IconChartBar size={40} stroke={1.25} />}
              title={t('analytics.emptyTitle')}
              text={t('analytics.emptyText')}
            />
          ) : (
            <AnalyticsView report={numbers} />
          )
        }
      </Loaded>
    </Page>
  );
}

/** Working time, objects, speed and progress of a period; while disabled, an explanation with a link to the setting. */
export function AnalyticsPage({ search }: { readonly search: AnalyticsAddress }) {
  const t = useText();
  const navigate = useNavigate();
  const state = useQuery(analyticsQueries.state());
  return (
    <Loaded query={state} page={t('analytics.title')}>
      {(now) =>
        now.enabled ? (
          <Switched search={search} state={now} />
        ) : (
          <Page title={t('analytics.title')}>
            <Empty
              icon={<IconChartBar size={40} stroke={1.25} />}
              title={t('analytics.offTitle')}
              text={now.can_change ? t('analytics.offText') : `${t('analytics.offText')} ${t('analytics.offOther')}`}
              action={
                <QuietButton
                  onClick={() => void navigate({ to: '/settings/$section', params: { section: 'analytics' } })}
                >
                  {t('analytics.toSettings')}
                </QuietButton>
              }
            />
          </Page>
        )
      }
    </Loaded>
  );
}
