import { createRootRoute, createRoute, createRouter, Outlet, redirect } from '@tanstack/react-router';
import { AnnotatePage } from '../features/annotate/annotate-page.tsx';
import { ProjectPage } from '../features/projects/project-page.tsx';
import { ProjectsPage } from '../features/projects/projects-page.tsx';
import { RequestsPage } from '../features/requests/requests-page.tsx';
import { SignInPage } from '../features/sign-in/sign-in-page.tsx';
import { NewTaskPage } from '../features/tasks/new-task-page.tsx';
import { TaskPage } from '../features/tasks/task-page.tsx';
import { TasksPage } from '../features/tasks/tasks-page.tsx';
import { AppFrame } from './app-frame.tsx';
import { CrashScreen } from './crash-screen.tsx';
import { NotFoundPage } from './not-found-page.tsx';
import { Shell } from './shell.tsx';

const numberOr = (value: unknown, fallback: number): number => {
  const number = Number(value);
  return Number.isInteger(number) && number >= 0 ? number : fallback;
};
const textOr = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';

/** Page and search of a list, in the address, so that going back finds the list as it was. */
const listSearch = (search: Record<string, unknown>) => ({
  ...(numberOr(search['page'], 1) > 1 ? { page: numberOr(search['page'], 1) } : {}),
  ...(textOr(search['q']) === '' ? {} : { q: textOr(search['q']) }),
  ...(textOr(search['sort']) === '' ? {} : { sort: textOr(search['sort']) }),
});
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
  component: () => <TaskPage key={task.useParams().taskId} taskId={Number(task.useParams().taskId)} />,
});
const requests = createRoute({ getParentRoute: () => frame, path: '/requests', component: () => <RequestsPage /> });

const tree = root.addChildren([
  signIn,
  annotate,
  frame.addChildren([home, projects, project, tasks, newTask, task, requests]),
]);

export const createAppRouter = () => createRouter({ routeTree: tree, defaultPreload: false, scrollRestoration: false });
export type AppRouter = ReturnType<typeof createAppRouter>;

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouter;
  }
}
