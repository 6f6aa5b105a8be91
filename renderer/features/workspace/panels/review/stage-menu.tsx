import { IconChevronDown } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Job } from '../../../../../preload/contract/schema/resources.ts';
import { call } from '../../../../api/client.ts';
import { queries } from '../../../../api/queries.ts';
import { useText } from '../../../../i18n/index.ts';
import { ask } from '../../../../ui/confirm.tsx';
import { Button, Menu } from '../../../../ui/kit.ts';
import { notify } from '../../../../ui/notify.ts';
import { useAnnotate, useSession } from '../session-context.ts';
import { stepsOf, type StageStep } from '../../model/review/stage-steps.ts';
import { useThreads } from './use-review.ts';

/** Actions on the job: next stage, back, complete. Each announces its effect first. */
export function StageMenu() {
  const t = useText();
  const client = useQueryClient();
  const session = useSession();
  const isReview = useAnnotate((state) => state.mode === 'review');
  const job = useQuery({ ...queries.job(session.job.id), staleTime: Infinity }).data ?? session.job;
  const count = useThreads().all.filter(({ resolved }) => !resolved).length;
  const [busy, setBusy] = useState(false);

  const take = async (name: StageStep['name'], change: Partial<Pick<Job, 'stage' | 'state'>>): Promise<void> => {
    const isSure = await ask({
      title: t(`modes.stage.${name}`),
      text: `${t(`modes.stage.${name}Text`)} ${count > 0 ? t('modes.stage.openIssues', { count }) : ''}`.trim(),
      confirm: t(`modes.stage.${name}`),
      cancel: t('common.cancel'),
      danger: name === 'reject',
    });
    if (!isSure) return;
    setBusy(true);
    try {
      await session.saving.queue.whenSaved();
      const changed = await call('updateJob', { params: { id: job.id }, body: change });
      client.setQueryData(queries.job(job.id).queryKey, changed);
      void client.invalidateQueries({ queryKey: ['jobs'], refetchType: 'none' });
      void client.invalidateQueries({ queryKey: ['tasks'], refetchType: 'none' });
      notify.success(t(`modes.stage.${name}Done`));
    } catch (error) {
      notify.failure(t('modes.stage.failed'), error);
    }
    setBusy(false);
  };

  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <Button
          size="compact-sm"
          h={28}
          variant={isReview ? 'filled' : 'default'}
          loading={busy}
          rightSection={<IconChevronDown size={14} />}
          data-testid="stage"
          data-stage={job.stage}
          data-state={job.state}
        >
          {t(isReview ? 'modes.stage.finishReview' : 'modes.stage.finish')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {t('modes.stage.now', { stage: t(`tasks.status.${job.stage}`), state: t(`tasks.status.${job.state}`) })}
        </Menu.Label>
        {stepsOf(job).map(({ name, change }) => (
          <Menu.Item key={name} onClick={() => void take(name, change)}>
            {t(`modes.stage.${name}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
