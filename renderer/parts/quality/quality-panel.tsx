import { IconSettings, IconTarget } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { QualityReport } from '../../../preload/contract/schema/quality.ts';
import type { Job, Task } from '../../../preload/contract/schema/resources.ts';
import { messageOf } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import { qualityQueries } from '../../api/quality-queries.ts';
import { cancelRequest, waitForRequest } from '../../api/requests.ts';
import { useText } from '../../i18n/index.ts';
import { Button, Group, NumberInput, Progress, Select, Stack, Text } from '../../ui/kit.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { notify } from '../../ui/notify.ts';
import { Empty } from '../../ui/page.tsx';
import { useRun } from '../dataset/run-state.ts';
import { formatMoment } from '../format-text.ts';
import { QualityReportView } from './quality-report.tsx';
import { QualitySettings } from './quality-settings.tsx';

interface PanelProps {
  readonly task: Task;
  readonly jobs: readonly Job[];
}

/** How annotations of a task compare with its ground truth. */
export function QualityPanel({ task, jobs }: PanelProps) {
  const truth = jobs.find(({ type }) => type === 'ground_truth');
  const reports = useQuery({ ...qualityQueries.reports(task.id), refetchOnMount: 'always' });
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
  const client = useQueryClient();
  const [chosen, setChosen] = useState<number | null>(null);
  const [isSetting, setSetting] = useState(false);
  const report = reports.find(({ id }) => id === chosen) ?? reports[0];
  const run = useRun<void>(async ({ signal, step }) => {
    const { rq_id: id } = await call('createQualityReport', { body: { task_id: task.id }, signal });
    signal.addEventListener('abort', () => void cancelRequest(id), { once: true });
    await waitForRequest(id, {
      signal,
      onProgress: ({ progress }) => step(t('quality.comparing'), progress),
    });
    setChosen(null);
    await client.invalidateQueries({ queryKey: ['quality'] });
  });
  const { state } = run;
  const isRunning = state.phase === 'running';
  return (
    <Stack gap={12}>
      <Group gap="sm">
        {report !== undefined && (
          <Select
            aria-label={t('quality.report')}
            w={280}
            data={reports.map(({ id, created_date: date }) => ({
              value: String(id),
              label: t('quality.of', { id, date: formatMoment(date) }),
            }))}
            value={String(report.id)}
            allowDeselect={false}
            onChange={(id) => setChosen(Number(id))}
          />
        )}
        <Button
          disabled={truth === undefined || isRunning}
          loading={isRunning}
          onClick={() => void run.start(t('quality.comparing'))}
        >
          {t('quality.compare')}
        </Button>
        <Button variant="default" leftSection={<IconSettings size={16} />} onClick={() => setSetting(true)}>
          {t('quality.settings')}
        </Button>
        {truth !== undefined && (
          <Link to="/tasks/$taskId/jobs/$jobId" params={{ taskId: String(task.id), jobId: String(truth.id) }}>
            {t('quality.truthJob', { id: truth.id })}
          </Link>
        )}
      </Group>
      {isRunning && (
        <Group gap="sm" role="status">
          <Progress w={280} value={(state.progress ?? 0) * 100} aria-label={t('quality.comparing')} />
          <Button size="xs" variant="default" onClick={run.cancel}>
            {t('common.cancel')}
          </Button>
        </Group>
      )}
      {state.phase === 'failed' && (
        <Text fz="sm" c="red" role="alert">
          {state.message}
        </Text>
      )}
      {report === undefined ? (
        <Empty icon={<IconTarget size={28} />} title={t('quality.noReport')} text={t('quality.noReportText')} />
      ) : (
        <QualityReportView key={report.id} taskId={task.id} report={report} />
      )}
      {isSetting && <QualitySettings taskId={task.id} onClose={() => setSetting(false)} />}
    </Stack>
  );
}
