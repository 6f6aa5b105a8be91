import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { signIn, type TestClient } from '../support/client.ts';
import { makeImages } from '../support/images.ts';
import { useServer } from '../support/use-server.ts';
import { sharedFolder } from '../support/temporary-folder.ts';
import { prepareExecutable } from './python.ts';

const run = promisify(execFile);
/** Examples per operation. A higher number gives a longer search with other examples. */
const examples = process.env['SCHEMATHESIS_EXAMPLES'] ?? '3';
const seed = process.env['SCHEMATHESIS_SEED'] ?? '1';
/** Other suites check bodies. OpenAPI cannot describe the empty answer to an `Upload-Start`. */
const checks = 'no_internal_error,status_code_conformance';
const nobody = 'tcp://127.0.0.1:9';

const folder = sharedFolder();
const program = await prepareExecutable('schemathesis', 'requirements-schemathesis.txt');
// Generated requests must not reach the containers of this machine.
const server = await useServer({ env: { DOCKER_HOST: nobody } });
await fill(await signIn(server));

/** Creates one object of each kind that schemathesis_hooks.py refers to. */
async function fill(client: TestClient): Promise<void> {
  const project = await client.createProject('prepared', [{ name: 'car' }, { name: 'bus' }]);
  const images = await makeImages(4);
  const task = await client.taskWithImages({ project_id: project.id, segment_size: 2 }, images, { chunk_size: 2 });
  const [job] = await client.jobs(task.id);
  await client.good('POST', '/api/issues', { json: { job: job?.id, frame: 0, position: [1, 1], message: 'look' } });
  await client.good('POST', '/api/guides', { json: { project_id: project.id, markdown: '# How to' } });
  await client.good('POST', '/api/organizations', { json: { slug: 'prepared' } });
  const webhook = { target_url: 'http://127.0.0.1:9/hook', type: 'project', project_id: project.id };
  await client.good('POST', '/api/webhooks', {
    json: { ...webhook, content_type: 'application/json', events: ['update:task'] },
  });
}

async function token(): Promise<string> {
  const { user: username, password } = server;
  const body = JSON.stringify({ username, password });
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${server.url}/api/auth/login`, { method: 'POST', headers, body });
  return ((await answer.json()) as { key: string }).key;
}

type Answers = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** Output of the program, and the answers that it counted. The options are documented by Schemathesis. */
async function schemathesis(): Promise<{ said: string; answers: Answers }> {
  const answersFile = join(folder, 'answers.json');
  const args = [
    ['run', `${server.url}/api/schema/?scheme=json`, '--header', `Authorization: Token ${await token()}`],
    ['--checks', checks, '--phases', 'coverage,fuzzing,stateful', '--max-examples', examples],
    ['--seed', seed, '--generation-database', 'none', '--no-shrink', '--continue-on-failure'],
    // The run needs its session.
    ['--exclude-path', '/api/auth/logout'],
    // The answer stays open for minutes; `test/integration/http/annotation-news` tests it.
    ['--exclude-path', '/api/limner/jobs/{id}/changes'],
    // The same; `test/sdk/native-functions` tests it.
    ['--exclude-path', '/api/functions/queues/{queue_id}/watch'],
    // It would replace the workbench with a backup and end the run's session; `test/faults/backup` tests it.
    ['--exclude-path', '/api/limner/backups/restore'],
    ['--suppress-health-check', 'all', '--request-timeout', '60', '--warnings', 'off', '--no-color'],
  ].flat();
  const env = {
    ...process.env,
    ANSWERS: answersFile,
    SCHEMATHESIS_HOOKS: 'schemathesis_hooks',
    PYTHONPATH: import.meta.dirname,
    PYTHONDONTWRITEBYTECODE: '1',
  };
  const said = await run(program, args, { cwd: folder, env, maxBuffer: 64 * 1024 * 1024 }).then(
    ({ stdout }) => stdout,
    (error: { stdout?: string }) => `Failed.\n${error.stdout ?? String(error)}`,
  );
  return { said, answers: JSON.parse(readFileSync(answersFile, 'utf8')) as Answers };
}

test(
  'no request, valid or not, gives an internal error or an undocumented status',
  { timeout: 1_800_000 },
  async () => {
    const { said, answers } = await schemathesis();
    expect(said).not.toMatch(/^Failed/);
    const statuses = Object.values(answers);
    expect(statuses.filter((counts) => '500' in counts)).toEqual([]);
    const documented = Object.entries(answers).filter(([, counts]) => Object.keys(counts).some((code) => code < '300'));
    expect(documented.length).toBeGreaterThan(100);
    expect(answers['PATCH /api/tasks/{id}/annotations/']).toHaveProperty('200');
    expect(answers['POST /api/tasks/{id}/data/']).toHaveProperty('202');
  },
);
