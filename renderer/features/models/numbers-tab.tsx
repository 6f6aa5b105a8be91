import { IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ModelMetrics } from '../../../preload/contract/schema/model-metrics.ts';
import { modelQueries } from '../../api/model-queries.ts';
import { useText } from '../../i18n/index.ts';
import { formatNumber } from '../../i18n/language.ts';
import { saveFile } from '../../shared/files/save-file.ts';
import { formatDate } from '../../shared/format-text.ts';
import { LineChart } from '../../ui/chart.tsx';
import { Dimmed, Group, Hint, SegmentedControl, SmallButton } from '../../ui/kit.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { DataTable, NumberCell } from '../../ui/table.tsx';
import { memoryText, timeText } from './function/model-text.ts';
import { numbersCsv } from './numbers-csv.ts';
import classes from './numbers.module.css';
import { listRefreshMs } from './function/model-timing.ts';

type Point = ModelMetrics['points'][number];

const spans = { hour: 1, day: 24, week: 168, month: 720 } as const;
type Span = keyof typeof spans;
const spanNames = ['hour', 'day', 'week', 'month'] as const satisfies readonly Span[];
const hourMs = 3_600_000;

const coresText = (cores: number): string => formatNumber(cores, { maximumFractionDigits: 2 });

export function NumbersTab({ name }: { readonly name: string }) {
  const t = useText();
  const [span, setSpan] = useState<Span>('day');
  const hours = spans[span];
  const numbers = useQuery({
    ...modelQueries.numbers(name, hours),
    refetchOnMount: 'always',
    refetchInterval: listRefreshMs,
  });
  const { data } = numbers;
  const save = (ending: 'csv' | 'json', content: string, type: string): void =>
    saveFile(`${name}-calls-${hours}h.${ending}`, new Blob([content], { type }));
  return (
    <>
      <Group justify="space-between" mb="md">
        <SegmentedControl
          size="xs"
          aria-label={t('modelNumbers.span')}
          data={spanNames.map((value) => ({ value, label: t(`modelNumbers.spans.${value}`) }))}
          value={span}
          onChange={setSpan}
        />
        {data !== undefined && data.points.length > 0 && (
          <Group gap="sm">
            <SmallButton
              leftSection={<IconDownload size={14} />}
              onClick={() => save('csv', numbersCsv(data), 'text/csv')}
            >
              {t('analytics.csv')}
            </SmallButton>
            <SmallButton
              leftSection={<IconDownload size={14} />}
              onClick={() => save('json', `${JSON.stringify(data, null, 2)}\n`, 'application/json')}
            >
              {t('analytics.json')}
            </SmallButton>
          </Group>
        )}
      </Group>
      <Loaded query={numbers}>
        {(loaded) =>
          loaded.points.length === 0 ? (
            <Dimmed maw={640}>{t('modelNumbers.empty')}</Dimmed>
          ) : (
            <>
              <Plots numbers={loaded} nowMs={numbers.dataUpdatedAt} />
              <Versions numbers={loaded} />
              <Hint mt="sm">{t('modelNumbers.kept', { count: loaded.retention_days })}</Hint>
            </>
          )
        }
      </Loaded>
    </>
  );
}

function Plots({ numbers, nowMs }: { readonly numbers: ModelMetrics; readonly nowMs: number }) {
  const t = useText();
  const { points, hours, step_minutes: minutes } = numbers;
  const toMs = Math.max(nowMs, ...points.map(({ date }) => Date.parse(date)));
  const line = (valueOf: (point: Point) => number | null) =>
    points.map((point) => ({ x: Date.parse(point.date), y: valueOf(point) }));
  const common = {
    range: [toMs - hours * hourMs, toMs],
    // A larger distance means no calls.
    gap: 1.5 * minutes * 60_000,
    nameOf: (ms: number) => formatDate(new Date(ms).toISOString()),
  } as const;
  const time = (ms: number): string => timeText(ms, t);
  const whole = (count: number): string => formatNumber(count, { maximumFractionDigits: 1 });
  const latency = [line((one) => one.p50_ms), line((one) => one.p95_ms), line((one) => one.p99_ms)];
  const charts = [
    ['latency', latency, time],
    ['throughput', [line((one) => one.call_count / minutes)], whole],
    ['errors', [line((one) => one.error_count)], whole],
    ['queue', [line((one) => one.queue_ms)], time],
    ['cpu', [line((one) => one.cpu_cores)], coresText],
    ['memory', [line((one) => one.memory_bytes)], memoryText],
    ['gpuMemory', [line((one) => one.gpu_memory_bytes)], memoryText],
  ] as const;
  const isKnown = {
    cpu: points.some((point) => point.memory_bytes !== null),
    memory: points.some((point) => point.memory_bytes !== null),
    gpuMemory: points.some((point) => point.gpu_memory_bytes !== null),
  };
  return (
    <div className={classes.plots}>
      {charts
        .filter(([name]) => !(name in isKnown) || isKnown[name as keyof typeof isKnown])
        .map(([name, lines, shown]) => (
          <LineChart key={name} {...common} title={t(`modelNumbers.${name}`)} lines={lines} shown={shown} />
        ))}
    </div>
  );
}

const columns = [
  'calls',
  'errors',
  'p50',
  'p95',
  'p99',
  'queue',
  'most',
  'cpu',
  'memory',
  'gpuMemory',
  'last',
] as const;

function Versions({ numbers: { versions } }: { readonly numbers: ModelMetrics }) {
  const t = useText();
  const time = (ms: number | null): string => (ms === null ? '–' : timeText(ms, t));
  const hasCards = versions.some((one) => one.gpu_memory_bytes !== null);
  const shown = columns.filter((column) => hasCards || column !== 'gpuMemory');
  const names = shown.map((column) => t(`modelNumbers.columns.${column}`));
  return (
    <DataTable
      label={t('modelNumbers.versions')}
      columns={[t('modelNumbers.version'), ...names]}
      numbers={new Set(names)}
    >
      {versions.map((one) => (
        <tr key={one.version} data-testid="version-row">
          <th scope="row">{one.version}</th>
          <NumberCell>{formatNumber(one.call_count)}</NumberCell>
          <NumberCell>{formatNumber(one.error_count)}</NumberCell>
          <NumberCell>{time(one.p50_ms)}</NumberCell>
          <NumberCell>{time(one.p95_ms)}</NumberCell>
          <NumberCell>{time(one.p99_ms)}</NumberCell>
          <NumberCell>{time(one.queue_ms)}</NumberCell>
          <NumberCell>{formatNumber(one.max_per_minute)}</NumberCell>
          <NumberCell>{one.cpu_cores === null ? '–' : coresText(one.cpu_cores)}</NumberCell>
          <NumberCell>{one.memory_bytes === null ? '–' : memoryText(one.memory_bytes)}</NumberCell>
          {hasCards && (
            <NumberCell>{one.gpu_memory_bytes === null ? '–' : memoryText(one.gpu_memory_bytes)}</NumberCell>
          )}
          <NumberCell>{formatDate(one.last_date)}</NumberCell>
          <td />
        </tr>
      ))}
    </DataTable>
  );
}
