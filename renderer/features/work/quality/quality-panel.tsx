import { IconTarget } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { QualityReport } from '../../../../preload/contract/schema/quality.ts';
import type { Job, Task, Project } from '../../../../preload/contract/schema/resources.ts';
import { call } from '../../../api/client.ts';
import { qualityQueries } from '../../../api/quality-queries.ts';
import { useText } from '../../../i18n/index.ts';
import { formatNumber } from '../../../i18n/language.ts';
import { FormError } from '../../../ui/form.tsx';
import { Button, Dimmed, Hint, Stack, Title } from '../../../ui/kit.ts';
import { Loaded } from '../../../ui/loaded.tsx';
import { Empty } from '../../../ui/page.tsx';
import { DataTable, NumberCell } from '../../../ui/table.tsx';
import { userName } from '../../../shared/people/people.tsx';
import {
  ConflictList,
  type WantedConflicts,
  type Counted,
  Kinds,
  Numbers,
  ReportNumbers,
  useColumns,
} from './report-numbers.tsx';
import classes from './quality.module.css';
import { ReportBar } from './report-bar.tsx';
import { RequirementsSection } from './requirements-section.tsx';
import { noValidation, numbersOf, truthJobOf, type ValidationChoice, validationProblem } from './validation-choice.ts';
import { ValidationFields } from './validation-fields.tsx';
import { ValidationFrames } from './validation-frames.tsx';
import { queries } from '../../../api/queries.ts';
import { useChange } from '../../../shared/use-change.ts';

interface ViewProps {
  readonly task: Task;
  readonly report: QualityReport | undefined;
}

/** The requirements stay mounted when another report is shown, so that the selected one stays selected. */
function TaskReport({ task: { id: taskId, project_id: projectId }, report }: ViewProps) {
  const [chosen, setChosen] = useState<{ readonly of: number; readonly wanted: WantedConflicts } | null>(null);
  const settings = useQuery(qualityQueries.settings({ kind: 'task', id: taskId })).data;
  const wanted = chosen !== null && chosen.of === report?.id ? chosen.wanted : {};
  const go = (next: WantedConflicts): void => setChosen(report === undefined ? null : { of: report.id, wanted: next });
  return (
    <>
      {report !== undefined && <ReportNumbers report={report} settings={settings} onGo={go} />}
      <RequirementsSection place={{ kind: 'task', id: taskId, projectId }} report={report} />
      {report !== undefined && (
        <ReportDetails key={report.id} taskId={taskId} report={report} wanted={wanted} onGo={go} />
      )}
    </>
  );
}

interface DetailsProps {
  readonly taskId: number;
  readonly report: QualityReport;
  readonly wanted: WantedConflicts;
  readonly onGo: (wanted: WantedConflicts) => void;
}

function ReportDetails({ taskId, report, wanted, onGo }: DetailsProps) {
  const t = useText();
  const jobs = useQuery(qualityQueries.childReports(report.id));
  const nameOf = (job: QualityReport): string => t('quality.jobOf', { id: job.job_id ?? 0 });
  return (
    <>
      <Kinds report={report} onGo={(type) => onGo({ type })} />
      <Loaded query={jobs}>
        {({ results }) => (
          <>
            <JobTable reports={results} onGo={(job) => onGo({ reports: [job.id], name: nameOf(job) })} />
            <AnnotatorTable
              reports={results}
              onGo={(name, reports) => onGo({ reports: reports.map(({ id }) => id), name })}
            />
            <ConflictList taskId={taskId} report={report} jobs={results} wanted={wanted} onAll={() => onGo({})} />
          </>
        )}
      </Loaded>
    </>
  );
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
            <th scope="row" style={{ whiteSpace: 'nowrap' }}>
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

const share = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);

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

interface PanelProps {
  readonly task: Task;
  readonly jobs: readonly Job[];
}

export function QualityPanel({ task, jobs }: PanelProps) {
  const truth = jobs.find(({ type }) => type === 'ground_truth');
  const reports = useQuery({ ...qualityQueries.reports({ kind: 'task', id: task.id }), refetchOnMount: 'always' });
  return (
    <Loaded query={reports}>
      {({ results }) =>
        truth === undefined && results.length === 0 ? (
          <NoTruth task={task} />
        ) : (
          <Stack gap={24}>
            <Reports task={task} truth={truth} reports={results} />
            <ValidationFrames task={task} jobs={jobs} />
          </Stack>
        )
      }
    </Loaded>
  );
}

function NoTruth({ task }: { readonly task: Task }) {
  const t = useText();
  const [choice, setChoice] = useState<ValidationChoice>({ ...noValidation, mode: 'gt' });
  const problem = validationProblem(choice, task.size ?? null);
  const isUnreadable = choice.method === 'manual' && numbersOf(choice) === null;
  const create = useChange(() => call('createJob', { body: truthJobOf(choice, task.id) }), {
    reloads: ['jobs', ['quality', 'validation']],
  });
  return (
    <Empty
      icon={<IconTarget size={28} />}
      title={t('quality.noTruth')}
      text={t('quality.noTruthText')}
      action={
        <form
          className={classes.truth}
          onSubmit={(event) => {
            event.preventDefault();
            create.mutate();
          }}
        >
          <ValidationFields
            choice={choice}
            framesAs="numbers"
            onChange={(change) => setChoice((before) => ({ ...before, ...change }))}
          />
          {isUnreadable && <FormError text={t('validation.unreadable')} />}
          <FormError text={create.error?.message} />
          <Button
            type="submit"
            loading={create.isPending}
            disabled={(task.size ?? 0) === 0 || problem !== null || isUnreadable}
          >
            {t('quality.createTruth')}
          </Button>
          <Hint>{t('validation.poolOnlyNew')}</Hint>
        </form>
      }
    />
  );
}

interface ReportsProps {
  readonly task: Task;
  readonly truth: Job | undefined;
  readonly reports: readonly QualityReport[];
}

function Reports({ task, truth, reports }: ReportsProps) {
  const t = useText();
  return (
    <ReportBar
      place={{ kind: 'task', id: task.id, isInProject: task.project_id !== null }}
      reports={reports}
      isReady={truth !== undefined}
      beside={
        truth !== undefined && (
          <Link to="/tasks/$taskId/jobs/$jobId" params={{ taskId: String(task.id), jobId: String(truth.id) }}>
            {t('quality.truthJob', { id: truth.id })}
          </Link>
        )
      }
    >
      {(report) => <TaskReport task={task} report={report} />}
    </ReportBar>
  );
}

export function ProjectQualityPanel({ project }: { readonly project: Project }) {
  const place = { kind: 'project', id: project.id } as const;
  const reports = useQuery({ ...qualityQueries.reports(place), refetchOnMount: 'always' });
  return (
    <Loaded query={reports}>
      {({ results }) => (
        <ReportBar place={place} reports={results} isReady={project.tasks.count > 0}>
          {(report) => <ProjectReport projectId={project.id} report={report} />}
        </ReportBar>
      )}
    </Loaded>
  );
}

interface ProjectReportProps {
  readonly projectId: number;
  readonly report: QualityReport | undefined;
}

function ProjectReport({ projectId, report }: ProjectReportProps) {
  const settings = useQuery(qualityQueries.settings({ kind: 'project', id: projectId })).data;
  return (
    <>
      {report !== undefined && (
        <>
          <ReportNumbers report={report} settings={settings} />
          <ComparedTasks report={report} />
        </>
      )}
      <RequirementsSection place={{ kind: 'project', id: projectId, projectId: null }} report={report} />
      {report !== undefined && <ProjectDetails report={report} />}
    </>
  );
}

function ComparedTasks({ report }: { readonly report: QualityReport }) {
  const t = useText();
  const { tasks } = report.summary;
  if (tasks === undefined) return null;
  const parts = [
    t('quality.tasksIncluded', { count: tasks.included, all: formatNumber(tasks.total) }),
    ...(tasks.not_configured > 0 ? [t('quality.tasksWithoutTruth', { count: tasks.not_configured })] : []),
    ...(tasks.custom > 0 ? [t('quality.tasksOfTheirOwn', { count: tasks.custom })] : []),
  ];
  return <Dimmed>{parts.join(' ')}</Dimmed>;
}

function ProjectDetails({ report }: { readonly report: QualityReport }) {
  const children = useQuery(qualityQueries.childReports(report.id));
  return (
    <>
      <Kinds report={report} />
      <Loaded query={children}>{({ results }) => <TaskTable reports={results} />}</Loaded>
    </>
  );
}

function TaskTable({ reports }: { readonly reports: readonly QualityReport[] }) {
  const t = useText();
  const { columns, numbers } = useColumns('task', ['frames']);
  return (
    <section>
      <Title order={2} mb={8}>
        {t('quality.byTask')}
      </Title>
      <DataTable label={t('quality.byTask')} columns={columns} numbers={numbers}>
        {reports.map((report) => (
          <tr key={report.id}>
            <th scope="row">{report.task_id !== null && <TaskLink taskId={report.task_id} />}</th>
            <NumberCell>{formatNumber(report.summary.validation_frames)}</NumberCell>
            <Numbers summary={report.summary} />
          </tr>
        ))}
      </DataTable>
    </section>
  );
}

function TaskLink({ taskId }: { readonly taskId: number }) {
  const task = useQuery(queries.task(taskId));
  return (
    <Link to="/tasks/$taskId" params={{ taskId: String(taskId) }} search={{ tab: 'quality' }}>
      {task.data?.name ?? taskId}
    </Link>
  );
}
