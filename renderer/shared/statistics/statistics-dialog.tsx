import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { IconChartBar, IconDownload } from '@tabler/icons-react';
import { queries } from '../../api/queries.ts';
import { useText } from '../../i18n/index.ts';
import { Group, Loader, Modal, SmallButton, Stack, Text, Dimmed } from '../../ui/kit.ts';
import { Problem, Empty } from '../../ui/page.tsx';
import type { KindCount, LabelStatistics, Statistics } from '../../../preload/contract/schema/statistics.ts';
import { formatNumber } from '../../i18n/language.ts';
import { BarChart } from '../../ui/chart.tsx';
import { LongList } from '../../ui/long-list.tsx';
import { saveFile } from '../files/save-file.ts';
import { statisticsCsv } from './statistics-csv.ts';
import classes from './statistics.module.css';

/** A notice appears only after this delay. */
const patienceMs = 500;

export interface StatisticsTarget {
  readonly kind: 'job' | 'task' | 'project';
  readonly id: number;
  readonly name: string;
}

function Counting({ onStop }: { readonly onStop: () => void }) {
  const t = useText();
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), patienceMs);
    return () => clearTimeout(timer);
  }, []);
  if (!isLong) return null;
  return (
    <Group role="status" gap={12}>
      <Loader size="sm" />
      <Text fz="sm">{t('statistics.counting')}</Text>
      <SmallButton onClick={onStop}>{t('common.cancel')}</SmallButton>
    </Group>
  );
}

interface StatisticsDialogProps {
  readonly target: StatisticsTarget;
  readonly onClose: () => void;
  /** Waits for unsent edits, so that they are counted. */
  readonly beforeStart?: () => Promise<unknown>;
}

export function StatisticsDialog({ target, onClose, beforeStart }: StatisticsDialogProps) {
  const t = useText();
  const client = useQueryClient();
  const options = queries.statistics(target.kind, target.id, beforeStart);
  const query = useQuery(options);
  return (
    <Modal opened onClose={onClose} size={1080} title={t('statistics.of', { name: target.name })}>
      <Stack mih={240}>
        {query.isFetching ? (
          <Counting onStop={() => void client.cancelQueries({ queryKey: options.queryKey })} />
        ) : query.data !== undefined ? (
          <StatisticsView name={target.name} statistics={query.data} />
        ) : query.error !== null ? (
          <Problem
            title={t('common.loadFailed')}
            message={query.error}
            retry={query.refetch}
            retryLabel={t('statistics.again')}
          />
        ) : (
          <Group>
            <Text fz="sm">{t('statistics.stopped')}</Text>
            <SmallButton onClick={() => void query.refetch()}>{t('statistics.again')}</SmallButton>
          </Group>
        )}
      </Stack>
    </Modal>
  );
}

const columns = ['objects', 'tracks', 'keyframes', 'interpolated'] as const;

const sumOf = (kinds: readonly KindCount[], column: (typeof columns)[number]): number =>
  kinds.reduce((sum, kind) => sum + kind[column], 0);

function KindTable({ labels }: { readonly labels: readonly LabelStatistics[] }) {
  const t = useText();
  const rows = labels.flatMap((label) => label.kinds.map((kind) => ({ label, kind })));
  const kinds = rows.map(({ kind }) => kind);
  return (
    <table className={classes.table} aria-label={t('statistics.kinds')}>
      <thead>
        <tr>
          <th scope="col">{t('statistics.label')}</th>
          <th scope="col">{t('statistics.type')}</th>
          {columns.map((column) => (
            <th key={column} scope="col" className={classes.number}>
              {t(`statistics.${column}`)}
            </th>
          ))}
        </tr>
      </thead>
      <LongList as="tbody" rowHeight={33}>
        {rows.map(({ label, kind }) => (
          <tr key={`${label.id} ${kind.type}`}>
            <th scope="row">
              <span className={classes.tableName}>
                <span className={classes.swatch} style={{ background: label.color }} />
                {label.name}
              </span>
            </th>
            <td>{kind.type === 'tag' ? t('statistics.tag') : t(`labels.types.${kind.type}`)}</td>
            {columns.map((column) => (
              <td key={column} className={classes.number}>
                {formatNumber(kind[column])}
              </td>
            ))}
          </tr>
        ))}
      </LongList>
      <tfoot>
        <tr>
          <th scope="row" colSpan={2}>
            {t('statistics.total')}
          </th>
          {columns.map((column) => (
            <td key={column} className={classes.number}>
              {formatNumber(sumOf(kinds, column))}
            </td>
          ))}
        </tr>
      </tfoot>
    </table>
  );
}

/** Replaces characters that file systems do not allow. */
const fileName = (name: string): string => `${name.replaceAll(/[^\p{L}\p{N}._-]+/gu, '_').slice(0, 80)}-statistics.csv`;

function StatisticsView({ name, statistics }: { readonly name: string; readonly statistics: Statistics }) {
  const t = useText();
  const { frames, labels, sources } = statistics;
  const save = (): void => saveFile(fileName(name), new Blob([statisticsCsv(statistics)], { type: 'text/csv' }));
  const ofLabels = labels.map(({ id, name: label, color, kinds }) => ({
    key: id,
    name: label,
    color,
    count: kinds.reduce((sum, { objects, tracks }) => sum + objects + tracks, 0),
  }));
  const attributes = labels.flatMap((label) =>
    label.attributes.filter(({ values }) => values.length > 0).map((attribute) => ({ label, attribute })),
  );
  return (
    <Stack gap={20}>
      <div className={classes.head}>
        <span>{t('statistics.frames', { count: frames.total })}</span>
        {frames.deleted > 0 && <Dimmed>{t('statistics.deletedToo', { count: frames.deleted })}</Dimmed>}
        <SmallButton leftSection={<IconDownload size={14} />} onClick={save}>
          {t('statistics.csv')}
        </SmallButton>
      </div>
      {sources.length === 0 ? (
        <Empty
          icon={<IconChartBar size={40} stroke={1.25} />}
          title={t('statistics.emptyTitle')}
          text={t('statistics.emptyText')}
        />
      ) : (
        <>
          <div className={classes.charts}>
            <BarChart title={t('statistics.labels')} bars={ofLabels.toSorted((a, b) => b.count - a.count)} />
            <BarChart
              title={t('statistics.framesTitle')}
              bars={[
                { key: 'with', name: t('statistics.withObjects'), count: frames.with_objects },
                { key: 'without', name: t('statistics.withoutObjects'), count: frames.total - frames.with_objects },
              ]}
            />
            <BarChart
              title={t('statistics.sources')}
              bars={sources.map(({ source, count }) => ({
                key: source,
                name: t(`statistics.source.${source}`),
                count,
              }))}
            />
            {attributes.map(({ label, attribute }) => (
              <BarChart
                key={attribute.id}
                title={t('statistics.attributeOf', { label: label.name, name: attribute.name })}
                bars={[
                  ...attribute.values.map(({ value, count }) => ({
                    key: `=${value}`,
                    name: value === '' ? '–' : value,
                    count,
                  })),
                  ...(attribute.further_values > 0
                    ? [
                        {
                          key: 'further',
                          name: t('statistics.further', { count: attribute.further_values }),
                          count: attribute.further_count,
                        },
                      ]
                    : []),
                ]}
              />
            ))}
          </div>
          <KindTable labels={labels} />
        </>
      )}
    </Stack>
  );
}
