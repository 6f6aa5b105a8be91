import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { QualityReport } from '../../../../preload/contract/schema/quality.ts';
import type { Project } from '../../../../preload/contract/schema/resources.ts';
import { qualityQueries } from '../../../api/quality-queries.ts';
import { queries } from '../../../api/queries.ts';
import { useText } from '../../../i18n/index.ts';
import { formatNumber } from '../../../i18n/language.ts';
import { Dimmed, Title } from '../../../ui/kit.ts';
import { Loaded } from '../../../ui/loaded.tsx';
import { DataTable, NumberCell } from '../../../ui/table.tsx';
import { ReportBar } from './report-bar.tsx';
import { Kinds, Numbers, ReportNumbers, useColumns } from './report-numbers.tsx';

export function ProjectQualityPanel({ project }: { readonly project: Project }) {
  const place = { kind: 'project', id: project.id } as const;
  const reports = useQuery({ ...qualityQueries.reports(place), refetchOnMount: 'always' });
  return (
    <Loaded query={reports}>
      {({ results }) => (
        <ReportBar place={place} reports={results} isReady={project.tasks.count > 0}>
          {(report) => <ProjectReport key={report.id} projectId={project.id} report={report} />}
        </ReportBar>
      )}
    </Loaded>
  );
}

function ProjectReport({ projectId, report }: { readonly projectId: number; readonly report: QualityReport }) {
  const t = useText();
  const settings = useQuery(qualityQueries.settings({ kind: 'project', id: projectId })).data;
  const children = useQuery(qualityQueries.childReports(report.id));
  const { tasks } = report.summary;
  return (
    <>
      <ReportNumbers report={report} settings={settings} />
      {tasks && (
        <Dimmed>
          {[
            t('quality.tasksIncluded', { count: tasks.included, all: formatNumber(tasks.total) }),
            ...(tasks.not_configured > 0 ? [t('quality.tasksWithoutTruth', { count: tasks.not_configured })] : []),
            ...(tasks.custom > 0 ? [t('quality.tasksOfTheirOwn', { count: tasks.custom })] : []),
          ].join(' ')}
        </Dimmed>
      )}
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
