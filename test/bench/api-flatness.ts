import { join } from 'node:path';
import { openDatabase } from '../../main/db/open.ts';
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

interface Side {
  readonly server: RunningServer;
  readonly probe: HttpProbe;
  readonly questions: readonly Question[];
}
interface Question {
  readonly name: string;
  readonly method: 'GET' | 'PATCH';
  readonly path: string;
  readonly body?: string;
  readonly milliseconds: number[];
}

/** The same requests to two services: one whose project has one task, and one whose project has 5,000. */
export async function benchFlatness({ rounds, entry, scale }: BenchOptions): Promise<void> {
  const many = Math.max(2, Math.round(5000 * scale));
  await withWorkspace(async (folder) => {
    const sides: Side[] = [];
    try {
      for (const tasks of [1, many]) sides.push(await prepare(join(folder, `tasks-${tasks}`), tasks, entry));
      for (let round = -1; round < (rounds ?? defaultRounds); round += 1) {
        for (const [index] of sides[0]!.questions.entries()) {
          for (const { probe, questions } of sides) await ask(probe, questions[index]!, round >= 0);
        }
      }
      print(sides, many);
    } finally {
      for (const { server, probe } of sides) {
        probe.close();
        await server.stop();
      }
    }
  });
}

async function ask(probe: HttpProbe, { method, path, body, milliseconds }: Question, isKept: boolean): Promise<void> {
  for (let index = 0; index < requestsPerRound; index += 1) {
    const answer = requireGood(await probe.send(method, path, body));
    if (isKept) milliseconds.push(answer.milliseconds);
  }
}

async function prepare(dataDir: string, tasks: number, entry: BenchOptions['entry']): Promise<Side> {
  const first = await startServer({ entry, dataDir });
  const client = await signIn(first);
  const project = await client.createProject('streets', [{ name: 'thing' }]);
  const task = await client.taskWithImages({ project_id: project.id }, await makeImages(2));
  const [label] = await client.labels(task.id);
  const [job] = await client.jobs(task.id);
  const shapes = makeShapes(shapesOnFrame, label?.id ?? 0);
  await client.changeAnnotations('jobs', job?.id ?? 0, 'create', { shapes });
  const [shape] = (await client.annotations('jobs', job?.id ?? 0)).shapes;
  await first.stop();
  repeatTask(join(dataDir, 'db', 'limner.sqlite'), task.id, tasks - 1);
  const server = await first.restart();
  const probe = createHttpProbe(server.url, await tokenHeader(server));
  const get = (name: string, path: string): Question => ({ name, method: 'GET', path, milliseconds: [] });
  const questions: Question[] = [
    get('annotations of a frame', `/api/jobs/${job?.id}/annotations/?frame=0`),
    {
      name: 'a shape is moved',
      method: 'PATCH',
      path: `/api/jobs/${job?.id}/annotations/?action=update`,
      body: JSON.stringify({ shapes: [shape] }),
      milliseconds: [],
    },
    get('the task', `/api/tasks/${task.id}`),
    get('the job', `/api/jobs/${job?.id}`),
    get('the project', `/api/projects/${project.id}`),
    get('tasks, first page', '/api/tasks'),
    get('tasks of the project', `/api/tasks?project_id=${project.id}`),
    get('tasks, searched', `/api/tasks?search=task`),
    get('tasks, filtered', `/api/tasks?filter=${encodeURIComponent('{"==":[{"var":"status"},"annotation"]}')}`),
    get('jobs, first page', '/api/jobs'),
    get('jobs of the project', `/api/jobs?project_id=${project.id}`),
    get('jobs of the task', `/api/jobs?task_id=${task.id}`),
    get('projects', '/api/projects'),
    get('labels of the project', `/api/labels?project_id=${project.id}`),
    get('labels of the task', `/api/labels?task_id=${task.id}`),
  ];
  return { server, probe, questions };
}

/** Tasks like a given one, with its jobs and its images but without annotations. */
function repeatTask(file: string, taskId: number, times: number): void {
  const database = openDatabase(file);
  const columns = (table: string): string =>
    (database.pragma(`table_info(${table})`) as { name: string }[])
      .map(({ name }) => name)
      .filter((name) => name !== 'id' && name !== 'task_id')
      .join(', ');
  const copyTask = database.prepare(
    `INSERT INTO task (${columns('task')}) SELECT ${columns('task')} FROM task WHERE id = ?`,
  );
  const copyJobs = database.prepare(
    `INSERT INTO job (${columns('job')}, task_id) SELECT ${columns('job')}, ? FROM job WHERE task_id = ?`,
  );
  database.transaction(() => {
    for (let index = 0; index < times; index += 1) copyJobs.run(copyTask.run(taskId).lastInsertRowid, taskId);
  })();
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
