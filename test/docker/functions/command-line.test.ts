import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import Docker from 'dockerode';
import sharp from 'sharp';
import { afterAll, describe, expect, test } from 'vitest';
import type { ModelFunction } from '../../../preload/contract/schema/functions.ts';
import { functionYaml, nodeBase, obedientHandler, testSocket, until } from '../../support/functions/docker-harness.ts';
import { nodeExecutable, projectRoot } from '../../support/node-executable.ts';
import { startServer } from '../../support/server.ts';
import { runLimner } from '../../integration/cli/support/run-limner.ts';

const docker = new Docker({ socketPath: testSocket() });
const limner = (...args: string[]) => runLimner(['function', ...args, '--data-dir', server.dataDir]);
const modelOf = async (name: string): Promise<ModelFunction> =>
  JSON.parse((await limner('get', name, '--json')).output) as ModelFunction;

const folder = mkdtempSync(join(tmpdir(), 'limner-function-cli-'));
const server = await startServer({ dataDir: join(folder, 'data') });
afterAll(async () => {
  const { output } = await limner('list', '--json');
  const names = (JSON.parse(output) as ModelFunction[]).map(({ name }) => name);
  if (names.length > 0) await limner('delete', ...names);
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function scene(file: string): Promise<string> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="300"><rect width="400" height="300" fill="#eceae4"/>
    <rect x="40" y="60" width="120" height="80" fill="#c22020"/><circle cx="300" cy="180" r="60" fill="#2a52be"/></svg>`;
  const path = join(folder, file);
  await sharp(Buffer.from(svg)).toFile(path);
  return path;
}

function handlerFolder(name: string, spec = ''): string {
  const path = join(folder, name);
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, 'main.js'), obedientHandler);
  writeFileSync(join(path, 'function.yaml'), functionYaml({ name, spec }));
  writeFileSync(join(path, 'function-gpu.yaml'), functionYaml({ name: `${name}-gpu`, spec }));
  return path;
}

describe('limner function, with an Engine', () => {
  test('deploys a sample on a base image that Limner builds, and shows the progress', async () => {
    const { exitCode, output, errorOutput } = await limner('deploy', '--sample', 'colored-objects');
    expect(errorOutput).toMatch(/^Started on port \d+; waiting until it is ready$/m);
    expect(errorOutput).not.toMatch(/Error|"level"/);
    expect(exitCode).toBe(0);
    expect(output).toMatch(/^Function colored-objects answers at http:\/\/127\.0\.0\.1:\d+ \(2 workers\)\n$/);
  });

  test.each(['photo.jpg', 'photo.png'])('finds the objects on %s, and logs its work', async (file) => {
    const image = await scene(file);
    const { exitCode, output, errorOutput } = await limner('invoke', 'colored-objects', '--input', image);
    expect(exitCode).toBe(0);
    const found = JSON.parse(output) as { label: string; points: number[] }[];
    expect(found.map(({ label }) => label).toSorted()).toEqual(['blue', 'red']);
    const red = found.find(({ label }) => label === 'red')?.points ?? [];
    for (const [index, edge] of [40, 60, 160, 140].entries()) {
      expect(Math.abs((red[index] ?? 0) - edge)).toBeLessThanOrEqual(4);
    }
    expect(errorOutput).toMatch(/^info: 2 objects in 400 x 300 pixels$/m);
    const quiet = await limner('invoke', 'colored-objects', '--input', image, '--log-level', 'none');
    expect([quiet.output, quiet.errorOutput]).toEqual([output, '']);
  });

  test('sends a threshold with the image and a JSON body unchanged, and reports errors', async () => {
    const image = await scene('third.png');
    const none = await limner('invoke', 'colored-objects', '--input', image, '--threshold', '0.99');
    expect(JSON.parse(none.output)).toEqual([]);
    const refused = await limner('invoke', 'colored-objects', '--body', '{"image":"AAAA"}');
    expect([refused.exitCode, refused.errorOutput]).toEqual([3, expect.stringMatching(/not PNG/)]);
    const broken = await limner('invoke', 'colored-objects', '--body', '{}');
    expect(broken.exitCode).toBe(1);
    expect(broken.errorOutput).toMatch(/Status 500: .*image[\s\S]*See limner function logs colored-objects/);
    expect((await limner('logs', 'colored-objects')).output).toMatch(/Deployed\.[\s\S]*KeyError/);
  });

  test('sends points with the image to the sample interactor', async () => {
    expect((await limner('deploy', '--sample', 'grow-region', '--project-name', 'cvat')).exitCode).toBe(0);
    const fields = JSON.stringify({ pos_points: [[300, 180]], neg_points: [] });
    const { output } = await limner('invoke', 'grow-region', '--input', await scene('fourth.jpg'), '--fields', fields);
    const [shape] = (JSON.parse(output) as { shapes: { type: string; points: number[] }[] }).shapes;
    expect(shape?.type).toBe('mask');
    for (const [index, edge] of [240, 120, 360, 240].entries()) {
      expect(Math.abs((shape?.points.slice(-4)[index] ?? 0) - edge)).toBeLessThanOrEqual(4);
    }
  });

  test('lists and compares versions, and activates an earlier one', async () => {
    const path = handlerFolder('turning');
    const deploy = () => limner('deploy', '--path', path, '--base-image', nodeBase);
    expect((await deploy()).exitCode).toBe(0);
    writeFileSync(join(path, 'main.js'), 'exports.handler = async () => ({ turned: true });\n');
    expect((await deploy()).exitCode).toBe(0);
    expect((await limner('invoke', 'turning', '--body', '{}')).output).toContain('turned');
    const [head, ...rows] = (await limner('versions', 'turning')).output.trim().split('\n');
    expect(head).toMatch(/^VERSION +DEPLOYED +ANSWERS +FROM$/);
    expect(rows.map((row) => row.split(/ {2,}/))).toEqual([
      ['2', expect.any(String), 'yes', path],
      ['1', expect.any(String), 'no', path],
    ]);
    const changes = (await limner('changes', 'turning', '2')).output;
    expect(changes).toMatch(/^changed main\.js\n-[^]*\n\+exports\.handler = async \(\) => \(\{ turned: true \}\);\n/);
    expect((await limner('changes', 'turning', '1', '--since', '1')).output).toBe('Versions 1 and 1 are identical.\n');
    const unknown = await limner('rollback', 'turning', '7');
    expect([unknown.exitCode, unknown.errorOutput]).toEqual([3, expect.stringContaining('There are: 2, 1.')]);
    expect((await limner('rollback', 'turning', '1')).output).toBe('Starting version 1 of turning\n');
    await until(async () => (await modelOf('turning')).version === 1);
    expect((await limner('invoke', 'turning', '--body', '{}')).output).toContain('worker');
    await limner('delete', 'turning');
  });

  test('lists functions with the columns of Nuclio', async () => {
    const [head, ...rows] = (await limner('list')).output.trim().split('\n');
    expect(head).toMatch(/^NAMESPACE +NAME +PROJECT +STATE +NODE PORT +REPLICAS$/);
    expect(rows.map((row) => row.split(/ {2,}/).slice(0, 4))).toEqual([
      ['nuclio', 'colored-objects', 'default', 'ready'],
      ['nuclio', 'grow-region', 'cvat', 'ready'],
    ]);
    expect(rows[0]).toMatch(/ \d{2,5} +1\/1$/);
  });

  test('accepts the options of nuctl: folder, file, project, platform, volume, variable, limits, workers', async () => {
    const path = handlerFolder('tool');
    const common = join(folder, 'common');
    mkdirSync(common, { recursive: true });
    writeFileSync(join(common, 'weights.txt'), 'shared');
    const args = ['--path', path, '--file', join(path, 'function-gpu.yaml'), '--base-image', nodeBase];
    const place = ['--project-name', 'streets', '--platform', 'local', '--volume', `${common}:/opt/nuclio/common:ro`];
    const limits = ['--env', 'MODE=test', '--resource-limit', 'cpu=1', '--resource-limit', 'memory=256Mi'];
    const workers = ['--triggers', '{"http": {"maxWorkers": 3}}'];
    const { exitCode, errorOutput } = await limner('deploy', 'renamed', ...args, ...place, ...limits, ...workers);
    expect(errorOutput).not.toContain('Error');
    expect(exitCode).toBe(0);
    expect(await modelOf('renamed')).toMatchObject({
      project: 'streets',
      state: 'ready',
      workers: 3,
      cpu_cores: 1,
      memory_bytes: 256 * 1024 * 1024,
    });
    const read = await limner('invoke', 'renamed', '--body', '{"do":"read","path":"/opt/nuclio/common/weights.txt"}');
    expect(JSON.parse(read.output)).toEqual({ text: 'shared' });
    const env = await limner('invoke', 'renamed', '--body', '{"do":"environment"}');
    expect(JSON.parse(env.output)).toMatchObject({ MODE: 'test' });
  });

  test('refuses special permissions with the option to type, and then allows them', async () => {
    const path = handlerFolder('rooted', '  securityContext:\n    runAsUser: 0');
    const refused = await limner('deploy', '--path', path, '--base-image', nodeBase);
    expect(refused.exitCode).toBe(3);
    expect(refused.errorOutput).toMatch(/Run as root[\s\S]*--allow 'user:0'/);
    const allowed = await limner('deploy', '--path', path, '--base-image', nodeBase, '--allow', 'user:0');
    expect(allowed.exitCode).toBe(0);
  });

  test('reports why a deployment failed, ends with 1, and --check finds it before', async () => {
    const path = handlerFolder('broken');
    writeFileSync(join(path, 'main.js'), 'throw new Error("weights are missing");');
    const failed = await limner('deploy', '--path', path, '--base-image', nodeBase);
    expect(failed.exitCode).toBe(1);
    expect(failed.errorOutput).toContain('weights are missing');
    const missing = await limner('deploy', '--path', path, '--base-image', 'nowhere/nothing:1', '--check');
    expect(missing).toMatchObject({
      exitCode: 1,
      errorOutput: expect.stringContaining('Docker Engine has no image nowhere/nothing:1'),
    });
  });

  test('cancels the deployment when interrupted, and leaves no container', async () => {
    const path = handlerFolder('endless');
    writeFileSync(
      join(path, 'main.js'),
      'exports.initContext = () => new Promise(() => {}); exports.handler = () => 1;',
    );
    const args = ['function', 'deploy', '--path', path, '--base-image', nodeBase, '--data-dir', server.dataDir];
    const child = spawn(nodeExecutable(), [join(projectRoot, 'main', 'cli.ts'), ...args]);
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (text.includes('waiting until it is ready')) child.kill('SIGINT');
    });
    const [code] = (await once(child, 'close')) as [number | null];
    expect([code, said]).toEqual([130, expect.stringContaining('Interrupted: the deployment was cancelled.')]);
    expect(await modelOf('endless')).toMatchObject({ state: 'error', node_port: null });
    expect(await docker.listContainers({ all: true, filters: { label: ['app.limner.function=endless'] } })).toEqual([]);
  });

  test('imports an archive of images, and runs a function from it', async () => {
    const archive = join(folder, 'tool.tar');
    const path = handlerFolder('archived');
    expect((await limner('deploy', '--path', path, '--base-image', nodeBase)).exitCode).toBe(0);
    const { image } = await modelOf('archived');
    await docker.getImage(image ?? '').tag({ repo: 'limner-test/exported', tag: '1' });
    const exported = docker.getImage('limner-test/exported:1');
    await pipeline(await exported.get(), createWriteStream(archive));
    await limner('delete', 'archived');
    await exported.remove({ force: true });
    const imported = await limner('import-image', archive);
    expect([imported.exitCode, imported.output]).toEqual([0, 'limner-test/exported:1\n']);
    expect(imported.errorOutput).toMatch(/^Importing 100 %/m);
    const deployed = await limner('deploy', '--path', path, '--image', 'limner-test/exported:1');
    expect(deployed.errorOutput).not.toContain('Error');
    expect(deployed.exitCode).toBe(0);
    expect((await limner('delete', 'archived')).output).toBe('Deleted archived\n');
    await exported.remove({ force: true });
  });

  test('keeps a function that was deployed without a running Limner, and the next one finds it', async () => {
    const dataDir = join(folder, 'alone');
    const args = ['--path', handlerFolder('alone'), '--base-image', nodeBase, '--data-dir', dataDir];
    const { output, errorOutput, exitCode } = await runLimner(['function', 'deploy', ...args]);
    expect(exitCode).toBe(0);
    expect(errorOutput).toContain('The function is available while Limner runs');
    const port = /127\.0\.0\.1:(\d+)/.exec(output)?.[1];
    const call = () => fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{}' });
    await expect(call()).rejects.toThrow();
    const next = await runLimner(['function', 'invoke', 'alone', '--body', '{}', '--data-dir', dataDir]);
    expect(JSON.parse(next.output)).toMatchObject({ worker: 0 });
    const service = await startServer({ dataDir });
    expect((await until(() => call().catch(() => null))).status).toBe(200);
    await service.stop();
    expect((await runLimner(['function', 'delete', 'alone', '--data-dir', dataDir])).exitCode).toBe(0);
  });
});
