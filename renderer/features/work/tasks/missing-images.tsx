import { IconPhotoPlus } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Task } from '../../../../preload/contract/schema/resources.ts';
import { call } from '../../../api/client.ts';
import { queries } from '../../../api/queries.ts';
import type { NamedFile } from '../../../api/uploads.ts';
import { useText } from '../../../i18n/index.ts';
import { DropZone } from '../../../shared/files/drop-zone.tsx';
import { FileButtons } from '../../../shared/files/file-buttons.tsx';
import { useCreation } from '../task-creation/creation-dialog.tsx';
import { Group, Hint, Progress, Stack, Text } from '../../../ui/kit.ts';
import { notify } from '../../../ui/notify.ts';
import { PageLoader, Problem } from '../../../ui/page.tsx';
import { useChooseMedia } from '../../../shared/files/media-files.ts';

/** Replaces the jobs of a task without images: the reason, and a way to add some. */
export function MissingImages({ task }: { readonly task: Task }) {
  const t = useText();
  const client = useQueryClient();
  const choose = useChooseMedia();
  const fill = useCreation((store) => store.fill);
  const brought = useCreation((store) => store.brought.get(task.id));
  const preparation = useQuery(queries.preparation(task.id));
  const request = preparation.data ?? null;
  const finished = request?.status === 'finished';
  useEffect(() => {
    if (finished) for (const key of ['tasks', 'jobs']) void client.invalidateQueries({ queryKey: [key] });
  }, [finished, client]);
  const changed = (): void => {
    for (const key of ['tasks', 'jobs', 'projects', 'requests']) void client.invalidateQueries({ queryKey: [key] });
  };
  const add = async (found: readonly NamedFile[]): Promise<void> => {
    const chosen = choose(found);
    if (chosen === null) return;
    const data = { image_quality: 70, sorting_method: 'natural' as const };
    await fill(task, { data, media: { files: chosen.files } });
    changed();
  };
  const again = async (): Promise<void> => {
    if (brought !== undefined) await fill(task, brought);
    else {
      const started = call('prepareTaskDataAgain', { params: { id: task.id } });
      await started.catch((error: unknown) => notify.failure(task.name, error));
    }
    changed();
  };
  if (preparation.isPending || finished) return <PageLoader label={t('app.loading')} />;
  if (request?.status === 'queued' || request?.status === 'started') {
    return (
      <Stack gap={8} maw={720}>
        <Text>{t('tasks.preparing')}</Text>
        <Progress
          value={(request.progress ?? 1) * 100}
          animated={request.progress === null}
          aria-label={t('tasks.preparing')}
        />
      </Stack>
    );
  }
  return (
    <Stack gap={16} maw={720}>
      {request?.status === 'failed' && (
        <Problem
          title={t('tasks.prepareFailed')}
          message={request.message}
          retry={{ label: t('common.retry'), run: () => void again() }}
        />
      )}
      <DropZone label={t('newTask.dropTitle')} onFiles={(found) => void add(found)}>
        <IconPhotoPlus size={32} stroke={1.25} />
        <div>
          <Text fw={600}>{t(request?.status === 'failed' ? 'tasks.addOthers' : 'tasks.addImages')}</Text>
          <Hint>{t('newTask.dropText')}</Hint>
        </div>
        <Group gap={8} mt={8}>
          <FileButtons onFiles={(found) => void add(found)} />
        </Group>
      </DropZone>
    </Stack>
  );
}
