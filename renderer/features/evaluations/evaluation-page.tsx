import { IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { isDetectionKind, type EvaluationReport } from '../../../preload/contract/schema/evaluations.ts';
import { ApiError } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import { evaluationQueries } from '../../api/evaluation-queries.ts';
import { cancelRequest, waitForRequest } from '../../api/requests.ts';
import { useChange } from '../../shared/use-change.ts';
import { useText } from '../../i18n/index.ts';
import { formatNumber } from '../../i18n/language.ts';
import { saveFile } from '../../shared/files/save-file.ts';
import {
  Button,
  Group,
  Hint,
  Progress,
  QuietButton,
  SegmentedControl,
  SmallButton,
  Stack,
  Text,
} from '../../ui/kit.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Page, Problem } from '../../ui/page.tsx';
import { EvaluationView } from './evaluation-view.tsx';
import { reportAddress, thresholdOf, type ReportAddress } from './report-card.tsx';
import classes from './evaluations.module.css';

interface EvaluationPageProps {
  readonly evaluationId: number;
  readonly search: ReportAddress;
}

export function EvaluationPage({ evaluationId, search }: EvaluationPageProps) {
  const t = useText();
  const report = useQuery({ ...evaluationQueries.report(evaluationId), refetchOnMount: 'always', retry: false });
  // The service answers with a conflict until the evaluation is finished.
  if (report.error instanceof ApiError && report.error.kind === 'conflict' && report.data === undefined)
    return <Measuring evaluationId={evaluationId} onEnd={() => void report.refetch()} />;
  return (
    <Loaded query={report} page={t('evaluations.tab')}>
      {(measured) => <Report report={measured} search={search} />}
    </Loaded>
  );
}

function Measuring({ evaluationId, onEnd }: { readonly evaluationId: number; readonly onEnd: () => void }) {
  const t = useText();
  const all = useQuery({
    queryKey: ['evaluations', 'all'],
    queryFn: ({ signal }) => call('listEvaluations', { signal }),
    refetchOnMount: 'always',
  });
  const one = all.data?.results.find(({ id }) => id === evaluationId);
  const rqId = one?.rq_id ?? null;
  const wait = useQuery({
    queryKey: ['evaluations', evaluationId, 'request', rqId],
    queryFn: ({ signal }) => call('getRequest', { params: { id: rqId ?? '' }, signal }),
    enabled: rqId !== null,
    refetchInterval: 500,
  });
  useEffect(() => {
    if (rqId === null) return;
    const abort = new AbortController();
    waitForRequest(rqId, { signal: abort.signal }).then(onEnd, () => undefined);
    return () => abort.abort();
    // oxlint-disable-next-line react/exhaustive-deps -- another request begins another wait
  }, [rqId]);
  const failed = wait.data?.status === 'failed' ? wait.data.message : null;
  return (
    <Page title={one?.name ?? t('evaluations.tab')} column>
      {failed !== null ? (
        <Problem title={t('evaluations.tab')} message={t('evaluations.notMeasured', { reason: failed })} />
      ) : (
        <Stack gap="sm" maw={420}>
          <Text fz="sm" role="status">
            {wait.data?.message === undefined || wait.data.message === ''
              ? t('evaluations.measuring')
              : wait.data.message}
          </Text>
          <Progress value={(wait.data?.progress ?? 0) * 100} aria-label={t('evaluations.measuring')} />
          <Group>
            <QuietButton disabled={rqId === null} onClick={() => void cancelRequest(rqId ?? '')}>
              {t('common.cancel')}
            </QuietButton>
          </Group>
        </Stack>
      )}
    </Page>
  );
}

const overlaps = ['0.5', '0.75', '0.9'];

function Report({ report, search }: { readonly report: EvaluationReport; readonly search: ReportAddress }) {
  const t = useText();
  const navigate = useNavigate();
  const {
    id,
    name,
    task_id: taskId,
    project_id: projectId,
    frame_count: frames,
    truth_count: truths,
    details,
  } = report;
  const threshold = thresholdOf(search);
  const counts = useQuery(evaluationQueries.counts(id, threshold));
  const go = (next: ReportAddress): void =>
    void navigate({ to: '.', search: reportAddress({ ...next }), replace: true, resetScroll: false });
  const save = useChange(
    (format: 'csv' | 'json' | 'html') =>
      call('getEvaluationFile', {
        params: { id },
        query: { format, iou: threshold.iou, ...(threshold.score === undefined ? {} : { score: threshold.score }) },
      }),
    { done: ({ name: file, type, content }) => saveFile(file, new Blob([content], { type })), failed: name },
  );
  const results = details.reduce((sum, { result_count: count }) => sum + count, 0);
  return (
    <Page
      title={name}
      crumbs={
        taskId === null ? (
          <Link to="/projects/$projectId" params={{ projectId: String(projectId) }} search={{ tab: 'evaluation' }}>
            {t('evaluations.list')}
          </Link>
        ) : (
          <Link to="/tasks/$taskId" params={{ taskId: String(taskId) }} search={{ tab: 'evaluation' }}>
            {t('evaluations.list')}
          </Link>
        )
      }
      actions={
        <>
          {(['csv', 'json'] as const).map((format) => (
            <QuietButton key={format} leftSection={<IconDownload size={16} />} onClick={() => save.mutate(format)}>
              {t(`evaluations.${format}`)}
            </QuietButton>
          ))}
          <Button onClick={() => save.mutate('html')}>{t('evaluations.html')}</Button>
        </>
      }
      strip={
        <div className={classes.strip}>
          <ul className={classes.models}>
            {report.models.map((model, place) => (
              <li key={place} className={classes.model}>
                <i data-model={place} /> {model.name}
              </li>
            ))}
          </ul>
          <span className={classes.facts}>
            {t('evaluations.facts', {
              frames: formatNumber(frames),
              truths: formatNumber(truths),
              results: formatNumber(results),
            })}
          </span>
          {isDetectionKind(report.kind) && (
            <SegmentedControl
              size="xs"
              aria-label={t('evaluations.overlap')}
              data={overlaps.map((value) => ({ value, label: `IoU ${value}` }))}
              value={String(threshold.iou)}
              onChange={(iou) => go({ ...search, iou: Number(iou) })}
            />
          )}
        </div>
      }
    >
      {report.is_outdated && <Outdated report={report} />}
      <LeftOut report={report} />
      <TasksLeftOut report={report} />
      <Loaded query={counts}>
        {(counted) => <EvaluationView report={report} counts={counted} search={search} onGo={go} />}
      </Loaded>
    </Page>
  );
}

function LeftOut({ report }: { readonly report: EvaluationReport }) {
  const t = useText();
  const count = report.left_out + report.details.reduce((sum, { left_out: own }) => sum + own, 0);
  if (count === 0) return null;
  return <Hint mt={12}>{t('evaluations.leftOut', { count, value: formatNumber(count) })}</Hint>;
}

function TasksLeftOut({ report }: { readonly report: EvaluationReport }) {
  const t = useText();
  return (['no_predictions', 'no_ground_truth'] as const).map((reason) => {
    const names = report.tasks.filter((task) => task.left_out === reason).map((task) => task.name);
    if (names.length === 0) return null;
    const shown = names.slice(0, 10).join(', ') + (names.length > 10 ? ' …' : '');
    return (
      <Hint key={reason} mt={4}>
        {t(`evaluations.${reason}`, { count: names.length, names: shown })}
      </Hint>
    );
  });
}

function Outdated({ report }: { readonly report: EvaluationReport }) {
  const t = useText();
  const navigate = useNavigate();
  const { task_id: taskId, project_id: projectId } = report;
  const sets = report.models.flatMap(({ prediction_set_id: set }) => set ?? []);
  const ofProject = (id: number) =>
    call('createProjectEvaluation', {
      params: { id },
      body: {
        name: report.name,
        predictions: report.models.map((model) => model.name),
        truth: report.truth ?? 'annotations',
        kind: report.kind,
        labels: report.labels.map((label) => label.name),
      },
    });
  const again = useChange(
    () =>
      projectId !== null
        ? ofProject(projectId)
        : call('createEvaluation', {
            body: {
              name: report.name,
              task_id: taskId ?? 0,
              truth_job_id: report.truth_job_id,
              truth_prediction_set_id: report.truth_prediction_set_id,
              kind: report.kind,
              labels: report.labels.map((label) => label.name),
              predictions: sets,
            },
          }),
    {
      reloads: ['evaluations'],
      done: (made) => navigate({ to: '/evaluations/$evaluationId', params: { evaluationId: String(made.id) } }),
      failed: report.name,
    },
  );
  const date = new Date(report.finished_date ?? report.created_date).toLocaleString();
  return (
    <Group gap="sm" mb={12} role="status">
      <Text fz="sm">{t('evaluations.outdated', { date })}</Text>
      <SmallButton
        loading={again.isPending}
        disabled={sets.length === 0 && projectId === null}
        onClick={() => again.mutate()}
      >
        {t('evaluations.again')}
      </SmallButton>
    </Group>
  );
}
