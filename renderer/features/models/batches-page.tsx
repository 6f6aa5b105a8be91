import { IconStack2 } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Batch } from '../../../preload/contract/schema/batches.ts';
import { batchQueries } from '../../api/batch-queries.ts';
import { queries } from '../../api/queries.ts';
import { useText } from '../../i18n/index.ts';
import { formatNumber } from '../../i18n/language.ts';
import { BatchDialog } from '../../shared/batches/batch-dialog.tsx';
import { formatDate, formatShort } from '../../shared/format-text.ts';
import { PlainListPage, NewButton } from '../../shared/lists/list-page.tsx';
import { WaitingPlace } from '../../shared/models/mapping-table.tsx';
import { Anchor, Modal, Progress, Stack, Text } from '../../ui/kit.ts';
import { RowNote, RowText } from '../../ui/list.tsx';
import { StateDot, type Tone } from '../../ui/state-dot.tsx';
import { DataTable, NumberCell, RowActions } from '../../ui/table.tsx';
import { BatchMenu } from './batch-menu.tsx';

const tones: Readonly<Record<Batch['state'], Tone>> = {
  queued: 'rest',
  running: 'busy',
  waiting: 'rest',
  paused: 'rest',
  finished: 'ok',
  failed: 'bad',
  cancelled: 'rest',
  undone: 'rest',
};
const goesOn = ({ state }: Batch): boolean => state === 'queued' || state === 'running' || state === 'waiting';
const [oftenMs, seldomMs] = [700, 5_000];

export function BatchesPage() {
  const t = useText();
  const [isNew, setIsNew] = useState(false);
  const [problems, setProblems] = useState<Batch | null>(null);
  const batches = useQuery({
    ...batchQueries.list(),
    select: (results) => ({ results, count: results.length }),
    refetchOnMount: 'always',
    refetchInterval: (query) => (query.state.data?.some(goesOn) === true ? oftenMs : seldomMs),
  });
  return (
    <PlainListPage
      words="batches"
      icon={IconStack2}
      query={batches}
      create={<NewButton text={t('batches.new')} onClick={() => setIsNew(true)} />}
      dialogs={
        <>
          {isNew && <BatchDialog onClose={() => setIsNew(false)} />}
          {problems !== null && <ProblemsDialog batch={problems} onClose={() => setProblems(null)} />}
        </>
      }
    >
      {(found) => <BatchTable batches={found} onProblems={setProblems} />}
    </PlainListPage>
  );
}

const columns = ['Model', 'Work', 'Results', 'State', 'Frames', 'Objects', 'LeftOut', 'Priority', 'Started'] as const;
const numbers: ReadonlySet<string> = new Set(['Frames', 'Objects', 'LeftOut', 'Priority', 'Started']);

interface TableProps {
  readonly batches: readonly Batch[];
  readonly onProblems: (batch: Batch) => void;
}

function BatchTable({ batches, onProblems }: TableProps) {
  const t = useText();
  return (
    <DataTable
      label={t('batches.title')}
      columns={columns.map((column) => t(`batches.column${column}`))}
      numbers={new Set(columns.filter((column) => numbers.has(column)).map((column) => t(`batches.column${column}`)))}
    >
      {batches.map((batch) => (
        <BatchRow key={batch.id} batch={batch} onProblems={() => onProblems(batch)} />
      ))}
    </DataTable>
  );
}

/** Pixels; wide enough that a batch's text needs few lines in narrow windows. */
const nameWidth = 240;

function BatchRow({ batch, onProblems }: { readonly batch: Batch; readonly onProblems: () => void }) {
  const t = useText();
  const { id, state, message, results, frame_count: all, done_count: done, started_date: started } = batch;
  const leftOut = formatNumber(Math.max(batch.failed_count, batch.problems.length));
  const frames = t('batches.framesOf', { done: formatNumber(done), all: formatNumber(all) });
  return (
    <tr data-testid="batch-row">
      <th scope="row" style={{ minWidth: nameWidth }}>
        <RowText
          name={batch.function}
          note={message !== '' && <RowNote text={message} failed={state === 'failed'} whole />}
        />
      </th>
      <td>
        <Work tasks={batch.tasks} />
      </td>
      <td>{t(`batches.resultKinds.${results}`)}</td>
      <td>
        <StateDot tone={tones[state]} testId="batch-state">
          {t(`batches.state.${state}`)}
        </StateDot>
        {state === 'running' && <WaitingPlace name={batch.function} />}
      </td>
      <NumberCell>
        {frames}
        {(goesOn(batch) || state === 'paused') && (
          <Progress mt={4} value={(100 * done) / Math.max(1, all)} aria-label={t('batches.progress')} />
        )}
      </NumberCell>
      <NumberCell>{formatNumber(batch.object_count)}</NumberCell>
      <NumberCell>
        {batch.problems.length === 0 ? (
          formatNumber(batch.failed_count)
        ) : (
          <Anchor
            component="button"
            type="button"
            fz="inherit"
            aria-label={t('batches.leftOutShow', { id, shown: leftOut })}
            onClick={onProblems}
          >
            {leftOut}
          </Anchor>
        )}
      </NumberCell>
      <NumberCell>{formatNumber(batch.priority)}</NumberCell>
      <NumberCell>
        {started === null ? '–' : <span title={formatDate(started)}>{formatShort(started)}</span>}
      </NumberCell>
      <RowActions>
        <BatchMenu batch={batch} />
      </RowActions>
    </tr>
  );
}

function Work({ tasks }: { readonly tasks: readonly number[] }) {
  const t = useText();
  const [first] = tasks;
  const task = useQuery({ ...queries.task(first ?? 0), enabled: first !== undefined, retry: false }).data;
  if (first === undefined) return '–';
  return (
    <>
      <Link to="/tasks/$taskId" params={{ taskId: String(first) }}>
        {task?.name ?? t('batches.task', { id: first })}
      </Link>
      {tasks.length > 1 && ` ${t('batches.tasksMore', { count: tasks.length - 1 })}`}
    </>
  );
}

function ProblemsDialog({ batch, onClose }: { readonly batch: Batch; readonly onClose: () => void }) {
  const t = useText();
  return (
    <Modal opened size="lg" title={t('batches.problems')} onClose={onClose}>
      <Stack gap="sm">
        <Text fz="sm">{t('batches.problemsOf', { count: batch.failed_count })}</Text>
        <DataTable
          label={t('batches.problems')}
          columns={[t('batches.columnFile'), t('batches.columnAt'), t('batches.columnReason')]}
        >
          {batch.problems.map(({ file, at, reason }) => (
            <tr key={`${file} ${at} ${reason}`}>
              <th scope="row" style={{ whiteSpace: 'nowrap' }}>
                {file}
              </th>
              <td style={{ whiteSpace: 'nowrap' }}>{at}</td>
              <td style={{ whiteSpace: 'normal' }}>{reason}</td>
              <td />
            </tr>
          ))}
        </DataTable>
      </Stack>
    </Modal>
  );
}
