import { IconTarget } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { QualityReport } from '../../../preload/contract/schema/quality.ts';
import type { Job, Task } from '../../../preload/contract/schema/resources.ts';
import { messageOf } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import { qualityQueries } from '../../api/quality-queries.ts';
import { useText } from '../../i18n/index.ts';
import { Button, Group, NumberInput } from '../../ui/kit.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { notify } from '../../ui/notify.ts';
import { Empty } from '../../ui/page.tsx';
import { QualityReportView } from './quality-report.tsx';
import { ReportBar } from './report-bar.tsx';

interface PanelProps {
  readonly task: Task;
  readonly jobs: readonly Job[];
}

/** How annotations of a task compare with its ground truth. */
export function QualityPanel({ task, jobs }: PanelProps) {
  const truth = jobs.find(({ type }) => type === 'ground_truth');
  const reports = useQuery({ ...qualityQueries.reports({ kind: 'task', id: task.id }), refetchOnMount: 'always' });
  return (
    <Loaded query={reports}>
      {({ results }) =>
        truth === undefined && results.length === 0 ? (
          <NoTruth task={task} />
        ) : (
          <Reports task={task} truth={truth} reports={results} />
        )
      }
    </Loaded>
  );
}

function NoTruth({ task }: { readonly task: Task }) {
  const t = useText();
  const client = useQueryClient();
  const size = task.size ?? 0;
  const [count, setCount] = useState(Math.max(1, Math.min(size, Math.round(size / 10))));
  const create = useMutation({
    mutationFn: () =>
      call('createJob', {
        body: { type: 'ground_truth', task_id: task.id, frame_selection_method: 'random_uniform', frame_count: count },
      }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['jobs'] }),
    onError: (error) => notify.failure(task.name, messageOf(error)),
  });
  return (
    <Empty
      icon={<IconTarget size={28} />}
      title={t('quality.noTruth')}
      text={t('quality.noTruthText')}
      action={
        <Group align="flex-end" gap="sm">
          <NumberInput
            label={t('quality.frameCount')}
            min={1}
            max={Math.max(1, size)}
            allowDecimal={false}
            value={count}
            onChange={(value) => setCount(Math.max(1, Number(value)))}
          />
          <Button loading={create.isPending} disabled={size === 0} onClick={() => create.mutate()}>
            {t('quality.createTruth')}
          </Button>
        </Group>
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
      {(report) => <QualityReportView key={report.id} taskId={task.id} report={report} />}
    </ReportBar>
  );
}
