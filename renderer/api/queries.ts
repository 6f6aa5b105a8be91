import { queryOptions } from '@tanstack/react-query';
import type { AnnotationChange } from '../../preload/contract/schema/annotations.ts';
import type { Arrangement } from '../../preload/contract/schema/arrangement.ts';
import { call } from './client.ts';

/** Keys and fetchers of server state, one place for all screens, so that a change can name what it makes stale. */
const progressStaleMs = 15_000;

export const queries = {
  about: () =>
    queryOptions({ queryKey: ['about'], queryFn: ({ signal }) => call('about', { signal }), staleTime: Infinity }),
  self: () =>
    queryOptions({ queryKey: ['self'], queryFn: ({ signal }) => call('self', { signal }), staleTime: 60_000 }),
  formats: () =>
    queryOptions({ queryKey: ['formats'], queryFn: ({ signal }) => call('formats', { signal }), staleTime: Infinity }),
  formatOptions: () =>
    queryOptions({ queryKey: ['formats', 'options'], queryFn: ({ signal }) => call('formatOptions', { signal }) }),

  /** How many frames of a task or a job a selection comes to. */
  frameCount: (
    kind: 'task' | 'job',
    id: number,
    selection: { readonly frames?: string; readonly annotated?: boolean },
  ) =>
    queryOptions({
      queryKey: ['frames', kind, id, selection],
      queryFn: ({ signal }) =>
        call(kind === 'task' ? 'countTaskFrames' : 'countJobFrames', {
          params: { id },
          body: selection,
          signal,
        }),
      retry: false,
      // Annotations are made meanwhile.
      gcTime: 0,
    }),

  /** What an export would write, counted. */
  exportPreview: (
    kind: 'job' | 'task' | 'project',
    id: number,
    asked: { readonly format: string; readonly arrangement: Arrangement; readonly only_annotated_frames: boolean },
  ) =>
    queryOptions({
      queryKey: ['export', kind, id, asked],
      queryFn: ({ signal }) => {
        const operations = {
          job: 'previewJobExport',
          task: 'previewTaskExport',
          project: 'previewProjectExport',
        } as const;
        return call(operations[kind], { params: { id }, body: asked, signal });
      },
      retry: false,
      refetchOnWindowFocus: false,
      // Annotations are made meanwhile.
      gcTime: 0,
    }),

  /** One frame as an export would write it. */
  exportPicture: (
    kind: 'job' | 'task' | 'project',
    id: number,
    asked: {
      readonly format: string;
      readonly arrangement: Arrangement;
      readonly only_annotated_frames: boolean;
      readonly options: Readonly<Record<string, unknown>>;
      readonly place: number;
    },
  ) =>
    queryOptions({
      queryKey: ['export picture', kind, id, asked],
      queryFn: ({ signal }) => {
        const operations = { job: 'drawJobExport', task: 'drawTaskExport', project: 'drawProjectExport' } as const;
        return call(operations[kind], { params: { id }, body: asked, signal });
      },
      retry: false,
      refetchOnWindowFocus: false,
      // Annotations are made meanwhile.
      gcTime: 0,
    }),

  /** @param before what the service must have first */
  statistics: (kind: 'job' | 'task' | 'project', id: number, before?: () => Promise<unknown>) =>
    queryOptions({
      queryKey: ['statistics', kind, id],
      async queryFn({ signal }) {
        await before?.();
        const operations = {
          job: 'getJobStatistics',
          task: 'getTaskStatistics',
          project: 'getProjectStatistics',
        } as const;
        return call(operations[kind], { params: { id }, signal });
      },
      retry: false,
      refetchOnWindowFocus: false,
      // Annotations are made meanwhile.
      gcTime: 0,
    }),

  /** What lies in a folder of the shared folder; nothing where there is none. */
  share: (directory: string) =>
    queryOptions({
      queryKey: ['share', directory],
      queryFn: ({ signal }) => call('share', { query: { directory }, signal }),
      refetchOnMount: 'always',
      retry: false,
    }),
  projects: (list: ListQuery) =>
    queryOptions({
      queryKey: ['projects', 'list', list],
      queryFn: ({ signal }) => call('listProjects', { query: pageQuery(list), signal }),
      placeholderData: (previous) => previous,
    }),
  /** How many projects are called so. */
  projectsNamed: (name: string) =>
    queryOptions({
      queryKey: ['projects', 'named', name],
      queryFn: async ({ signal }) => (await call('listProjects', { query: { name, page_size: '1' }, signal })).count,
      refetchOnMount: 'always',
    }),
  project: (id: number) =>
    queryOptions({
      queryKey: ['projects', 'one', id],
      queryFn: ({ signal }) => call('getProject', { params: { id }, signal }),
    }),
  tasks: (list: ListQuery & { readonly project_id?: string }) =>
    queryOptions({
      queryKey: ['tasks', 'list', list],
      queryFn: ({ signal }) =>
        call('listTasks', {
          query: { ...pageQuery(list), project_id: list.project_id },
          ...(list.project_id === undefined ? {} : { organization: null }),
          signal,
        }),
      placeholderData: (previous) => previous,
    }),
  jobProgress: (id: number) =>
    queryOptions({
      queryKey: ['jobs', 'progress', id],
      queryFn: ({ signal }) => call('getJobProgress', { params: { id }, signal }),
      // A list shows many of them, and comes back often.
      staleTime: progressStaleMs,
      refetchOnMount: true,
    }),
  projectProgress: (id: number) =>
    queryOptions({
      queryKey: ['projects', 'progress', id],
      queryFn: ({ signal }) => call('getProjectProgress', { params: { id }, signal }),
      refetchOnMount: 'always',
    }),
  task: (id: number) =>
    queryOptions({
      queryKey: ['tasks', 'one', id],
      queryFn: ({ signal }) => call('getTask', { params: { id }, signal }),
    }),
  taskMeta: (id: number) =>
    queryOptions({
      queryKey: ['tasks', 'meta', id],
      queryFn: ({ signal }) => call('getTaskMeta', { params: { id }, signal }),
    }),
  jobs: (taskId: number) =>
    queryOptions({
      queryKey: ['jobs', 'list', taskId],
      queryFn: ({ signal }) =>
        call('listJobs', {
          query: { task_id: String(taskId), page_size: 'all', sort: 'id' },
          organization: null,
          signal,
        }),
    }),
  allJobs: (list: ListQuery) =>
    queryOptions({
      queryKey: ['jobs', 'list', list],
      queryFn: ({ signal }) => call('listJobs', { query: pageQuery(list), signal }),
      placeholderData: (previous) => previous,
    }),
  job: (id: number) =>
    queryOptions({
      queryKey: ['jobs', 'one', id],
      queryFn: ({ signal }) => call('getJob', { params: { id }, signal }),
    }),
  jobMeta: (id: number) =>
    queryOptions({
      queryKey: ['jobs', 'meta', id],
      queryFn: ({ signal }) => call('getJobMeta', { params: { id }, signal }),
    }),
  labels: (of: LabelsOf) =>
    queryOptions({
      queryKey: ['labels', of],
      queryFn: async ({ signal }) => {
        const query = Object.fromEntries(Object.entries(of).map(([key, value]) => [key, String(value)]));
        const page = await call('listLabels', { query: { ...query, page_size: 'all' }, organization: null, signal });
        return page.results.filter((label) => !label.has_parent);
      },
    }),
  /** Models, for the labels that they speak of. */
  labelModels: () =>
    queryOptions({
      queryKey: ['models', 'labels'],
      queryFn: ({ signal }) => call('listLambdaFunctions', { signal }),
      refetchOnMount: 'always',
      retry: false,
    }),
  changes: (owner: ChangeOwner) =>
    queryOptions({
      queryKey: ['changes', owner.kind, owner.id],
      queryFn: ({ signal }) => changesOf(owner, signal),
    }),
  requests: () =>
    queryOptions({
      queryKey: ['requests', 'list'],
      queryFn: ({ signal }) => call('listRequests', { query: { page_size: '100', sort: '-created_date' }, signal }),
    }),
  requestPage: (list: ListQuery) =>
    queryOptions({
      queryKey: ['requests', 'page', list],
      queryFn: ({ signal }) => call('listRequests', { query: pageQuery(list), signal }),
      placeholderData: (previous) => previous,
    }),
  /** What these tasks are called, wherever they are; those that are gone are not among them. */
  taskNames: (ids: readonly number[]) =>
    queryOptions({
      queryKey: ['tasks', 'names', ids],
      queryFn: async ({ signal }) =>
        namesIn(
          ids.length === 0
            ? []
            : (await call('listTasks', { query: amongIds(ids), organization: null, signal })).results,
        ),
      placeholderData: (previous) => previous,
    }),
  projectNames: (ids: readonly number[]) =>
    queryOptions({
      queryKey: ['projects', 'names', ids],
      queryFn: async ({ signal }) =>
        namesIn(
          ids.length === 0
            ? []
            : (await call('listProjects', { query: amongIds(ids), organization: null, signal })).results,
        ),
      placeholderData: (previous) => previous,
    }),
  /** The last preparation of a task's images; null where there was none. Followed while it runs. */
  preparation: (taskId: number) =>
    queryOptions({
      queryKey: ['requests', 'preparation', taskId],
      queryFn: async ({ signal }) => {
        const query = {
          task_id: String(taskId),
          action: 'create',
          target: 'task',
          sort: '-created_date',
          page_size: '1',
        };
        return (await call('listRequests', { query, signal })).results[0] ?? null;
      },
      refetchOnMount: 'always',
      refetchInterval: ({ state }) =>
        state.data?.status === 'queued' || state.data?.status === 'started' ? 1_000 : false,
    }),
  /** Preparations of images that failed and were not made up for. */
  failedPreparations: () =>
    queryOptions({
      queryKey: ['requests', 'failed-preparations'],
      queryFn: async ({ signal }) => {
        const query = { action: 'create', target: 'task', status: 'failed', sort: '-created_date', page_size: '100' };
        return (await call('listRequests', { query, signal })).results;
      },
      refetchOnMount: 'always',
    }),
  requestReport: (id: string) =>
    queryOptions({
      queryKey: ['requests', 'report', id],
      queryFn: ({ signal }) => call('getRequestReport', { params: { id }, signal }),
    }),
};

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

const amongIds = (ids: readonly number[]) => ({
  filter: JSON.stringify({ in: [{ var: 'id' }, ids] }),
  page_size: 'all',
});
const namesIn = (found: readonly { readonly id: number; readonly name: string }[]): ReadonlyMap<number, string> =>
  new Map(found.map(({ id, name }) => [id, name]));

/** Whose annotations, or labels, were changed. */
export interface ChangeOwner {
  readonly kind: 'project' | 'task' | 'job';
  readonly id: number;
}

/** Changes of annotations that can be taken back, the newest first. */
export async function changesOf({ kind, id }: ChangeOwner, signal?: AbortSignal): Promise<readonly AnnotationChange[]> {
  return (await call('listAnnotationChanges', { query: { [`${kind}_id`]: id }, signal })).results;
}
