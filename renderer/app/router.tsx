import {
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  parseSearchWith,
  redirect,
  stringifySearchWith,
} from '@tanstack/react-router';
import type { JobFilters } from '../api/queries.ts';
import { AnnotatePage } from '../features/annotate/annotate-page.tsx';
import { JobsPage } from '../features/jobs/jobs-page.tsx';
import { JoinPage } from '../features/organizations/join-page.tsx';
import { ModelPage, type ModelAddress } from '../features/models/model-page.tsx';
import { ModelsPage } from '../features/models/models-page.tsx';
import { NewModelPage } from '../features/models/new-model-page.tsx';
import { OrganizationPage } from '../features/organizations/organization-page.tsx';
import { OrganizationsPage } from '../features/organizations/organizations-page.tsx';
import { ProjectPage } from '../features/projects/project-page.tsx';
import { ProjectsPage } from '../features/projects/projects-page.tsx';
import { RequestsPage } from '../features/requests/requests-page.tsx';
import { SettingsPage } from '../features/settings/settings-page.tsx';
import { SignInPage } from '../features/sign-in/sign-in-page.tsx';
import { NewTaskPage } from '../features/tasks/new-task-page.tsx';
import { TaskPage } from '../features/tasks/task-page.tsx';
import { TasksPage } from '../features/tasks/tasks-page.tsx';
import { NewWebhookPage } from '../features/webhooks/new-webhook-page.tsx';
import { ReceiverPage } from '../features/webhooks/receiver-page.tsx';
import { WebhookPage } from '../features/webhooks/webhook-page.tsx';
import type { WebhookAddress } from '../features/webhooks/webhook-address.ts';
import { WebhooksPage } from '../features/webhooks/webhooks-page.tsx';
import { AppFrame } from './app-frame.tsx';
import { CrashScreen } from './crash-screen.tsx';
import { NotFoundPage } from './not-found-page.tsx';
import { Shell } from './shell.tsx';

const numberOr = (value: unknown, fallback: number): number => {
  const number = Number(value);
  return Number.isInteger(number) && number >= 0 ? number : fallback;
};
const textOr = (value: unknown): string => (typeof value === 'string' ? value : scalarText(value));
const scalarText = (value: unknown): string =>
  typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';

/** Values of an address stand there as they are, without quotes: only `true` and whole numbers are more than text. */
const readValue = (text: string): unknown => {
  if (text === 'true') return true;
  return /^(0|[1-9]\d{0,14})$/.test(text) ? Number(text) : text;
};

/** Page and search of a list, in the address, so that going back finds the list as it was. */
const listSearch = (search: Record<string, unknown>) => ({
  ...(numberOr(search['page'], 1) > 1 ? { page: numberOr(search['page'], 1) } : {}),
  ...(textOr(search['q']) === '' ? {} : { q: textOr(search['q']) }),
  ...(textOr(search['sort']) === '' ? {} : { sort: textOr(search['sort']) }),
});
/** The named texts of an address that are there. */
const chosenTexts = <Name extends string>(
  search: Record<string, unknown>,
  names: readonly Name[],
): Partial<Record<Name, string>> =>
  Object.fromEntries(
    names.map((name) => [name, textOr(search[name])]).filter(([, value]) => value !== ''),
    // The names come from the list alone.
  ) as Partial<Record<Name, string>>;
export interface ListSearch {
  readonly page?: number;
  readonly q?: string;
  readonly sort?: string;
}

const root = createRootRoute({
  component: Shell,
  notFoundComponent: NotFoundPage,
  errorComponent: ({ error }) => <CrashScreen error={error} />,
});

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: (search: Record<string, unknown>): { next?: string } => {
    const next = textOr(search['next']);
    return next.startsWith('/') && !next.startsWith('//') ? { next } : {};
  },
  component: () => <SignInPage next={signIn.useSearch().next ?? '/tasks'} />,
});

const join = createRoute({
  getParentRoute: () => root,
  path: '/join',
  validateSearch: (search: Record<string, unknown>): { key?: string } =>
    textOr(search['key']) === '' ? {} : { key: textOr(search['key']) },
  component: () => <JoinPage invitation={join.useSearch().key ?? ''} />,
});

const annotate = createRoute({
  getParentRoute: () => root,
  path: '/tasks/$taskId/jobs/$jobId',
  validateSearch: (search: Record<string, unknown>): { frame?: number } =>
    search['frame'] === undefined ? {} : { frame: numberOr(search['frame'], 0) },
  component: () => {
    const { taskId, jobId } = annotate.useParams();
    return (
      <AnnotatePage key={jobId} taskId={Number(taskId)} jobId={Number(jobId)} startFrame={annotate.useSearch().frame} />
    );
  },
});

const frame = createRoute({
  getParentRoute: () => root,
  id: 'frame',
  component: () => (
    <AppFrame>
      <Outlet />
    </AppFrame>
  ),
});

const home = createRoute({
  getParentRoute: () => frame,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/tasks' });
  },
});
const projects = createRoute({
  getParentRoute: () => frame,
  path: '/projects',
  validateSearch: (search: Record<string, unknown>): ListSearch & { readonly create?: boolean } => ({
    ...listSearch(search),
    ...(search['create'] === true ? { create: true } : {}),
  }),
  component: () => <ProjectsPage search={projects.useSearch()} />,
});
const project = createRoute({
  getParentRoute: () => frame,
  path: '/projects/$projectId',
  component: () => (
    <ProjectPage key={project.useParams().projectId} projectId={Number(project.useParams().projectId)} />
  ),
});
const tasks = createRoute({
  getParentRoute: () => frame,
  path: '/tasks',
  validateSearch: (search: Record<string, unknown>): ListSearch => listSearch(search),
  component: () => <TasksPage search={tasks.useSearch()} />,
});
const newTask = createRoute({
  getParentRoute: () => frame,
  path: '/tasks/new',
  validateSearch: (search: Record<string, unknown>): { project?: number } =>
    search['project'] === undefined ? {} : { project: numberOr(search['project'], 0) },
  component: () => <NewTaskPage projectId={newTask.useSearch().project} />,
});
const task = createRoute({
  getParentRoute: () => frame,
  path: '/tasks/$taskId',
  validateSearch: (search: Record<string, unknown>): { tab?: 'issues' } =>
    search['tab'] === 'issues' ? { tab: 'issues' } : {},
  component: () => (
    <TaskPage key={task.useParams().taskId} taskId={Number(task.useParams().taskId)} tab={task.useSearch().tab} />
  ),
});
const requests = createRoute({ getParentRoute: () => frame, path: '/requests', component: () => <RequestsPage /> });

const jobFilters = ['state', 'stage', 'assignee', 'task_id', 'project_id'] as const;
const jobs = createRoute({
  getParentRoute: () => frame,
  path: '/jobs',
  validateSearch: (search: Record<string, unknown>): ListSearch & JobFilters => ({
    ...listSearch(search),
    ...chosenTexts(search, jobFilters),
  }),
  component: () => <JobsPage search={jobs.useSearch()} />,
});

const settingsHome = createRoute({
  getParentRoute: () => frame,
  path: '/settings',
  beforeLoad: () => {
    throw redirect({ to: '/settings/$section', params: { section: 'appearance' } });
  },
});
const settings = createRoute({
  getParentRoute: () => frame,
  path: '/settings/$section',
  notFoundComponent: NotFoundPage,
  component: () => <SettingsPage section={settings.useParams().section} />,
});

const organizations = createRoute({
  getParentRoute: () => frame,
  path: '/organizations',
  component: () => <OrganizationsPage />,
});
const organization = createRoute({
  getParentRoute: () => frame,
  path: '/organizations/$organizationId',
  component: () => {
    const { organizationId } = organization.useParams();
    return <OrganizationPage key={organizationId} organizationId={Number(organizationId)} />;
  },
});

const models = createRoute({ getParentRoute: () => frame, path: '/models', component: () => <ModelsPage /> });
const newModel = createRoute({ getParentRoute: () => frame, path: '/models/new', component: () => <NewModelPage /> });
const model = createRoute({
  getParentRoute: () => frame,
  path: '/models/$name',
  validateSearch: (search: Record<string, unknown>): ModelAddress => {
    const { tab } = search;
    return tab === 'log' || tab === 'configuration' ? { tab } : {};
  },
  component: () => {
    const { name } = model.useParams();
    return <ModelPage key={name} name={name} search={model.useSearch()} />;
  },
});

const webhooks = createRoute({
  getParentRoute: () => frame,
  path: '/webhooks',
  validateSearch: (search: Record<string, unknown>): ListSearch => listSearch(search),
  component: () => <WebhooksPage search={webhooks.useSearch()} />,
});
const newWebhook = createRoute({
  getParentRoute: () => frame,
  path: '/webhooks/new',
  validateSearch: (search: Record<string, unknown>): { project?: number; target?: string } => ({
    ...(search['project'] === undefined ? {} : { project: numberOr(search['project'], 0) }),
    ...chosenTexts(search, ['target']),
  }),
  component: () => {
    const { project, target } = newWebhook.useSearch();
    return <NewWebhookPage projectId={project} target={target} />;
  },
});
const receiver = createRoute({
  getParentRoute: () => frame,
  path: '/webhooks/receiver',
  component: () => <ReceiverPage />,
});
const webhookFilters = ['tab', 'event', 'outcome', 'attempt', 'state', 'message', 'delivery'] as const;
const webhook = createRoute({
  getParentRoute: () => frame,
  path: '/webhooks/$webhookId',
  validateSearch: (search: Record<string, unknown>): ListSearch & WebhookAddress => ({
    ...listSearch(search),
    ...chosenTexts(search, webhookFilters),
  }),
  component: () => {
    const { webhookId } = webhook.useParams();
    return <WebhookPage key={webhookId} webhookId={Number(webhookId)} search={webhook.useSearch()} />;
  },
});

const tree = root.addChildren([
  signIn,
  join,
  annotate,
  frame.addChildren([
    home,
    projects,
    project,
    tasks,
    newTask,
    task,
    jobs,
    requests,
    settingsHome,
    settings,
    organizations,
    organization,
    models,
    newModel,
    model,
    webhooks,
    newWebhook,
    receiver,
    webhook,
  ]),
]);

export const createAppRouter = () =>
  createRouter({
    routeTree: tree,
    defaultPreload: false,
    scrollRestoration: false,
    parseSearch: parseSearchWith(readValue),
    stringifySearch: stringifySearchWith(JSON.stringify),
  });
export type AppRouter = ReturnType<typeof createAppRouter>;

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouter;
  }
}
