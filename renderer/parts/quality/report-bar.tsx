import { IconSettings, IconTarget } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { QualityReport } from '../../../preload/contract/schema/quality.ts';
import { call } from '../../api/client.ts';
import type { QualityPlace } from '../../api/quality-queries.ts';
import { cancelRequest, waitForRequest } from '../../api/requests.ts';
import { useText } from '../../i18n/index.ts';
import { FormError } from '../../ui/form.tsx';
import { Button, Group, Progress, QuietButton, Select, SmallButton, Stack } from '../../ui/kit.ts';
import { Empty } from '../../ui/page.tsx';
import { useRun } from '../dataset/run-state.ts';
import { formatMoment } from '../format-text.ts';
import { QualitySettings } from './quality-settings.tsx';

interface ReportBarProps {
  readonly place: QualityPlace & { readonly isInProject?: boolean };
  /** The newest first. */
  readonly reports: readonly QualityReport[];
  /** There is something to compare with. */
  readonly isReady: boolean;
  readonly beside?: ReactNode;
  readonly children: (report: QualityReport) => ReactNode;
}

/** Which report is looked at; another one is made here. */
export function ReportBar({ place, reports, isReady, beside, children }: ReportBarProps) {
  const t = useText();
  const client = useQueryClient();
  const [chosen, setChosen] = useState<number | null>(null);
  const [isSetting, setSetting] = useState(false);
  const report = reports.find(({ id }) => id === chosen) ?? reports[0];
  const run = useRun<void>(async ({ signal, step }) => {
    const body = place.kind === 'task' ? { task_id: place.id } : { project_id: place.id };
    const { rq_id: id } = await call('createQualityReport', { body, signal });
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
          disabled={!isReady || isRunning}
          loading={isRunning}
          onClick={() => void run.start(t('quality.comparing'))}
        >
          {t('quality.compare')}
        </Button>
        <QuietButton leftSection={<IconSettings size={16} />} onClick={() => setSetting(true)}>
          {t('quality.settings')}
        </QuietButton>
        {beside}
      </Group>
      {isRunning && (
        <Group gap="sm" role="status">
          <Progress w={280} value={(state.progress ?? 0) * 100} aria-label={t('quality.comparing')} />
          <SmallButton onClick={run.cancel}>{t('common.cancel')}</SmallButton>
        </Group>
      )}
      {state.phase === 'failed' && <FormError text={state.message} />}
      {report === undefined ? (
        <Empty
          icon={<IconTarget size={28} />}
          title={t('quality.noReport')}
          text={t(place.kind === 'task' ? 'quality.noReportText' : 'quality.noProjectReport')}
        />
      ) : (
        children(report)
      )}
      {isSetting && <QualitySettings place={place} onClose={() => setSetting(false)} />}
    </Stack>
  );
}
