import type { Locator, Page } from 'playwright-core';
import de from '../../../renderer/i18n/de.json' with { type: 'json' };
import en from '../../../renderer/i18n/en.json' with { type: 'json' };
import { containerFunction } from './container-function.ts';
import type { Filled } from './fill.ts';

export const words = { en, de } as const;
export type Language = keyof typeof words;
type Words = (typeof words)[Language];

type Open = (page: Page, words: Words) => Promise<void>;

/** One state to check: an address, and the dialog or menu that is opened there. */
export interface Screen {
  readonly name: string;
  readonly path: string;
  /** On the canvas, Tab moves from object to object; from a control it moves to the next one. */
  readonly isCanvas?: true;
  readonly open?: Open;
}

const button = (page: Page | Locator, name: string): Locator => page.getByRole('button', { name, exact: true }).first();
const byButton =
  (nameOf: (words: Words) => string): Open =>
  (page, words) =>
    button(page, nameOf(words)).click();
const byMenu =
  (nameOf: (words: Words) => string, menuOf = ({ common }: Words) => common.more): Open =>
  async (page, words) => {
    await button(page, menuOf(words)).click();
    await page.getByRole('menuitem', { name: nameOf(words), exact: true }).click();
  };

const inWorkspace = (nameOf: (words: Words) => string): Open => byMenu(nameOf, ({ annotate }) => annotate.menu);

const tabs = (name: string, path: string, all: string): Screen[] =>
  all.split(' ').map((tab) => ({ name: `${name}, ${tab}`, path: `${path}?tab=${tab}` }));

const at = (name: string, path: string, open?: Open): Screen => ({
  name,
  path,
  ...(open === undefined ? {} : { open }),
});
const over = (path: string, opened: Readonly<Record<string, Open>>): Screen[] =>
  Object.entries(opened).map(([name, open]) => at(name, path, open));

const sections =
  'appearance language shortcuts storage backup video functions network file account api-access ssh-keys analytics users history logs about';

/** Every address of the program with every tab of its pages, and every dialog and menu. */
export function everyScreen({ ids }: Pick<Filled, 'ids'>): readonly Screen[] {
  const { project, task, second, job, failed, empty, own, organization, webhook, failing, native } = ids;
  const [ofTask, ofProject, ofWebhook] = [`/tasks/${task}`, `/projects/${project}`, `/webhooks/${webhook}`];
  const workspace = `${ofTask}/jobs/${job}`;
  return [
    at('tasks', '/tasks'),
    at('the second page of tasks', '/tasks?page=2'),
    at('nothing found', '/tasks?q=nothing+of+that+name'),
    at('task', ofTask),
    ...tabs('task', ofTask, 'issues labels guide evaluation quality repository changes'),
    at('task of a long name', `/tasks/${second}`),
    at('task that failed', `/tasks/${failed}`),
    at('task without images', `/tasks/${empty}`),
    ...tabs('task of its own', `/tasks/${own}`, 'labels repository'),
    ...tabs('task without images', `/tasks/${empty}`, 'guide evaluation quality repository'),
    at('no such task', '/tasks/999999'),
    at('new task', '/tasks/new'),
    { name: 'annotate', path: workspace, isCanvas: true },
    { name: 'annotate, review', path: `${workspace}?mode=review`, isCanvas: true },
    at('projects', '/projects'),
    at('new project', '/projects?create=true', (page) => page.getByRole('dialog').waitFor()),
    at('project', ofProject),
    ...tabs('project', ofProject, 'tasks labels issues guide evaluation quality repository changes'),
    at('jobs', '/jobs'),
    at('requests', '/requests'),
    at('models', '/models'),
    at('add a model', '/models/add'),
    at('deploy a function', '/models/new'),
    at('batches', '/models/batches'),
    ...tabs('function', '/models/finder', 'try numbers configuration'),
    ...tabs('function in a container', `/models/${containerFunction}`, 'log versions configuration'),
    ...tabs('function of a model file', '/models/squares', 'try description'),
    at('native function', `/models/native:${native}`),
    at('evaluation', `/evaluations/${ids.evaluation}`),
    at('evaluation of a project', `/evaluations/${ids.ofProject}`),
    at('compared frame', `/evaluations/${ids.evaluation}/frames/1`),
    at('analytics', '/analytics'),
    at('buckets', '/cloudstorages'),
    ...over('/cloudstorages', { 'connect a bucket': byButton(({ buckets }) => buckets.connect) }),
    at('new task from a bucket', '/tasks/new?bucket=1'),
    at('CVAT servers', '/remote'),
    at('no such server', '/remote/999999'),
    ...over('/remote', { 'connect a server': byButton(({ remote }) => remote.connect) }),
    at('webhooks', '/webhooks'),
    at('new webhook', '/webhooks/new'),
    at('receiver', '/webhooks/receiver'),
    ...tabs('webhook', ofWebhook, 'deliveries queue configuration'),
    ...tabs('webhook that fails', `/webhooks/${failing}`, 'deliveries queue'),
    at('organizations', '/organizations'),
    at('organization', `/organizations/${organization}`),
    ...sections.split(' ').map((section) => at(`settings, ${section}`, `/settings/${section}`)),
    at('no such settings', '/settings/nowhere'),
    at('an address that leads nowhere', '/nowhere'),
    at('sign in', '/sign-in'),
    at('join', '/join'),
    ...over(ofTask, {
      export: byButton(({ annotate }) => annotate.export),
      statistics: byButton(({ statistics }) => statistics.title),
      import: byMenu(({ annotate }) => annotate.import),
      'move a task': byMenu(({ moving }) => moving.menu),
      'back up a task': byMenu(({ workBackup }) => workBackup.menu),
      'annotate by a model': byMenu(({ batches }) => batches.menu),
    }),
    at('a batch over what a filter finds', '/models/batches', async (page, say) => {
      await button(page, say.batches.new).click();
      await page.getByText(say.batches.whereKinds.tasks, { exact: true }).click();
    }),
    ...over(`${ofTask}?tab=evaluation`, { 'evaluate a task': byButton(({ evaluations }) => evaluations.evaluate) }),
    ...over(`${ofProject}?tab=evaluation`, {
      'evaluate a project': byButton(({ evaluations }) => evaluations.evaluate),
    }),
    at('what quality goes by', `${ofProject}?tab=quality`, (page, { quality }) =>
      button(page.getByRole('tabpanel'), quality.settings).click(),
    ),
    at('new requirement', `${ofProject}?tab=quality`, (page, { requirements }) =>
      button(page.getByRole('tabpanel'), requirements.add).click(),
    ),
    at('new task with honeypots', '/tasks/new', async (page, { newTask, validation }) => {
      await button(page, newTask.advanced).click();
      await page.getByRole('combobox', { name: validation.mode, exact: true }).click();
      await page.getByRole('option', { name: validation.modes.gt_pool, exact: true }).click();
    }),
    ...over('/tasks', {
      'filter of tasks': byButton(({ lists }) => lists.filter.title),
      palette: (page) => page.keyboard.press('Control+k'),
      'keyboard shortcuts': (page) => page.keyboard.press('Shift+F1'),
    }),
    ...over('/settings/users', { 'new user': byButton(({ users }) => users.new) }),
    ...over('/settings/ssh-keys', { 'new SSH key': byButton(({ sshKeys }) => sshKeys.new) }),
    ...over('/settings/api-access', { 'new token': byButton(({ settings }) => settings.api.newToken) }),
    ...over(`/organizations/${organization}`, { invite: byButton(({ organizations }) => organizations.invite) }),
    {
      name: 'annotate, an object chosen',
      path: workspace,
      isCanvas: true,
      open: (page) => page.getByTestId('object').first().click(),
    },
    {
      name: 'annotate, the menu of an object',
      path: workspace,
      isCanvas: true,
      open: (page) => page.getByTestId('object-id').first().click({ button: 'right' }),
    },
    ...over(workspace, {
      'bulk edit': (page) => page.keyboard.press('Control+e'),
      'export from the workspace': inWorkspace(({ annotate }) => annotate.export),
      'import into the workspace': inWorkspace(({ annotate }) => annotate.import),
      'keyboard shortcuts in the workspace': inWorkspace(({ app }) => app.keys),
    }),
  ];
}

/** Names of screens are needed before their objects exist. */
const none = new Proxy<Filled['ids']>({} as Filled['ids'], { get: () => 0 });
export const screenNames: readonly string[] = everyScreen({ ids: none }).map(({ name }) => name);
