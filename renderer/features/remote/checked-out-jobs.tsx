import { IconDeviceDesktop } from '@tabler/icons-react';
import type { RemoteJob } from '../../../preload/contract/schema/remotes.ts';
import { useText } from '../../i18n/index.ts';
import { formatNumber } from '../../i18n/language.ts';
import { RemoteBadge, useRemoteStates } from '../../shared/remotes/remote-badge.tsx';
import { Dimmed, SegmentedControl, UnstyledButton } from '../../ui/kit.ts';
import { Cell, Row } from '../../ui/list.tsx';
import { Empty } from '../../ui/page.tsx';
import classes from './item-tree.module.css';
import { treeKeys } from './item-tree.tsx';

const everyState = 'all';
const states = [everyState, 'out', 'changed_here', 'changed_there', 'both', 'checking_out'] as const;

interface CheckedOutJobsProps {
  readonly jobs: readonly RemoteJob[];
  readonly state: string | undefined;
  readonly selected: number | null;
  readonly onState: (state: string | undefined) => void;
  readonly onSelect: (job: number) => void;
}

/** Jobs of a server that are checked out, by the state of their last comparison. Needs no connection. */
export function CheckedOutJobs({ jobs, state, selected, onState, onSelect }: CheckedOutJobsProps) {
  const t = useText();
  const found = useRemoteStates(jobs);
  const chosen = states.find((one) => one === state) ?? everyState;
  const inState = (wanted: (typeof states)[number]): readonly RemoteJob[] =>
    wanted === everyState ? jobs : jobs.filter(({ id }) => found.get(id) === wanted);
  const shown = inState(chosen);
  if (jobs.length === 0)
    return (
      <Empty
        icon={<IconDeviceDesktop size={40} stroke={1.25} />}
        title={t('remote.noneOutTitle')}
        text={t('remote.noneOutText')}
      />
    );
  return (
    <div style={{ minWidth: 0 }}>
      <SegmentedControl
        size="xs"
        mb={8}
        aria-label={t('remote.stateHead')}
        data={states
          .filter((one) => one === chosen || inState(one).length > 0)
          .map((value) => ({
            value,
            label: `${value === everyState ? t('remote.allStates') : t(`remote.state.${value}`)} ${inState(value).length}`,
          }))}
        value={chosen}
        onChange={(value) => onState(value === everyState ? undefined : value)}
      />
      {shown.length === 0 && <Dimmed>{t('lists.nothingMatches')}</Dimmed>}
      <ul role="list" aria-label={t('remote.views.out')} onKeyDown={treeKeys}>
        {shown.map((job) => (
          <Row
            key={job.id}
            isSelected={job.id === selected}
            name={
              <UnstyledButton data-row-name className={classes.name ?? ''} onClick={() => onSelect(job.id)}>
                {job.name}
              </UnstyledButton>
            }
            title={job.name}
            cells={
              <>
                <Cell width={104} end>
                  {job.state === 'out'
                    ? formatNumber(job.frame_count)
                    : t('remote.frames', { done: job.stored_frame_count, total: job.frame_count })}
                </Cell>
                <Cell width={160}>
                  <RemoteBadge jobs={[job]} />
                </Cell>
              </>
            }
          />
        ))}
      </ul>
    </div>
  );
}
