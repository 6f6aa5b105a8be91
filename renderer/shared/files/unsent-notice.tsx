import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call } from '../../api/client.ts';
import { useText } from '../../i18n/index.ts';
import { Group, Progress, SmallButton, Stack, Text } from '../../ui/kit.ts';
import { notify } from '../../ui/notify.ts';
import { FolderButton } from './file-buttons.tsx';
import type { FoundFile } from './found-files.ts';
import { usePageDrop } from './page-drop.ts';
import { sendImages, useSentImages } from './sent-images.ts';

interface UnsentProps {
  readonly taskId: number;
  readonly unsent: number;
  readonly total: number;
}

/** Sends files for the images that a task lacks. */
function useSendAgain(taskId: number): (files: readonly FoundFile[]) => void {
  const t = useText();
  const send = async (files: readonly FoundFile[]): Promise<void> => {
    try {
      if ((await sendImages(taskId, files)) === 0) notify.failure(t('sending.stopped'), t('sending.noneMatch'));
    } catch (error) {
      notify.failure(t('sending.stopped'), error);
    }
  };
  return (files) => void send(files);
}

/** Line of the workspace while images are sent or missing. */
export function UnsentLine({ taskId, unsent, total }: UnsentProps) {
  const t = useText();
  const sending = useSentImages((state) => state.tasks.get(taskId));
  const again = useSendAgain(taskId);
  const isSending = sending?.problem === null;
  usePageDrop(isSending ? null : again);
  if (isSending) return t('sending.progress', { sent: total - sending.unsent, total });
  return (
    <Group gap={8} display="inline-flex">
      {t('sending.unsent', { unsent, total })}
      <FolderButton label={t('sending.again')} onFiles={again} size="compact-xs" leftSection={null} />
    </Group>
  );
}

/** Images that a task lacks, with ways to send them or to go without them. */
export function UnsentNotice({ taskId, unsent, total }: UnsentProps) {
  const t = useText();
  const client = useQueryClient();
  const sending = useSentImages((state) => state.tasks.get(taskId));
  const again = useSendAgain(taskId);
  const isSending = sending?.problem === null;
  const isOver = unsent === 0;
  usePageDrop(isSending || isOver ? null : again);
  useEffect(() => {
    if (isOver) for (const key of ['tasks', 'jobs', 'requests']) void client.invalidateQueries({ queryKey: [key] });
  }, [isOver, client]);
  const remove = (): void => {
    call('removeUnsentImages', { params: { id: taskId } }).then(
      () => client.invalidateQueries(),
      (error: unknown) => notify.failure(t('sending.remove'), error),
    );
  };
  if (isOver) return null;
  if (isSending) {
    const sent = total - sending.unsent;
    const label = t('sending.progress', { sent, total });
    return (
      <Stack gap={8} maw={720}>
        <Text fz="sm">{label}</Text>
        <Progress value={(sent / total) * 100} aria-label={label} />
      </Stack>
    );
  }
  return (
    <Stack gap={8} maw={720} role="status">
      <Text fz="sm">{t('sending.unsent', { unsent, total })}</Text>
      {sending !== undefined && <Text fz="sm">{sending.problem}</Text>}
      <Text fz="sm">{t('sending.unsentHelp')}</Text>
      <Group gap={8}>
        <FolderButton label={t('sending.again')} onFiles={again} />
        <SmallButton onClick={remove}>{t('sending.remove')}</SmallButton>
      </Group>
    </Stack>
  );
}
