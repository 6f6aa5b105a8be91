import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ConsensusSettings } from '../../../../preload/contract/schema/consensus.ts';
import { call } from '../../../api/client.ts';
import { consensusQueries } from '../../../api/consensus-queries.ts';
import { useChange } from '../../../shared/use-change.ts';
import { useText } from '../../../i18n/index.ts';
import { FormError } from '../../../ui/form.tsx';
import { Button, Group, Hint, NumberInput, QuietButton, Stack, Text } from '../../../ui/kit.ts';
import { Loaded } from '../../../ui/loaded.tsx';
import { notify } from '../../../ui/notify.ts';
import { RunDialog, follow, useRun } from '../../../shared/dataset/run-dialog.tsx';

interface MergeDialogProps {
  readonly taskId: number;
  /** Undefined for all jobs of the task. */
  readonly jobId?: number;
  readonly name: string;
  readonly replicaCount: number;
  readonly onClose: () => void;
}

export function MergeDialog({ taskId, jobId, name, replicaCount, onClose }: MergeDialogProps) {
  const t = useText();
  const client = useQueryClient();
  const settings = useQuery({ ...consensusQueries.settings(taskId), refetchOnMount: 'always' });
  const run = useRun<string>(async ({ signal, step }) => {
    const body = jobId === undefined ? { task_id: taskId } : { job_id: jobId };
    const { rq_id: id } = await call('createConsensusMerge', { body, signal });
    const progressAlone = (_: string, progress: number | null): void => step(t('consensus.running'), progress);
    const { message } = await follow(id, { signal, step: progressAlone }, '');
    for (const key of ['jobs', 'tasks', 'requests', 'changes']) void client.invalidateQueries({ queryKey: [key] });
    return message;
  });
  return (
    <RunDialog
      title={t('consensus.title', { name })}
      run={run}
      note={t('consensus.background')}
      failed={t('consensus.failed')}
      onClose={onClose}
      form={
        <Stack gap="md">
          <Text fz="sm">{t('consensus.text')}</Text>
          <Loaded query={settings}>
            {(stored) =>
              stored !== null && (
                <Form
                  stored={stored}
                  replicaCount={replicaCount}
                  onClose={onClose}
                  onMerge={() => void run.start(t('consensus.running'))}
                />
              )
            }
          </Loaded>
        </Stack>
      }
      renderResult={(message) => (
        <Stack gap="md">
          <Text fz="sm" role="status">
            {message}
          </Text>
          <Group justify="flex-end">
            <Button data-autofocus onClick={onClose}>
              {t('consensus.close')}
            </Button>
          </Group>
        </Stack>
      )}
    />
  );
}

interface FormProps {
  readonly stored: ConsensusSettings;
  readonly replicaCount: number;
  readonly onClose: () => void;
  readonly onMerge: () => void;
}

function Form({ stored, replicaCount, onClose, onMerge }: FormProps) {
  const t = useText();
  const [changed, setChanged] = useState<Partial<Pick<ConsensusSettings, 'iou_threshold' | 'quorum'>>>({});
  const now = { ...stored, ...changed };
  const isChanged = now.iou_threshold !== stored.iou_threshold || now.quorum !== stored.quorum;
  const save = useChange(() => call('updateConsensusSettings', { params: { id: stored.id }, body: changed }), {
    reloads: ['consensus'],
  });
  const asShare = (value: number | string): number => Math.min(1, Math.max(0, Number(value)));
  const needed = Math.max(1, Math.ceil(now.quorum * replicaCount - 1e-9));
  return (
    <>
      <NumberInput
        label={t('consensus.overlap')}
        min={0}
        max={1}
        step={0.05}
        value={now.iou_threshold}
        onChange={(value) => setChanged((before) => ({ ...before, iou_threshold: asShare(value) }))}
      />
      <NumberInput
        label={t('consensus.quorum')}
        description={t('consensus.quorumHint', { needed, count: replicaCount })}
        min={0}
        max={1}
        step={0.05}
        value={now.quorum}
        onChange={(value) => setChanged((before) => ({ ...before, quorum: asShare(value) }))}
      />
      <Hint>{t('consensus.onlyShapes')}</Hint>
      <FormError text={save.error?.message} />
      <Group justify="flex-end" gap="sm">
        <Button
          variant="subtle"
          disabled={!isChanged}
          onClick={() => save.mutate(undefined, { onSuccess: () => notify.success(t('consensus.saved')) })}
        >
          {t('consensus.save')}
        </Button>
        <QuietButton onClick={onClose}>{t('common.cancel')}</QuietButton>
        <Button
          loading={save.isPending}
          onClick={() => (isChanged ? save.mutate(undefined, { onSuccess: onMerge }) : onMerge())}
        >
          {t('consensus.start')}
        </Button>
      </Group>
    </>
  );
}
