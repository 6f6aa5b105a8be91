import { IconPhotoPlus } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import type { NamedFile } from '../api/uploads.ts';
import { useText } from '../i18n/index.ts';
import { chooseMedia, nameForTask } from '../parts/files/media-files.ts';
import { dragHasFiles, filesOfDrop } from '../parts/files/dropped-files.ts';
import { useCreation } from '../parts/task-creation/creation-store.ts';
import { Text } from '../ui/kit.ts';
import { notify } from '../ui/notify.ts';
import classes from './window-drop.module.css';

const belongsToAnother = (event: DragEvent): boolean =>
  event.target instanceof Element && event.target.closest('[data-own-drop], [role="dialog"]') !== null;

/** Makes a task of what was dropped (on a project's page: in that project) and opens its first job. */
function useTaskFromFiles(): (files: NamedFile[]) => Promise<void> {
  const t = useText();
  const navigate = useNavigate();
  const client = useQueryClient();
  const start = useCreation((store) => store.start);
  const { projectId } = useParams({ strict: false });
  const inProject = projectId === undefined ? {} : { project_id: Number(projectId) };
  return async (found) => {
    const { files } = chooseMedia(found);
    if (files.length === 0) return notify.failure(t('newTask.failed'), t('newTask.noImages'));
    const task = { name: nameForTask(files, new Date()), ...inProject };
    const created = await start({ task, data: { image_quality: 70, sorting_method: 'natural' }, files });
    void client.invalidateQueries({ queryKey: ['tasks'] });
    void client.invalidateQueries({ queryKey: ['projects'] });
    if (created === null) return;
    const taskId = String(created.taskId);
    if (created.jobId === null) await navigate({ to: '/tasks/$taskId', params: { taskId } });
    else await navigate({ to: '/tasks/$taskId/jobs/$jobId', params: { taskId, jobId: String(created.jobId) } });
  };
}

/** Takes a folder, files or an archive dropped anywhere on the window. */
export function WindowDrop() {
  const t = useText();
  const [over, setOver] = useState(false);
  const run = useTaskFromFiles();
  const take = useRef(run);
  useEffect(() => {
    take.current = run;
  });

  useEffect(() => {
    let depth = 0;
    const on = (event: DragEvent, run: () => void): void => {
      if (!dragHasFiles(event)) return;
      event.preventDefault();
      if (!belongsToAnother(event)) run();
    };
    const enter = (event: DragEvent): void => on(event, () => setOver((depth += 1) > 0));
    const leave = (event: DragEvent): void => on(event, () => setOver((depth = Math.max(0, depth - 1)) > 0));
    const move = (event: DragEvent): void => on(event, () => undefined);
    const drop = (event: DragEvent): void =>
      on(event, () => {
        depth = 0;
        setOver(false);
        if (event.dataTransfer !== null) void filesOfDrop(event.dataTransfer).then((files) => take.current(files));
      });
    window.addEventListener('dragenter', enter);
    window.addEventListener('dragleave', leave);
    window.addEventListener('dragover', move);
    window.addEventListener('drop', drop);
    return () => {
      window.removeEventListener('dragenter', enter);
      window.removeEventListener('dragleave', leave);
      window.removeEventListener('dragover', move);
      window.removeEventListener('drop', drop);
    };
  }, []);

  if (!over) return null;
  return (
    <div className={classes.veil}>
      <div className={classes.frame}>
        <IconPhotoPlus size={40} stroke={1.25} />
        <Text fw={600} fz="lg">
          {t('drop.title')}
        </Text>
        <Text c="dimmed">{t('drop.text')}</Text>
      </div>
    </div>
  );
}
