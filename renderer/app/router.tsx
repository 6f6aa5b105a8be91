import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  Outlet,
  parseSearchWith,
  redirect,
  stringifySearchWith,
} from '@tanstack/react-router';
import type { AnalyticsAddress } from '../features/analytics/analytics-page.tsx';
import { reportAddress } from '../features/evaluations/report-card.tsx';
import { type ModelTab, modelTabs } from '../features/models/model-tabs.ts';
import type { ProjectAddress } from '../features/work/projects/project-page.tsx';
import type { ProjectsAddress } from '../features/work/projects/projects-page.tsx';
import type { RemoteAddress } from '../features/remote/server-page.tsx';
import type { WebhookAddress } from '../features/webhooks/log/webhook-address.ts';
import { queries } from '../api/queries.ts';
import { text } from '../i18n/index.ts';
import { filterOf, taskFields } from '../shared/lists/filter/list-filter.ts';
import { type ListAddress, listOf } from '../shared/lists/list-address.ts';
import { PageLoader } from '../ui/page.tsx';
import { chosenNumber, chosenTexts, listSearch, readValue, type Search, textOf } from './address.ts';
import { AppFrame } from './app-frame.tsx';
import { CrashScreen, NotFoundPage, screen } from './crash-screen.tsx';
import { Shell } from './shell.tsx';

const AnalyticsPage = screen(async () => (await import('../features/analytics/analytics-page.tsx')).AnalyticsPage);
const AnnotatePage = screen(async () => (await import('../features/workspace/page/annotate-page.tsx')).AnnotatePage);
const BucketsPage = screen(async () => (await import('../features/buckets/buckets-page.tsx')).BucketsPage);
const EvaluationPage = screen(async () => (await import('../features/evaluations/evaluation-page.tsx')).EvaluationPage);
const ComparedFramePage = screen(
  async () => (await import('../features/evaluations/compared-frame-page.tsx')).ComparedFramePage,
);
const HelpPage = screen(async () => (await import('../features/help/help-page.tsx')).HelpPage);
const JobsPage = screen(async () => (await import('../features/work/jobs/jobs-page.tsx')).JobsPage);
const ModelPage = screen(async () => (await import('../features/models/model-page.tsx')).ModelPage);
const EnginesPage = screen(async () => (await import('../features/models/engine/engines-page.tsx')).EnginesPage);
const BatchesPage = screen(async () => (await import('../features/models/batches-page.tsx')).BatchesPage);
const ModelsPage = screen(async () => (await import('../features/models/models-page.tsx')).ModelsPage);
const ModelFilePage = screen(
  async () => (await import('../features/models/model-files/model-file-page.tsx')).ModelFilePage,
);
const NewModelPage = screen(async () => (await import('../features/models/deploy/new-model-page.tsx')).NewModelPage);
const JoinPage = screen(async () => (await import('../features/organizations/join-page.tsx')).JoinPage);
const OrganizationPage = screen(
  async () => (await import('../features/organizations/organization-page.tsx')).OrganizationPage,
);
const OrganizationsPage = screen(
  async () => (await import('../features/organizations/organizations-page.tsx')).OrganizationsPage,
);
const ProjectPage = screen(async () => (await import('../features/work/projects/project-page.tsx')).ProjectPage);
const ProjectsPage = screen(async () => (await import('../features/work/projects/projects-page.tsx')).ProjectsPage);
const RequestsPage = screen(async () => (await import('../features/requests/requests-page.tsx')).RequestsPage);
const RemoteServerPage = screen(async () => (await import('../features/remote/server-page.tsx')).ServerPage);
const RemoteServersPage = screen(async () => (await import('../features/remote/servers-page.tsx')).ServersPage);
const SettingsPage = screen(async () => (await import('../features/settings/settings-page.tsx')).SettingsPage);
const SignInPage = screen(async () => (await import('../features/sign-in/sign-in-page.tsx')).SignInPage);
const NewTaskPage = screen(async () => (await import('../features/work/tasks/new-task-page.tsx')).NewTaskPage);
const TaskPage = screen(async () => (await import('../features/work/tasks/task-page.tsx')).TaskPage);
const TasksPage = screen(async () => (await import('../features/work/tasks/tasks-page.tsx')).TasksPage);
const NewWebhookPage = screen(async () => (await import('../features/webhooks/new-webhook-page.tsx')).NewWebhookPage);
const ReceiverPage = screen(async () => (await import('../features/webhooks/receiver/receiver-page.tsx')).ReceiverPage);
const WebhookPage = screen(async () => (await import('../features/webhooks/webhook-page.tsx')).WebhookPage);
const WebhooksPage = screen(async () => (await import('../features/webhooks/webhooks-page.tsx')).WebhooksPage);

const withFilter = (filter: string | undefined) => (filter === undefined ? {} : { filter });

const root = createRootRouteWithContext<{ readonly client: QueryClient }>()({
  component: Shell,
  notFoundComponent: () => (
    <AppFrame>
      <NotFoundPage />
    </AppFrame>
  ),
});

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: (search: Search): { next?: string } => {
    const next = textOf(search['next']);
    return next.startsWith('/') && !next.startsWith('//') ? { next } : {};
  },
  loader: SignInPage.load,
  component: () => <SignInPage next={signIn.useSearch().next ?? '/tasks'} />,
});
const join = createRoute({
  getParentRoute: () => root,
  path: '/join',
  validateSearch: (search: Search): { key?: string } => chosenTexts(search, ['key']),
  loader: JoinPage.load,
  component: () => <JoinPage invitation={join.useSearch().key ?? ''} />,
});
const annotate = createRoute({
  getParentRoute: () => root,
  path: '/tasks/$taskId/jobs/$jobId',
  validateSearch: (search: Search): { frame?: number; mode?: string } => ({
    ...chosenNumber(search, 'frame'),
    ...chosenTexts(search, ['mode']),
  }),
  // Its data is requested while the code of the page loads.
  loader({ context: { client }, params, location, cause }) {
    const id = Number(params.jobId);
    const { frame: startFrame } = chosenNumber(location.search, 'frame');
    if (cause === 'enter') {
      void client.prefetchQuery(queries.job(id));
      void client.prefetchQuery(queries.jobMeta(id, startFrame));
      void client.prefetchQuery(queries.labels({ job_id: id }));
    }
    return AnnotatePage.load();
  },
  component: () => {
    const { taskId, jobId } = annotate.useParams();
    const { frame, mode } = annotate.useSearch();
    return (
      <AnnotatePage key={jobId} taskId={Number(taskId)} jobId={Number(jobId)} startFrame={frame} startMode={mode} />
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
const inFrame = <const Path extends string>(path: Path, { load }: { readonly load: () => Promise<void> }) => ({
  getParentRoute: () => frame,
  path,
  loader: load,
});
/** The first page is complete by then. */
const workspaceAfterMs = 700;
const listAddress = (search: Search): ListAddress => listSearch(search);

const home = createRoute({
  getParentRoute: () => frame,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/tasks' });
  },
});
const projects = createRoute({
  ...inFrame('/projects', ProjectsPage),
  validateSearch: (search: Search): ProjectsAddress => ({
    ...listSearch(search),
    ...(search['create'] === true ? { create: true } : {}),
  }),
  component: () => <ProjectsPage search={projects.useSearch()} />,
});
const project = createRoute({
  ...inFrame('/projects/$projectId', ProjectPage),
  validateSearch: (search: Search): ProjectAddress => ({ ...listSearch(search), ...chosenTexts(search, ['tab']) }),
  component: () => {
    const { projectId } = project.useParams();
    return <ProjectPage key={projectId} projectId={Number(projectId)} search={project.useSearch()} />;
  },
});
const tasks = createRoute({
  ...inFrame('/tasks', TasksPage),
  validateSearch: listAddress,
  // The list is requested while the code of its page loads.
  loader({ context, location }) {
    void context.client.prefetchQuery(queries.tasks(listOf(listAddress(location.search), taskFields)));
    return TasksPage.load();
  },
  component: () => <TasksPage search={tasks.useSearch()} />,
});
const newTask = createRoute({
  ...inFrame('/tasks/new', NewTaskPage),
  validateSearch: (search: Search): { project?: number; bucket?: number } => ({
    ...chosenNumber(search, 'project'),
    ...chosenNumber(search, 'bucket'),
  }),
  component: () => {
    const { project: projectId, bucket } = newTask.useSearch();
    return <NewTaskPage projectId={projectId} bucketId={bucket} />;
  },
});
const task = createRoute({
  ...inFrame('/tasks/$taskId', TaskPage),
  validateSearch: (search: Search): { tab?: string } => chosenTexts(search, ['tab']),
  component: () => {
    const { taskId } = task.useParams();
    return <TaskPage key={taskId} taskId={Number(taskId)} tab={task.useSearch().tab} />;
  },
});
const jobs = createRoute({
  ...inFrame('/jobs', JobsPage),
  validateSearch: (search: Search): ListAddress => ({
    // In the form of the API's addresses, which users copy.
    ...withFilter(filterOf(chosenTexts(search, ['state', 'stage', 'assignee', 'task_id', 'project_id']))),
    ...listSearch(search),
  }),
  // Without the parameters merged into the filter, which would be added again at every step.
  component: () => <JobsPage search={listSearch({ ...jobs.useSearch() })} />,
});
const requests = createRoute({
  ...inFrame('/requests', RequestsPage),
  validateSearch: (search: Search): ListAddress => ({
    ...withFilter(filterOf(chosenTexts(search, ['status', 'action', 'target', 'format']))),
    ...listSearch(search),
  }),
  component: () => <RequestsPage search={listSearch({ ...requests.useSearch() })} />,
});

/** The settings contain the keys of the annotation screen; its actions are loaded on demand. */
const loadActions = async () => (await import('../features/workspace/commands/action-list.ts')).sessionActions;

const settingsHome = createRoute({
  getParentRoute: () => frame,
  path: '/settings',
  beforeLoad: () => {
    throw redirect({ to: '/settings/$section', params: { section: 'appearance' } });
  },
});
const settings = createRoute({
  ...inFrame('/settings/$section', SettingsPage),
  notFoundComponent: NotFoundPage,
  component: () => <SettingsPage section={settings.useParams().section} loadActions={loadActions} />,
});
const organizations = createRoute({
  ...inFrame('/organizations', OrganizationsPage),
  component: () => <OrganizationsPage />,
});
const organization = createRoute({
  ...inFrame('/organizations/$organizationId', OrganizationPage),
  component: () => {
    const { organizationId } = organization.useParams();
    return <OrganizationPage key={organizationId} organizationId={Number(organizationId)} />;
  },
});

const models = createRoute({ ...inFrame('/models', ModelsPage), component: () => <ModelsPage /> });
const newModel = createRoute({ ...inFrame('/models/new', NewModelPage), component: () => <NewModelPage /> });
const modelFiles = createRoute({ ...inFrame('/models/add', ModelFilePage), component: () => <ModelFilePage /> });
const engines = createRoute({ ...inFrame('/models/engines', EnginesPage), component: () => <EnginesPage /> });
const batches = createRoute({ ...inFrame('/models/batches', BatchesPage), component: () => <BatchesPage /> });
const model = createRoute({
  ...inFrame('/models/$name', ModelPage),
  validateSearch: ({ tab }: Search): { tab?: ModelTab | undefined } => ({ tab: modelTabs.find((one) => one === tab) }),
  component: () => {
    const { name } = model.useParams();
    return <ModelPage key={name} name={name} search={model.useSearch()} />;
  },
});

const evaluation = createRoute({
  ...inFrame('/evaluations/$evaluationId', EvaluationPage),
  validateSearch: reportAddress,
  component: () => {
    const { evaluationId } = evaluation.useParams();
    return <EvaluationPage key={evaluationId} evaluationId={Number(evaluationId)} search={evaluation.useSearch()} />;
  },
});
const comparedFrame = createRoute({
  ...inFrame('/evaluations/$evaluationId/frames/$frame', ComparedFramePage),
  validateSearch: reportAddress,
  component: () => {
    const { evaluationId, frame: number } = comparedFrame.useParams();
    const search = comparedFrame.useSearch();
    return <ComparedFramePage evaluationId={Number(evaluationId)} frame={Number(number)} search={search} />;
  },
});

const isDay = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));
const analytics = createRoute({
  ...inFrame('/analytics', AnalyticsPage),
  validateSearch: (search: Search): AnalyticsAddress => {
    const days = Object.entries(chosenTexts(search, ['from', 'to'])).filter(([, day]) => isDay(day ?? ''));
    return { ...Object.fromEntries(days), ...chosenNumber(search, 'project'), ...chosenNumber(search, 'person') };
  },
  component: () => <AnalyticsPage search={analytics.useSearch()} />,
});

const help = createRoute({
  ...inFrame('/help', HelpPage),
  validateSearch: (search: Search): { page?: string } => chosenTexts(search, ['page']),
  component: () => <HelpPage page={help.useSearch().page} />,
});

const buckets = createRoute({ ...inFrame('/cloudstorages', BucketsPage), component: () => <BucketsPage /> });
const remoteServers = createRoute({
  ...inFrame('/remote', RemoteServersPage),
  component: () => <RemoteServersPage />,
});
const remoteServer = createRoute({
  ...inFrame('/remote/$serverId', RemoteServerPage),
  validateSearch: (search: Search): RemoteAddress => ({
    ...listSearch(search),
    ...chosenTexts(search, ['kind', 'org', 'state']),
  }),
  component: () => {
    const { serverId } = remoteServer.useParams();
    return <RemoteServerPage key={serverId} serverId={Number(serverId)} search={remoteServer.useSearch()} />;
  },
});

const webhooks = createRoute({
  ...inFrame('/webhooks', WebhooksPage),
  validateSearch: listAddress,
  component: () => <WebhooksPage search={webhooks.useSearch()} />,
});
const newWebhook = createRoute({
  ...inFrame('/webhooks/new', NewWebhookPage),
  validateSearch: (search: Search): { project?: number; target?: string } => ({
    ...chosenNumber(search, 'project'),
    ...chosenTexts(search, ['target']),
  }),
  component: () => {
    const { project, target } = newWebhook.useSearch();
    return <NewWebhookPage projectId={project} target={target} />;
  },
});
const receiver = createRoute({ ...inFrame('/webhooks/receiver', ReceiverPage), component: () => <ReceiverPage /> });
const webhook = createRoute({
  ...inFrame('/webhooks/$webhookId', WebhookPage),
  validateSearch: (search: Search): WebhookAddress => ({
    ...listSearch(search),
    ...chosenTexts(search, ['tab', 'event', 'outcome', 'attempt', 'state', 'message', 'delivery']),
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
    engines,
    batches,
    modelFiles,
    newModel,
    model,
    evaluation,
    comparedFrame,
    analytics,
    help,
    buckets,
    remoteServers,
    remoteServer,
    webhooks,
    newWebhook,
    receiver,
    webhook,
  ]),
]);

/** Loads the code of the workspace, which users open most, while the window is idle. */
export const loadWorkspaceSoon = (): void => {
  const load = (): void => void AnnotatePage.load().catch(() => undefined);
  setTimeout(() => requestIdleCallback(load), workspaceAfterMs);
};

export const createAppRouter = (client: QueryClient) =>
  createRouter({
    routeTree: tree,
    context: { client },
    // Loads a screen's code while its link is hovered.
    defaultPreload: 'intent',
    // Loaded code stays.
    defaultStaleTime: Infinity,
    // A screen that loads quickly shows no loading state.
    defaultPendingMs: 200,
    defaultPendingMinMs: 0,
    defaultPendingComponent: () => <PageLoader label={text('app.loading')} />,
    defaultErrorComponent: ({ error }) => <CrashScreen error={error} />,
    scrollRestoration: false,
    parseSearch: parseSearchWith(readValue),
    stringifySearch: stringifySearchWith(JSON.stringify),
  });
type AppRouter = ReturnType<typeof createAppRouter>;

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouter;
  }
}
