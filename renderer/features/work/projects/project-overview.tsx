import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { z } from 'zod';
import type { Project, projectPatchSchema } from '../../../../preload/contract/schema/resources.ts';
import type { ProjectProgress, Statistics } from '../../../../preload/contract/schema/statistics.ts';
import { analyticsQueries } from '../../../api/analytics-queries.ts';
import { call } from '../../../api/client.ts';
import { queries } from '../../../api/queries.ts';
import { reviewQueries } from '../../../api/review-queries.ts';
import { useChange } from '../../../shared/use-change.ts';
import { useText } from '../../../i18n/index.ts';
import { formatNumber, locale } from '../../../i18n/language.ts';
import { formatDate } from '../../../shared/format-text.ts';
import { AssigneeFact, TrackerFact } from '../pages/fact-fields.tsx';
import { userName } from '../../../shared/people/people.tsx';
import { BarChart } from '../../../ui/chart.tsx';
import { Dimmed, Text } from '../../../ui/kit.ts';
import { Loaded } from '../../../ui/loaded.tsx';
import { Facts, Panel } from '../../../ui/panel.tsx';
import classes from './project-overview.module.css';

function ProjectDetails({ project }: { readonly project: Project }) {
  const t = useText();
  const change = useChange(
    (body: z.input<typeof projectPatchSchema>) => call('updateProject', { params: { id: project.id }, body }),
    { reloads: ['projects'], failed: project.name },
  );
  return (
    <Facts
      width={104}
      facts={[
        [
          t('jobs.assignee'),
          <AssigneeFact
            key="assignee"
            label={t('jobs.assignee')}
            assignee={project.assignee}
            onChange={(assignee_id) => change.mutate({ assignee_id })}
          />,
        ],
        [t('pages.owner'), project.owner && userName(project.owner)],
        [t('pages.subsets'), project.task_subsets.join(', ')],
        [
          t('pages.tracker'),
          <TrackerFact
            key="tracker"
            value={project.bug_tracker}
            onChange={(bug_tracker) => change.mutate({ bug_tracker })}
          />,
        ],
        [t('tasks.created'), formatDate(project.created_date)],
      ]}
    />
  );
}

const objectsByLabel = ({ labels }: Statistics) =>
  labels
    .map(({ id, name, color, kinds }) => ({
      key: id,
      name,
      color,
      count: kinds.reduce((sum, { objects, tracks }) => sum + objects + tracks, 0),
    }))
    .toSorted((a, b) => b.count - a.count);

/** Period of the service for the pace, independent of the chosen period. */
const paceDays = 28;
const dayText = (day: Date): string => day.toISOString().slice(0, 10);
const longDay = (day: string): string =>
  new Intl.DateTimeFormat(locale(), { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(day));

/** Estimated completion at the recent pace; empty if unknown. */
function Forecast({ projectId }: { readonly projectId: number }) {
  const t = useText();
  const [today] = useState(() => dayText(new Date()));
  const wish = { from: today, to: today, project: projectId };
  const forecast = useQuery(analyticsQueries.report(wish)).data?.progress?.forecast ?? null;
  if (forecast === null) return null;
  return (
    <Text fz="sm" mt={12}>
      {t(forecast.earliest === forecast.latest ? 'pages.forecast' : 'pages.forecastBetween', {
        days: paceDays,
        pace: formatNumber(forecast.jobs_per_day, { maximumFractionDigits: 1 }),
        end: longDay(forecast.end),
        earliest: longDay(forecast.earliest),
        latest: longDay(forecast.latest),
      })}
    </Text>
  );
}

interface CellProps {
  readonly name: string;
  readonly value: string;
  readonly note?: string | undefined;
  readonly children?: ReactNode;
}

const NumberCell = ({ name, value, note, children }: CellProps) => (
  <div className={classes.cell}>
    <dt className={classes.cellName}>{name}</dt>
    <dd className={classes.cellValue}>
      <span className={classes.number}>{value}</span>
      {note !== undefined && <span className={classes.note}>{note}</span>}
      {children}
    </dd>
  </div>
);

const stateColors = {
  done: 'var(--limner-success)',
  validation: 'var(--limner-warning)',
  progress: 'var(--mantine-primary-color-filled)',
  rejected: 'var(--limner-failure)',
  rest: 'var(--limner-line-strong)',
} as const;

export function ProjectOverview({ project }: { readonly project: Project }) {
  const progress = useQuery(queries.projectProgress(project.id));
  return <Loaded query={progress}>{(loaded) => <Numbers project={project} progress={loaded} />}</Loaded>;
}

function Numbers({ project, progress }: { readonly project: Project; readonly progress: ProjectProgress }) {
  const t = useText();
  const { id } = project;
  const issues = useQuery(reviewQueries.openOfProject(id)).data;
  const statistics = useQuery({ ...queries.statistics('project', id), refetchOnMount: 'always' });
  const hasAnalytics = useQuery(analyticsQueries.plugins()).data?.ANALYTICS === true;
  const { count: jobs, completed: done, validation: inValidation, in_progress: inProgress, rejected } = progress.jobs;
  const states = [
    { key: 'done', name: t('pages.states.done'), count: done },
    { key: 'validation', name: t('pages.states.validation'), count: inValidation },
    { key: 'progress', name: t('pages.states.progress'), count: inProgress },
    { key: 'rejected', name: t('pages.states.rejected'), count: rejected },
    {
      key: 'rest',
      name: t('pages.states.rest'),
      count: Math.max(0, jobs - done - inValidation - inProgress - rejected),
    },
  ] as const;
  const labels = statistics.data === undefined ? undefined : objectsByLabel(statistics.data);
  const objects = labels?.reduce((sum, { count }) => sum + count, 0);
  const share = jobs === 0 ? '–' : formatNumber(done / jobs, { style: 'percent' });
  return (
    <div className={classes.overview}>
      <dl className={classes.numbers}>
        <NumberCell name={t('pages.tasks')} value={formatNumber(project.tasks.count)} />
        <NumberCell name={t('pages.jobsDone')} value={share} note={t('pages.ofJobs', { count: jobs })}>
          <div className={classes.bar} aria-hidden>
            {states.map(({ key, count }) => (
              <span key={key} style={{ flexGrow: count, background: stateColors[key] }} />
            ))}
          </div>
        </NumberCell>
        <NumberCell name={t('statistics.framesTitle')} value={formatNumber(progress.frames)} />
        <NumberCell name={t('pages.objects')} value={objects === undefined ? '–' : formatNumber(objects)} />
        <NumberCell name={t('pages.openIssues')} value={issues === undefined ? '–' : formatNumber(issues)} />
      </dl>
      <div className={classes.plots}>
        <Panel>
          <BarChart
            title={t('pages.jobsByState')}
            bars={states.map((state) => ({ ...state, color: stateColors[state.key] }))}
          />
        </Panel>
        <Panel>
          {labels === undefined ? (
            <Dimmed role="status">
              {statistics.error === null ? t('statistics.counting') : statistics.error.message}
            </Dimmed>
          ) : (
            <BarChart title={t('pages.objectsByLabel')} bars={labels} />
          )}
        </Panel>
        <Panel>
          <BarChart
            title={t('pages.framesBySubset')}
            bars={progress.subsets.map(({ name, frames }) => ({
              key: name,
              name: name === '' ? t('pages.noSubset') : name,
              count: frames,
            }))}
          />
        </Panel>
        <Panel title={t('pages.details')}>
          <ProjectDetails project={project} />
          {hasAnalytics && <Forecast projectId={id} />}
          {hasAnalytics && (
            <Text fz="sm" mt={12}>
              <Link to="/analytics" search={{ project: id }}>
                {t('pages.toAnalytics')}
              </Link>
            </Text>
          )}
        </Panel>
      </div>
    </div>
  );
}
