import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { signIn, type TestClient } from '../../support/client.ts';
import { box, newToken, taskThere } from '../../support/remote-pair.ts';
import { sharedFolder } from '../../support/temporary-folder.ts';
import { useServer } from '../../support/use-server.ts';
import { runLimner, type CommandResult } from '../cli/support/run-limner.ts';

const folder = sharedFolder();
const [hereServer, thereServer] = await Promise.all([useServer(), useServer()]);
const tokenFile = join(folder, 'token.txt');
let here: TestClient;
let there: TestClient;
beforeAll(async () => {
  [here, there] = [await signIn(hereServer), await signIn(thereServer)];
  writeFileSync(tokenFile, `${await newToken(there)}\n`);
});

const remote = (...args: string[]): Promise<CommandResult> =>
  runLimner(['remote', ...args, '--data-dir', hereServer.dataDir]);
async function good(...args: string[]): Promise<string> {
  const { exitCode, output, errorOutput } = await remote(...args);
  expect(exitCode, errorOutput).toBe(0);
  return output.trim();
}
const json = async (...args: string[]): Promise<unknown> => JSON.parse(await good(...args, '--json'));

it('checks out, compares, pulls, pushes and publishes from a terminal', async () => {
  const { task, jobs } = await taskThere(there);
  const [job] = jobs.map(String);
  const [car] = await there.labels(task);
  await there.changeAnnotations('tasks', task, 'create', { shapes: [box(car!.id, 0, 5)] });

  expect(await good('add', 'team', there.baseUrl, '--token-file', tokenFile)).toContain('CVAT 2.73.0');
  expect(await good('list')).toContain('team');
  expect(await good('list', 'team', '--kind', 'job', '--task', String(task))).toContain(`North gate, job ${job}`);
  expect(await good('checkout', 'team', '--task', String(task), '--budget', '1GB')).toBe('1 job is checked out.');
  expect(await good('status', 'team')).toMatch(/out +- +- +0$/);

  const [link] = (await here.perform('listRemoteJobs', {})).results;
  const [shape] = (await here.annotations('jobs', link!.job_id!)).shapes;
  await here.changeAnnotations('jobs', link!.job_id!, 'update', { shapes: [{ ...shape!, occluded: true }] });
  expect(await good('status', 'team', job!)).toContain('changed here');
  const pushed = '0 added, 1 changed, 0 removed';
  expect(await good('push', 'team', job!, '--dry-run')).toBe(`Job ${job}: Would push ${pushed}.`);
  expect(await good('push', 'team', '--all')).toBe(`Job ${job}: Pushed ${pushed}.`);
  expect(await json('push', 'team', job!)).toMatchObject([{ action: 'push', changed: { changed: 0 }, conflicts: [] }]);

  const [theirs] = (await there.annotations('tasks', task)).shapes;
  await there.changeAnnotations('tasks', task, 'update', { shapes: [{ ...theirs!, z_order: 3 }] });
  await here.changeAnnotations('jobs', link!.job_id!, 'update', { shapes: [{ ...shape!, z_order: 4 }] });
  const refused = await remote('push', 'team', job!);
  expect(refused).toMatchObject({ exitCode: 3, errorOutput: expect.stringContaining('1 conflict') });
  expect(await good('pull', 'team', job!, '--conflicts', 'theirs')).toContain(`Job ${job}: Pulled ${pushed}`);
  expect((await here.annotations('jobs', link!.job_id!)).shapes).toMatchObject([{ z_order: 3 }]);

  const local = await taskThere(here, 2);
  expect(await good('publish', 'team', '--task', String(local.task))).toContain('Published 1 task');
  expect(await json('list', 'team', '--search', 'North gate')).toMatchObject({ count: 2 });
});

it('refuses an unknown server, a job that is not checked out and a wrong size', async () => {
  expect(await remote('status', 'nowhere')).toMatchObject({
    exitCode: 3,
    errorOutput: expect.stringContaining('Connected: team'),
  });
  expect(await remote('push', 'team', '987654')).toMatchObject({ exitCode: 3 });
  expect(await remote('checkout', 'team', '--task', '1', '--budget', 'much')).toMatchObject({ exitCode: 2 });
});
