import { IconChevronDown, IconChevronLeft, IconChevronRight, IconChevronUp, IconPencil } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Job } from '../../../../preload/contract/schema/resources.ts';
import { useText } from '../../../i18n/index.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Button, Dimmed, Group, Modal, Stack, useHotkeys } from '../../../ui/kit.ts';
import classes from './jobs-page.module.css';

interface JobPreviewProps {
  readonly job: Job;
  readonly onClose: () => void;
  /** Previous job on the page; undefined at the start. */
  readonly onPrevious: (() => void) | undefined;
  readonly onNext: (() => void) | undefined;
}

/** Preview of a job's frames without opening it: left and right change the frame, up and down the job. */
export function JobPreview({ job, onClose, onPrevious, onNext }: JobPreviewProps) {
  const t = useText();
  const navigate = useNavigate();
  const [frame, setFrame] = useState(job.start_frame);
  const step = (by: number) => (): void =>
    setFrame((before) => Math.min(job.stop_frame, Math.max(job.start_frame, before + by)));
  const params = { taskId: String(job.task_id), jobId: String(job.id) };
  const open = (): void => void navigate({ to: '/tasks/$taskId/jobs/$jobId', params, search: { frame } });
  useHotkeys([
    ['ArrowLeft', step(-1)],
    ['ArrowRight', step(1)],
    ['ArrowUp', () => onPrevious?.()],
    ['ArrowDown', () => onNext?.()],
  ]);
  const size = 18;
  return (
    <Modal
      opened
      onClose={onClose}
      size={880}
      title={`${t('tasks.job', { id: job.id })} · ${job.task_name ?? ''}`}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <Stack gap="sm">
        <div className={classes.stage}>
          <img
            src={`/api/jobs/${job.id}/data?type=frame&number=${frame}&quality=compressed`}
            alt={t('issues.frameTitle', { frame })}
          />
        </div>
        <Group justify="space-between">
          <Group gap={4}>
            <IconButton
              label={t('jobs.previousFrame')}
              shortcut="←"
              disabled={frame === job.start_frame}
              icon={<IconChevronLeft size={size} />}
              onClick={step(-1)}
            />
            <IconButton
              label={t('jobs.nextFrame')}
              shortcut="→"
              disabled={frame === job.stop_frame}
              icon={<IconChevronRight size={size} />}
              onClick={step(1)}
            />
            <Dimmed ml={4} aria-live="polite">
              {t('jobs.frameOf', { frame, first: job.start_frame, last: job.stop_frame })}
            </Dimmed>
          </Group>
          <Group gap={4}>
            <IconButton
              label={t('jobs.previous')}
              shortcut="↑"
              disabled={onPrevious === undefined}
              icon={<IconChevronUp size={size} />}
              onClick={onPrevious}
            />
            <IconButton
              label={t('jobs.next')}
              shortcut="↓"
              disabled={onNext === undefined}
              icon={<IconChevronDown size={size} />}
              onClick={onNext}
            />
            <Button ml={8} data-autofocus leftSection={<IconPencil size={16} />} onClick={open}>
              {t('jobs.annotate')}
            </Button>
          </Group>
        </Group>
      </Stack>
    </Modal>
  );
}
