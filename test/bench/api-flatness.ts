import { join } from 'node:path';
import { hashPassword } from '../../main/users/auth/password-hash.ts';
import { Store } from '../../main/db/store.ts';
import { signIn } from '../support/client.ts';
import { makeImages } from '../support/images.ts';
import { startServer, type RunningServer } from '../support/server.ts';
import { tokenHeader } from './edit.ts';
import { createHttpProbe, requireGood, type HttpProbe } from './support/http-probe.ts';
import type { BenchOptions } from './support/options.ts';
import { makeShapes } from './support/shapes.ts';
import { asRatio, inMilliseconds, median, percentile } from './support/statistics.ts';
import { printNote, printTable } from './support/table.ts';
import { withWorkspace } from './support/workspace.ts';

const defaultRounds = 5;
const requestsPerRound = 40;
const shapesOnFrame = 100;
/**
 * The owner of the project, and the assignee of one of its jobs. Neither is an admin, so the visibility rules apply.
 */
const people = ['owner', 'annotator'] as const;
const password = 'a password for the bench';

interface Side {
  readonly server: RunningServer;
  readonly probes: Readonly<Record<'admin' | (typeof people)[number], HttpProbe>>;
  readonly questions: readonly Question[];
}
interface Question {
  readonly name: string;
  readonly by: keyof Side['probes'];
  readonly method: 'GET' | 'PATCH';
  readonly path: string;
  readonly body?: string;
  readonly milliseconds: number[];
}

/** Sends the same requests to two services: one whose project has one task, and one whose project has 5,000. */
export async function benchFlatness({ rounds, entry, scale }: BenchOptions): Promise<void> {
  const many = Math.max(2, Math.round(5000 * scale));
  await withWorkspace(async (folder) => {
    const sides: Side[] = [];
    try {
      for (const tasks of [1, many]) sides.push(await prepare(join(folder, `tasks-${tasks}`), tasks, entry));
      for (let round = -1; round < (rounds ?? defaultRounds); round += 1) {
        for (const [index] of sides[0]!.questions.entries()) {
          for (const { probes, questions } of sides) await ask(probes, questions[index]!, round >= 0);
        }
      }
      print(sides, many);
    } finally {
      for (const { server, probes } of sides) {
        for (const probe of Object.values(probes)) probe.close();
        await server.stop();
      }
    }
  });
}

async function ask(probes: Side['probes'], question: Question, isKept: boolean): Promise<void> {
  const { by, method, path, body, milliseconds } = question;
  for (let index = 0; index < requestsPerRound; index += 1) {
    const answer = requireGood(await probes[by].send(method, path, body));
    if (isKept) milliseconds.push(answer.milliseconds);
  }
}

async function prepare(dataDir: string, tasks: number, entry: BenchOptions['entry']): Promise<Side> {
  const first = await startServer({ entry, dataDir });
  const client = await signIn(first);
  const project = await client.createProject('streets', [{ name: 'thing' }]);
  const name = 'a task with a needle';
  const task = await client.taskWithImages({ project_id: project.id, name }, await makeImages(2));
  const [label] = await client.labels(task.id);
  const [job] = await client.jobs(task.id);
  const shapes = makeShapes(shapesOnFrame, label?.id ?? 0);
  await client.changeAnnotations('jobs', job?.id ?? 0, 'create', { shapes });
  const [shape] = (await client.annotations('jobs', job?.id ?? 0)).shapes;
  await first.stop();
  const file = join(dataDir, 'db', 'limner.sqlite');
  repeatTask(file, task.id, tasks - 1);
  giveWork(file, { project: project.id, job: job?.id ?? 0 }, await hashPassword(password));
  const server = await first.restart();
  const probe = async (user: string, userPassword = password) =>
    createHttpProbe(server.url, await tokenHeader({ ...server, user, password: userPassword }));
  const probes = {
    admin: await probe(server.user, server.password),
    owner: await probe('owner'),
    annotator: await probe('annotator'),
  };
  const questions = [
    ...ofOne({ project: project.id, task: task.id, job: job?.id ?? 0, shape }),
    ...ofLists({ project: project.id, task: task.id }),
  ];
  return { server, probes, questions };
}

const get = (name: string, path: string, by: Question['by'] = 'admin'): Question => ({
  name,
  by,
  method: 'GET',
  path,
  milliseconds: [],
});

function ofOne(ids: { project: number; task: number; job: number; shape: unknown }): Question[] {
  return [
    get('annotations of a frame', `/api/jobs/${ids.job}/annotations/?frame=0`),
    {
      ...get('a shape is moved', `/api/jobs/${ids.job}/annotations/?action=update`),
      method: 'PATCH',
      body: JSON.stringify({ shapes: [ids.shape] }),
    },
    get('the task', `/api/tasks/${ids.task}`),
    get('the job', `/api/jobs/${ids.job}`),
    get('the project', `/api/projects/${ids.project}`),
    get('labels of the project', `/api/labels?project_id=${ids.project}`),
    get('labels of the task', `/api/labels?task_id=${ids.task}`),
  ];
}

/** Pages have ten rows. Compare their cost with the lists that request one row. */
function ofLists({ project, task }: { project: number; task: number }): Question[] {
  const filter = (field: string, value: string) =>
    encodeURIComponent(JSON.stringify({ '==': [{ var: field }, value] }));
  return [
    get('projects', '/api/projects'),
    get('tasks: first page', '/api/tasks'),
    get('tasks: one row', '/api/tasks?page_size=1'),
    get('tasks of the project', `/api/tasks?project_id=${project}`),
    get('tasks of the project: one row', `/api/tasks?project_id=${project}&page_size=1`),
    get('tasks by name', '/api/tasks?sort=name'),
    get('tasks by last change', '/api/tasks?sort=-updated_date'),
    get('tasks searched: one is found', '/api/tasks?search=needle'),
    get('tasks searched: all are found', '/api/tasks?search=task'),
    get('tasks filtered: all are found', `/api/tasks?filter=${filter('status', 'annotation')}`),
    get('jobs: first page', '/api/jobs'),
    get('jobs: one row', '/api/jobs?page_size=1'),
    get('jobs of the project', `/api/jobs?project_id=${project}`),
    get('jobs of the project: one row', `/api/jobs?project_id=${project}&page_size=1`),
    get('jobs of the task', `/api/jobs?task_id=${task}`),
    get('jobs by last change', '/api/jobs?sort=-updated_date'),
    get('jobs searched: one is found', '/api/jobs?search=needle'),
    get('jobs searched: all are found', '/api/jobs?search=task'),
    get('jobs filtered: all are found', `/api/jobs?filter=${filter('state', 'new')}`),
    get('its owner: tasks of the project', `/api/tasks?project_id=${project}`, 'owner'),
    get('its owner: jobs of the project', `/api/jobs?project_id=${project}`, 'owner'),
    get('its owner: tasks', '/api/tasks', 'owner'),
    get('its owner: jobs', '/api/jobs', 'owner'),
    get('who has one job: tasks', '/api/tasks', 'annotator'),
    get('who has one job: jobs', '/api/jobs', 'annotator'),
    get('who has one job: jobs of the project', `/api/jobs?project_id=${project}`, 'annotator'),
  ];
}

function giveWork(file: string, { project, job }: { project: number; job: number }, passwordHash: string): void {
  const database = new Store(file);
  const insert = database.query(
    "INSERT INTO user (username, password_hash, group_name, date_joined) VALUES (?, ?, 'user', '')",
  );
  const [owner, annotator] = people.map((name) => insert.run(name, passwordHash).lastInsertRowid);
  database.query('UPDATE project SET owner_id = ? WHERE id = ?').run(owner, project);
  database.query('UPDATE job SET assignee_id = ? WHERE id = ?').run(annotator, job);
  database.close();
}

function repeatTask(file: string, taskId: number, times: number): void {
  const database = new Store(file);
  const columns = (table: string, ...apart: readonly string[]): string =>
    (database.pragma(`table_info(${table})`) as { name: string }[])
      .map(({ name }) => name)
      .filter((name) => !['id', 'task_id', ...apart].includes(name))
      .join(', ');
  const kept = columns('task', 'name');
  const copyTask = database.query(`INSERT INTO task (name, ${kept}) SELECT ?, ${kept} FROM task WHERE id = ?`);
  const copyJobs = database.query(
    `INSERT INTO job (${columns('job')}, task_id) SELECT ${columns('job')}, ? FROM job WHERE task_id = ?`,
  );
  database.write(() => {
    for (let index = 0; index < times; index += 1) {
      copyJobs.run(copyTask.run(`task ${index}`, taskId).lastInsertRowid, taskId);
    }
  });
  database.close();
}

function print([one, several]: readonly Side[], many: number): void {
  const head = ['', 'one task: p50', 'p99', `${many.toLocaleString('en-US')} tasks: p50`, 'p99', 'ratio'];
  printTable(
    'The same requests in a project of one task and of many',
    head,
    (one?.questions ?? []).map(({ name, milliseconds }, index) => {
      const other = several?.questions[index]?.milliseconds ?? [];
      return [
        name,
        inMilliseconds(median(milliseconds)),
        inMilliseconds(percentile(milliseconds, 0.99)),
        inMilliseconds(median(other)),
        inMilliseconds(percentile(other, 0.99)),
        asRatio(median(other), median(milliseconds)),
      ];
    }),
  );
  printNote('One request at a time, to the two services in turn.');
}
