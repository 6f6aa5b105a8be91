import { queryOptions } from '@tanstack/react-query';
import type { AnnotationChange } from '../../preload/contract/schema/annotations.ts';
import type { DatasetExportOptions } from '../../preload/contract/schema/export-options.ts';
import { refetchOnMount, operationQuery, keepsPrevious, noCache } from './query-options.ts';
import { call } from './client.ts';

type WorkKind = 'job' | 'task' | 'project';
interface ExportWish {
  readonly format: string;
  readonly export_options: DatasetExportOptions;
  readonly only_annotated_frames: boolean;
}
const operationsOf = {
  job: { preview: 'previewJobExport', draw: 'previewJobExportFrame', statistics: 'getJobStatistics' },
  task: { preview: 'previewTaskExport', draw: 'previewTaskExportFrame', statistics: 'getTaskStatistics' },
  project: { preview: 'previewProjectExport', draw: 'previewProjectExportFrame', statistics: 'getProjectStatistics' },
} as const;

/** Keys and fetchers of server state for all screens, so that a change can invalidate them by name. */
const progressStaleMs = 15_000;

/** Requests that prepare a task's images, latest first. */
const preparations = { action: 'create', target: 'task', sort: '-created_date' } as const;

export const queries = {
  about: () => operationQuery(['about'], 'about', {}, { staleTime: Infinity }),
  self: () => operationQuery(['self'], 'self', {}, { staleTime: 60_000 }),
  formats: () => operationQuery(['formats'], 'formats', {}, { staleTime: Infinity }),
  formatOptions: () => operationQuery(['formats', 'options'], 'formatOptions', {}),

  frameCount: (
    kind: 'task' | 'job',
    id: number,
    selection: { readonly frames?: string; readonly annotated?: boolean },
  ) =>
    operationQuery(
      ['frames', kind, id, selection],
      kind === 'task' ? 'countTaskFrames' : 'countJobFrames',
      { params: { id }, body: selection },
      { retry: false, gcTime: 0 },
    ),

  exportPreview: (kind: WorkKind, id: number, wish: ExportWish) =>
    operationQuery(['export', kind, id, wish], operationsOf[kind].preview, { params: { id }, body: wish }, noCache),

  exportPicture: (
    kind: WorkKind,
    id: number,
    wish: ExportWish & { readonly options: Readonly<Record<string, unknown>>; readonly place: number },
  ) =>
    operationQuery(
      ['export picture', kind, id, wish],
      operationsOf[kind].draw,
      { params: { id }, body: wish },
      noCache,
    ),

  /** @param before what the service must have first */
  statistics: (kind: WorkKind, id: number, before?: () => Promise<unknown>) =>
    queryOptions({
      queryKey: ['statistics', kind, id],
      async queryFn({ signal }) {
        await before?.();
        return call(operationsOf[kind].statistics, { params: { id }, signal });
      },
      ...noCache,
    }),

  /** Contents of a folder in the shared folder; empty if it does not exist. */
  share: (directory: string) =>
    operationQuery(['share', directory], 'share', { query: { directory } }, { ...refetchOnMount, retry: false }),
  projects: (list: ListQuery) =>
    operationQuery(['projects', 'list', list], 'listProjects', { query: pageQuery(list) }, keepsPrevious),
  projectsNamed: (name: string) =>
    queryOptions({
      queryKey: ['projects', 'named', name],
      queryFn: async ({ signal }) => (await call('listProjects', { query: { name, page_size: '1' }, signal })).count,
      refetchOnMount: 'always',
    }),
  project: (id: number) => operationQuery(['projects', 'one', id], 'getProject', { params: { id } }),
  tasks: (list: ListQuery & { readonly project_id?: string }) =>
    operationQuery(
      ['tasks', 'list', list],
      'listTasks',
      {
        query: { ...pageQuery(list), project_id: list.project_id },
        ...(list.project_id === undefined ? {} : { organization: null }),
      },
      keepsPrevious,
    ),
  jobProgress: (id: number) =>
    operationQuery(
      ['jobs', 'progress', id],
      'getJobProgress',
      { params: { id } },
      // A list has many of them and is reopened often.
      { staleTime: progressStaleMs, refetchOnMount: true },
    ),
  projectProgress: (id: number) =>
    operationQuery(['projects', 'progress', id], 'getProjectProgress', { params: { id } }, refetchOnMount),
  task: (id: number) => operationQuery(['tasks', 'one', id], 'getTask', { params: { id } }),
  taskMeta: (id: number) => operationQuery(['tasks', 'meta', id], 'getTaskMeta', { params: { id } }),
  changedFrames: (taskId: number) =>
    operationQuery(['tasks', 'changed-frames', taskId], 'listChangedFrames', { params: { id: taskId } }),
  watchedFolder: (taskId: number) =>
    operationQuery(['tasks', 'watched-folder', taskId], 'getWatchedFolder', { params: { id: taskId } }),
  jobs: (taskId: number) =>
    operationQuery(['jobs', 'list', taskId], 'listJobs', {
      query: { task_id: String(taskId), page_size: 'all', sort: 'id' },
      organization: null,
    }),
  allJobs: (list: ListQuery) =>
    operationQuery(['jobs', 'list', list], 'listJobs', { query: pageQuery(list) }, keepsPrevious),
  /** Text prompts are kept by project, and read through any of its jobs. */
  keptPhrases: (of: { readonly id?: string; readonly task_id?: string; readonly project_id?: string }) =>
    queryOptions({
      queryKey: ['jobs', 'prompts', of],
      queryFn: async ({ signal }): Promise<readonly string[]> => {
        const { results } = await call('listJobs', { query: { ...of, page_size: '1' }, organization: null, signal });
        const [job] = results;
        return job === undefined ? [] : (await call('getTextPrompts', { params: { id: job.id }, signal })).prompts;
      },
      staleTime: 0,
    }),
  job: (id: number) => operationQuery(['jobs', 'one', id], 'getJob', { params: { id } }),
  jobFrame: (id: number, frame: number) =>
    operationQuery(['jobs', 'frame', id, frame], 'getJobFrame', { params: { id, frame } }),
  /** The frames of a job around its first displayed one; see {@link firstFrames}. */
  jobMeta(id: number, startFrame: number | undefined) {
    const query = firstFrames(startFrame);
    return operationQuery(['jobs', 'meta', id, query], 'listJobFrames', { params: { id }, query });
  },
  labels: (of: LabelsOf) =>
    queryOptions({
      queryKey: ['labels', of],
      queryFn: async ({ signal }) => {
        const query = Object.fromEntries(Object.entries(of).map(([key, value]) => [key, String(value)]));
        const page = await call('listLabels', { query: { ...query, page_size: 'all' }, organization: null, signal });
        return page.results.filter((label) => !label.has_parent);
      },
    }),
  labelModels: () =>
    operationQuery(['models', 'labels'], 'listLambdaFunctions', {}, { ...refetchOnMount, retry: false }),
  changes: (owner: ChangeOwner) =>
    queryOptions({
      queryKey: ['changes', owner.kind, owner.id],
      queryFn: ({ signal }) => changesOf(owner, signal),
    }),
  requests: () =>
    operationQuery(['requests', 'list'], 'listRequests', { query: { page_size: '100', sort: '-created_date' } }),
  requestPage: (list: ListQuery) =>
    operationQuery(['requests', 'page', list], 'listRequests', { query: pageQuery(list) }, keepsPrevious),
  /** Names of tasks in any organization; deleted ones are missing. */
  taskNames: (ids: readonly number[]) => namesOf('tasks', 'listTasks', ids),
  projectNames: (ids: readonly number[]) => namesOf('projects', 'listProjects', ids),
  /** Last preparation of a task's images; null if there was none. Polled while it runs. */
  readingProgress: (jobId: number) =>
    queryOptions({
      queryKey: ['jobs', 'reading', jobId],
      queryFn: ({ signal }) => call('getReadingProgress', { params: { id: jobId }, signal }),
      refetchOnMount: 'always',
      refetchInterval: ({ state }) => ((state.data?.unsent ?? 0) > 0 ? 1_000 : false),
    }),
  preparation: (taskId: number) =>
    queryOptions({
      queryKey: ['requests', 'preparation', taskId],
      queryFn: async ({ signal }) => {
        const query = { ...preparations, task_id: String(taskId), page_size: '1' };
        return (await call('listRequests', { query, signal })).results[0] ?? null;
      },
      refetchOnMount: 'always',
      refetchInterval: ({ state }) =>
        state.data?.status === 'queued' || state.data?.status === 'started' ? 1_000 : false,
    }),
  failedPreparations: () =>
    queryOptions({
      queryKey: ['requests', 'failed-preparations'],
      queryFn: async ({ signal }) => {
        const query = { ...preparations, status: 'failed', page_size: '100' };
        return (await call('listRequests', { query, signal })).results;
      },
      refetchOnMount: 'always',
    }),
  requestReport: (id: string) => operationQuery(['requests', 'report', id], 'getRequestReport', { params: { id } }),
};

/** Frames that are listed at once: some milliseconds of the service. */
export const framesAtOnce = 2000;
/** The image is shown without the list of all frames, of which a job may have 100,000. */
export const firstFrames = (startFrame = 0) => ({
  frame: Math.max(0, startFrame - framesAtOnce / 2),
  count: framesAtOnce,
});

export interface ListQuery {
  readonly page: number;
  readonly pageSize: number;
  readonly search?: string;
  readonly sort?: string;
  /** JSON Logic. */
  readonly filter?: string | undefined;
}
export type LabelsOf = { readonly project_id: number } | { readonly task_id: number } | { readonly job_id: number };

export const pageQuery = (list: ListQuery) => ({
  page: String(list.page),
  page_size: String(list.pageSize),
  search: list.search === '' ? undefined : list.search,
  sort: list.sort,
  filter: list.filter,
});

function namesOf(kind: 'tasks' | 'projects', operation: 'listTasks' | 'listProjects', ids: readonly number[]) {
  const query = { filter: JSON.stringify({ in: [{ var: 'id' }, ids] }), page_size: 'all' } as const;
  return queryOptions({
    queryKey: [kind, 'names', ids],
    async queryFn({ signal }): Promise<ReadonlyMap<number, string>> {
      const found = ids.length === 0 ? [] : (await call(operation, { query, organization: null, signal })).results;
      return new Map(found.map(({ id, name }) => [id, name]));
    },
    ...keepsPrevious,
  });
}

export interface ChangeOwner {
  readonly kind: 'project' | 'task' | 'job';
  readonly id: number;
}

export async function changesOf({ kind, id }: ChangeOwner, signal?: AbortSignal): Promise<readonly AnnotationChange[]> {
  return (await call('listAnnotationChanges', { query: { [`${kind}_id`]: id }, signal })).results;
}
