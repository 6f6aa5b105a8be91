import { IconDownload, IconUsers } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Agreement, AgreementPair } from '../../../../preload/contract/schema/consensus.ts';
import { call } from '../../../api/client.ts';
import { consensusQueries } from '../../../api/consensus-queries.ts';
import { useChange } from '../../../shared/use-change.ts';
import { useText } from '../../../i18n/index.ts';
import { formatNumber } from '../../../i18n/language.ts';
import { Dimmed, Group, SegmentedControl, SmallButton, Stack, Text, Title } from '../../../ui/kit.ts';
import { Loaded } from '../../../ui/loaded.tsx';
import { Empty } from '../../../ui/page.tsx';
import { DataTable, NumberCell } from '../../../ui/table.tsx';
import { SectionHead } from '../../../ui/section-head.tsx';
import { saveFile } from '../../../shared/files/save-file.ts';
import { userName } from '../../../shared/people/people.tsx';
import classes from './agreement.module.css';

const measures = ['f1', 'accuracy', 'kappa'] as const;
type Measure = (typeof measures)[number];

/** A share as a percentage, a kappa as a number; a dash without data. */
function shown(measure: Measure, value: number | null): string {
  if (value === null) return '–';
  return measure === 'kappa'
    ? formatNumber(value, { minimumFractionDigits: 2, maximumFractionDigits: 2 })
    : formatNumber(value, { style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 });
}

/** Agreement between annotators of the same frames, each in a replica. */
export function AgreementPanel({ taskId }: { readonly taskId: number }) {
  const t = useText();
  const agreement = useQuery({ ...consensusQueries.agreement(taskId), refetchOnMount: 'always' });
  return (
    <section>
      <SectionHead title={t('consensus.agreement')} />
      <Loaded query={agreement}>
        {(answer) =>
          answer.pairs.length === 0 ? (
            <Empty
              icon={<IconUsers size={28} />}
              title={t('consensus.nobodyYet')}
              text={t('consensus.nobodyYetText')}
            />
          ) : (
            <Table agreement={answer} />
          )
        }
      </Loaded>
    </section>
  );
}

function Table({ agreement }: { readonly agreement: Agreement }) {
  const t = useText();
  const { annotators, pairs, overall, task_id: taskId } = agreement;
  const [measure, setMeasure] = useState<Measure>('f1');
  const [chosen, setChosen] = useState<AgreementPair | null>(null);
  const names = annotators.map(({ user, jobs }) =>
    user === null ? t('consensus.job', { id: jobs[0] ?? 0 }) : userName(user),
  );
  const pairOf = (row: number, column: number): AgreementPair | undefined =>
    pairs.find(({ first, second }) => first === Math.min(row, column) && second === Math.max(row, column));
  return (
    <Stack gap={12}>
      <Dimmed>{t('consensus.agreementText')}</Dimmed>
      <Group gap="sm">
        <SegmentedControl
          size="xs"
          aria-label={t('consensus.measure')}
          data={measures.map((value) => ({ value, label: t(`consensus.${value}`) }))}
          value={measure}
          onChange={(next) => setMeasure(measures.find((one) => one === next) ?? 'f1')}
        />
        <Text fz="sm">
          {t('consensus.all')}:{' '}
          {t('consensus.overall', {
            f1: shown('f1', overall.f1),
            accuracy: shown('accuracy', overall.accuracy),
            kappa: shown('kappa', overall.kappa),
          })}
        </Text>
        <SaveButtons taskId={taskId} />
      </Group>
      <DataTable label={t('consensus.agreement')} columns={[t('consensus.person'), ...names]} numbers={new Set(names)}>
        {names.map((name, row) => (
          <tr key={`${row} ${name}`}>
            <th scope="row">{name}</th>
            {names.map((other, column) => (
              <PairCell
                key={`${column} ${other}`}
                pair={pairOf(row, column)}
                measure={measure}
                isChosen={chosen !== null && pairOf(row, column) === chosen}
                label={t('consensus.pair', { first: name, second: other })}
                onChoose={setChosen}
              />
            ))}
            <td />
          </tr>
        ))}
      </DataTable>
      {chosen !== null && <Differences taskId={taskId} pair={chosen} names={names} />}
    </Stack>
  );
}

interface PairCellProps {
  readonly pair: AgreementPair | undefined;
  readonly measure: Measure;
  readonly isChosen: boolean;
  readonly label: string;
  readonly onChoose: (pair: AgreementPair) => void;
}

const PairCell = ({ pair, measure, isChosen, label, onChoose }: PairCellProps) => (
  <NumberCell>
    {pair !== undefined && (
      <button
        type="button"
        className={classes.number}
        data-chosen={isChosen || undefined}
        aria-label={`${label}: ${shown(measure, pair[measure])}`}
        onClick={() => onChoose(pair)}
      >
        {shown(measure, pair[measure])}
      </button>
    )}
  </NumberCell>
);

function Differences({
  taskId,
  pair,
  names,
}: {
  readonly taskId: number;
  readonly pair: AgreementPair;
  readonly names: readonly string[];
}) {
  const t = useText();
  const [first, second] = [names[pair.first] ?? '', names[pair.second] ?? ''];
  const link = (name: string, jobId: number, frame: number) => (
    <Link to="/tasks/$taskId/jobs/$jobId" params={{ taskId: String(taskId), jobId: String(jobId) }} search={{ frame }}>
      {name}
    </Link>
  );
  return (
    <section>
      <Title order={3}>{t('consensus.pair', { first, second })}</Title>
      <Dimmed mt={4} mb={8}>
        {t('consensus.pairText', {
          matched: formatNumber(pair.matched),
          agreed: formatNumber(pair.agreed),
          count: pair.frames,
        })}{' '}
        {pair.differences.length === 0 && t('consensus.same')}
      </Dimmed>
      <ul className={classes.differences}>
        {pair.differences.map(({ frame, count, job_first: ours, job_second: theirs }) => (
          <li key={`${ours} ${theirs} ${frame}`}>
            <b>{t('quality.frame', { frame })}</b>
            <span>{t('consensus.differences', { count })}</span>
            <small>
              {link(first, ours, frame)} · {link(second, theirs, frame)}
            </small>
          </li>
        ))}
      </ul>
    </section>
  );
}

function SaveButtons({ taskId }: { readonly taskId: number }) {
  const t = useText();
  const save = useChange(
    (format: 'csv' | 'json') => call('getTaskAgreementFile', { params: { id: taskId }, query: { format } }),
    {
      done: ({ name, type, content }) => saveFile(name, new Blob([content], { type })),
      failed: t('consensus.agreement'),
    },
  );
  return (['csv', 'json'] as const).map((format) => (
    <SmallButton key={format} leftSection={<IconDownload size={14} />} onClick={() => save.mutate(format)}>
      {t(`consensus.${format}`)}
    </SmallButton>
  ));
}
