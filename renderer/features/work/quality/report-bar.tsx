import { IconDownload, IconSettings, IconTarget } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { QualityChoices, QualityReport } from '../../../../preload/contract/schema/quality.ts';
import { call } from '../../../api/client.ts';
import { type QualityPlace, qualityQueries } from '../../../api/quality-queries.ts';
import { useChange } from '../../../shared/use-change.ts';
import { useText } from '../../../i18n/index.ts';
import { FormDialog, FormError } from '../../../ui/form.tsx';
import {
  Button,
  Checkbox,
  Dimmed,
  Group,
  Menu,
  Modal,
  NumberInput,
  Progress,
  QuietButton,
  SimpleGrid,
  SmallButton,
  Stack,
  ChoiceField,
} from '../../../ui/kit.ts';
import { Loaded } from '../../../ui/loaded.tsx';
import { MoreMenu } from '../../../ui/more-menu.tsx';
import { notify } from '../../../ui/notify.ts';
import { Empty } from '../../../ui/page.tsx';
import { follow, useRun } from '../../../shared/dataset/run-dialog.tsx';
import { formatMoment } from '../../../shared/format-text.ts';

interface SettingsProps {
  readonly place: QualityPlace & { readonly isInProject?: boolean };
  readonly onClose: () => void;
}

const metrics = ['accuracy', 'precision', 'recall'] as const;
const shares = [
  ['iou_threshold', 'overlap'],
  ['low_overlap_threshold', 'lowOverlap'],
  ['oks_sigma', 'sigma'],
  ['line_thickness', 'lineThickness'],
] as const;
const switches = [
  ['compare_attributes', 'compareAttributes'],
  ['compare_groups', 'compareGroups'],
  ['compare_line_orientation', 'compareDirection'],
  ['check_covered_annotations', 'checkCovered'],
  ['panoptic_comparison', 'panoptic'],
  ['empty_is_annotated', 'emptyCounts'],
] as const;

function QualitySettings({ place, onClose }: SettingsProps) {
  const t = useText();
  const settings = useQuery({ ...qualityQueries.settings(place), refetchOnMount: 'always' });
  const own = settings.data;
  if (own !== undefined)
    return own && <Form id={own.id} stored={own} mayInherit={place.isInProject === true} onClose={onClose} />;
  return (
    <Modal opened title={t('quality.settingsTitle')} onClose={onClose}>
      <Loaded query={settings}>{() => null}</Loaded>
    </Modal>
  );
}

interface FormProps {
  readonly id: number;
  readonly stored: QualityChoices & { readonly inherit: boolean };
  /** The task is in a project, whose settings it can inherit. */
  readonly mayInherit: boolean;
  readonly onClose: () => void;
}

function Form({ id, stored, mayInherit, onClose }: FormProps) {
  const t = useText();
  const [changed, setChanged] = useState<Partial<QualityChoices>>({});
  const [inherits, setInherits] = useState(mayInherit && stored.inherit);
  const now = { ...stored, ...changed };
  const isSwitched = inherits !== stored.inherit;
  const change = (next: Partial<QualityChoices>): void => setChanged((before) => ({ ...before, ...next }));
  const save = useChange(
    () =>
      call('updateQualitySettings', {
        params: { id },
        body: inherits ? { inherit: true } : { ...changed, ...(isSwitched ? { inherit: false } : {}) },
      }),
    {
      reloads: [['quality', 'settings']],
      done: () => {
        notify.success(t('quality.saved'));
        onClose();
      },
    },
  );
  const asShare = (value: number | string): number => Math.min(1, Math.max(0, Number(value)));
  return (
    <FormDialog
      title={t('quality.settingsTitle')}
      submit={t('quality.save')}
      change={save}
      onClose={onClose}
      isReady={isSwitched || Object.keys(changed).length > 0}
    >
      <Dimmed>{t('quality.settingsText')}</Dimmed>
      {mayInherit && (
        <Checkbox
          label={t('quality.inherit')}
          checked={inherits}
          onChange={(isOn) => {
            setInherits(isOn);
            setChanged({});
          }}
        />
      )}
      <Group gap="sm" grow>
        <ChoiceField
          disabled={inherits}
          label={t('quality.targetMetric')}
          data={metrics.map((value) => ({ value, label: t(`quality.${value}`) }))}
          value={now.target_metric}
          onChange={(next) => change({ target_metric: metrics.find((one) => one === next) ?? 'accuracy' })}
        />
        <NumberInput
          disabled={inherits}
          label={t('quality.threshold')}
          min={0}
          max={1}
          step={0.05}
          value={now.target_metric_threshold}
          onChange={(value) => change({ target_metric_threshold: asShare(value) })}
        />
      </Group>
      <SimpleGrid cols={2} spacing="sm" verticalSpacing="md" style={{ alignItems: 'end' }}>
        {shares.map(([name, words]) => (
          <NumberInput
            key={name}
            disabled={inherits}
            label={t(`quality.${words}`)}
            min={0}
            max={1}
            step={0.05}
            value={now[name]}
            onChange={(value) => change({ [name]: asShare(value) })}
          />
        ))}
      </SimpleGrid>
      {switches.map(([name, words]) => (
        <Checkbox
          key={name}
          disabled={inherits}
          label={t(`quality.${words}`)}
          checked={now[name]}
          onChange={(isOn) => change({ [name]: isOn })}
        />
      ))}
    </FormDialog>
  );
}

interface ReportBarProps {
  readonly place: QualityPlace & { readonly isInProject?: boolean };
  readonly reports: readonly QualityReport[];
  /** True if there is a ground truth. */
  readonly isReady: boolean;
  readonly beside?: ReactNode;
  /** Undefined without a report. */
  readonly children: (report: QualityReport | undefined) => ReactNode;
}

export function ReportBar({ place, reports, isReady, beside, children }: ReportBarProps) {
  const t = useText();
  const client = useQueryClient();
  const [chosen, setChosen] = useState<number | null>(null);
  const [isSetting, setSetting] = useState(false);
  const report = reports.find(({ id }) => id === chosen) ?? reports[0];
  const run = useRun<void>(async (tools) => {
    const body = place.kind === 'task' ? { task_id: place.id } : { project_id: place.id };
    const { rq_id: id } = await call('createQualityReport', { body, signal: tools.signal });
    await follow(id, tools, t('quality.comparing'));
    setChosen(null);
    await client.invalidateQueries({ queryKey: ['quality'] });
  });
  const { state } = run;
  const isRunning = state.phase === 'running';
  return (
    <Stack gap={16}>
      <Group gap="sm">
        {report !== undefined && (
          <ChoiceField
            aria-label={t('quality.report')}
            w={280}
            data={reports.map(({ id, created_date: date }) => ({
              value: String(id),
              label: t('quality.of', { id, date: formatMoment(date) }),
            }))}
            value={String(report.id)}
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
        {report !== undefined && (
          <MoreMenu of="row" label={t('quality.downloads')}>
            <Menu.Item
              component="a"
              leftSection={<IconDownload size={16} />}
              href={`/api/quality/reports/${report.id}/data`}
              download={`quality-report-${report.id}.json`}
            >
              {t('quality.downloadReport')}
            </Menu.Item>
            <Menu.Item
              component="a"
              leftSection={<IconDownload size={16} />}
              href={`/api/quality/reports/${report.id}/confusion`}
              download={`quality-report-${report.id}-confusion.zip`}
            >
              {t('quality.downloadMatrices')}
            </Menu.Item>
          </MoreMenu>
        )}
        {beside}
      </Group>
      {isRunning && (
        <Group gap="sm" role="status">
          <Progress w={280} value={(state.progress ?? 0) * 100} aria-label={t('quality.comparing')} />
          <SmallButton onClick={run.cancel}>{t('common.cancel')}</SmallButton>
        </Group>
      )}
      {state.phase === 'failed' && <FormError text={state.message} />}
      {report === undefined && (
        <Empty
          icon={<IconTarget size={28} />}
          title={t('quality.noReport')}
          text={t(place.kind === 'task' ? 'quality.noReportText' : 'quality.noProjectReport')}
        />
      )}
      {children(report)}
      {isSetting && <QualitySettings place={place} onClose={() => setSetting(false)} />}
    </Stack>
  );
}
