import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams, useRouter } from '@tanstack/react-router';
import { isOpenableByName } from '../../../../preload/contract/media-names.ts';
import { type FoundFile, openAllFound } from '../../../shared/files/found-files.ts';
import { nameForPaths, nameForTask, useChooseMedia } from '../../../shared/files/media-files.ts';
import { type NewMedia, useCreation } from './creation-dialog.tsx';

/** True for images that need no preparation as a whole: no archives, videos, context images and unusual names. */
const canOpenByNames = (files: readonly FoundFile[]): boolean =>
  files.length > 1 &&
  files.every(({ path }) => isOpenableByName(path)) &&
  new Set(files.map(({ path }) => path)).size === files.length;

export interface OpenMedia {
  files(files: readonly FoundFile[]): Promise<void>;
  /** Local files and folders, used in place. */
  paths(paths: readonly string[]): Promise<void>;
}

/** Creates a task from media (in the project of the open page) and opens its first job. */
export function useOpenMedia(): OpenMedia {
  const choose = useChooseMedia();
  const navigate = useNavigate();
  const router = useRouter();
  const client = useQueryClient();
  const start = useCreation((store) => store.start);
  const { projectId } = useParams({ strict: false });
  const inProject = projectId === undefined ? {} : { project_id: Number(projectId) };
  const open = async (name: string, media: NewMedia): Promise<void> => {
    // The editor's code loads while the files are sent; the ids are of no task.
    const editor = { to: '/tasks/$taskId/jobs/$jobId', params: { taskId: '0', jobId: '0' } } as const;
    void router.preloadRoute(editor).catch(() => undefined);
    const data = { image_quality: 70, sorting_method: 'natural' as const };
    const created = await start({ task: { name, ...inProject }, data, media });
    for (const key of ['tasks', 'projects', 'requests']) void client.invalidateQueries({ queryKey: [key] });
    if (created === null) return;
    const taskId = String(created.taskId);
    if (created.jobId === null) await navigate({ to: '/tasks/$taskId', params: { taskId } });
    else await navigate({ to: '/tasks/$taskId/jobs/$jobId', params: { taskId, jobId: String(created.jobId) } });
  };
  return {
    async files(found) {
      const chosen = choose(found);
      if (chosen === null) return;
      const { files } = chosen;
      const media = canOpenByNames(files) ? { byNames: files } : { files: await openAllFound(files) };
      await open(nameForTask(files, new Date()), media);
    },
    async paths(paths) {
      if (paths.length > 0) await open(nameForPaths(paths, new Date()), { paths });
    },
  };
}
