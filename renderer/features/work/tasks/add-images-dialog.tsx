import { IconPhotoPlus } from '@tabler/icons-react';
import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { isArchiveName, isVideoName } from '../../../../preload/contract/media-names.ts';
import type { AddImages, Task } from '../../../../preload/contract/schema/resources.ts';
import { queries } from '../../../api/queries.ts';
import { waitForRequest } from '../../../api/requests.ts';
import { addTaskImages, type NamedFile } from '../../../api/uploads.ts';
import { text, useText } from '../../../i18n/index.ts';
import { DropZone } from '../../../shared/files/drop-zone.tsx';
import { FileButtons } from '../../../shared/files/file-buttons.tsx';
import { isMediaFile } from '../../../shared/files/media-files.ts';
import { formatBytes } from '../../../shared/format-text.ts';
import { useChange } from '../../../shared/use-change.ts';
import { FormDialog } from '../../../ui/form.tsx';
import { Group, Hint, NumberInput, Progress, Radio, Stack, Text } from '../../../ui/kit.ts';
import { notify } from '../../../ui/notify.ts';

type Rule = AddImages['existing_names'];
const rules = ['skip', 'replace', 'keep_both'] as const;

/** True if images can be added behind the frames of the task. */
export const canGrow = ({ size = 0, mode }: Task): boolean => size > 0 && mode === 'annotation';

/** Reports the end of the background request, after the dialog has closed. */
async function follow(requestId: string, name: string, client: QueryClient): Promise<void> {
  try {
    const { message } = await waitForRequest(requestId);
    notify.success(message);
  } catch (error) {
    notify.failure(text('addImages.failed', { name }), error);
  }
  for (const key of ['tasks', 'jobs', 'projects', 'requests']) void client.invalidateQueries({ queryKey: [key] });
}

interface AddImagesDialogProps {
  readonly task: Task;
  /** Files of a drop. */
  readonly dropped: readonly NamedFile[];
  readonly onClose: () => void;
}

export function AddImagesDialog({ task, dropped, onClose }: AddImagesDialogProps) {
  const t = useText();
  const client = useQueryClient();
  const [files, setFiles] = useState(dropped);
  const [rule, setRule] = useState<Rule>('skip');
  const [every, setEvery] = useState(1);
  const [sent, setSent] = useState(0);
  const meta = useQuery({ ...queries.taskMeta(task.id), refetchOnMount: 'always' });
  const names = new Set(meta.data?.frames?.map(({ name }) => name));
  const existing = files.filter(({ path }) => names.has(path)).length;
  const hasVideo = files.some(({ path }) => isVideoName(path));
  // Names in archives and of frames are known only after the upload.
  const hasUnknown = hasVideo || files.some(({ path }) => isArchiveName(path));
  const add = (found: readonly NamedFile[]): void => {
    const taken = new Set(files.map(({ path }) => path));
    const media = found.filter(isMediaFile);
    if (media.length === 0 && found.length > 0) notify.failure(t('newTask.nothingUsable'), t('newTask.noImages'));
    setFiles([...files, ...media.filter(({ path }) => !taken.has(path))]);
  };
  const change = useChange(
    () =>
      addTaskImages(
        task.id,
        files,
        { existing_names: rule, every },
        { onProgress: (bytes, total) => setSent(total === 0 ? 0 : bytes / total) },
      ),
    {
      reloads: ['requests'],
      done: (requestId) => {
        void follow(requestId, task.name, client);
        onClose();
      },
    },
  );
  const size = formatBytes(files.reduce((sum, { file }) => sum + file.size, 0));
  return (
    <FormDialog
      title={t('addImages.title', { name: task.name })}
      size="lg"
      submit={t('addImages.submit', { count: files.length })}
      change={change}
      onClose={onClose}
      isReady={files.length > 0 && meta.data !== undefined}
      error={change.error?.message ?? meta.error?.message}
    >
      <DropZone label={t('addImages.drop')} onFiles={add} compact={files.length > 0}>
        <IconPhotoPlus size={32} stroke={1.25} />
        <Text fw={600}>
          {files.length === 0 ? t('addImages.drop') : t('newTask.chosen', { count: files.length, size })}
        </Text>
        <Group gap={8} mt={8}>
          <FileButtons onFiles={add} />
        </Group>
      </DropZone>
      {hasVideo && (
        <NumberInput
          label={t('addImages.every')}
          description={t('addImages.everyHint')}
          min={1}
          allowDecimal={false}
          value={every}
          onChange={(value) => setEvery(Math.max(1, Math.trunc(Number(value)) || 1))}
        />
      )}
      {(existing > 0 || hasUnknown) && (
        <Radio.Group
          label={existing > 0 ? t('addImages.existing', { count: existing }) : t('addImages.archive')}
          value={rule}
          onChange={(value) => setRule(rules.find((one) => one === value) ?? 'skip')}
        >
          <Stack gap={6} mt={6}>
            {rules.map((one) => (
              <Radio key={one} value={one} label={t(`addImages.rule.${one}`)} />
            ))}
          </Stack>
        </Radio.Group>
      )}
      <Hint>{t('addImages.place', { first: task.size ?? 0 })}</Hint>
      {change.isPending && <Progress value={sent * 100} aria-label={t('addImages.sending')} />}
    </FormDialog>
  );
}
