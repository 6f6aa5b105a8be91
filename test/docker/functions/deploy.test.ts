import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { execFileSync } from 'node:child_process';
import { afterAll, describe, expect, test } from 'vitest';
import { deploySchema } from '../../../preload/contract/schema/functions.ts';
import {
  createDockerHarness,
  functionYaml,
  nodeBase,
  obedientHandler,
  pythonBase,
} from '../../support/functions/docker-harness.ts';

const harness = await createDockerHarness();
await harness.core.functions.service.buildBaseImage(harness.admin, { language: 'node' });
await harness.core.functions.service.buildBaseImage(harness.admin, { language: 'python' });
afterAll(() => harness.dispose());

const detector = `exports.handler = async (context, event) => [{ label: 'car', type: 'rectangle', points: [1, 2, 3, 4], confidence: '0.5' }];`;
const pythonDetector = `
import json
def init_context(context):
    context.user_data.ready = True
def handler(context, event):
    return context.Response(body=json.dumps([{"label": "car", "points": [1, 2, 3, 4], "type": "rectangle", "confidence": "0.25"}]),
        headers={}, content_type="application/json", status_code=200)
`;

describe('a base image and a folder, without a build', () => {
  test('runs a Node.js handler', async () => {
    const deployed = await harness.deployHandler({ name: 'plain-node' }, detector);
    expect(deployed).toMatchObject({
      name: 'plain-node',
      namespace: 'nuclio',
      project: 'default',
      state: 'ready',
      replicas: '1/1',
      way: 'handler',
      kind: 'detector',
      message: '',
    });
    expect(deployed.node_port).toBeGreaterThan(1024);
    expect(await harness.call('plain-node', { image: '' })).toMatchObject({
      status: 200,
      body: [{ label: 'car', points: [1, 2, 3, 4] }],
    });
  });

  test('runs a Python handler', async () => {
    const directory = harness.folderWith({
      'main.py': pythonDetector,
      'function.yaml': functionYaml({ name: 'plain-python', runtime: 'python:3.8' }),
    });
    const deployed = await harness.deploy({ directory, base_image: pythonBase });
    expect(deployed).toMatchObject({ state: 'ready', message: '' });
    expect((await harness.call('plain-python', { image: '' })).body).toEqual([
      { label: 'car', points: [1, 2, 3, 4], type: 'rectangle', confidence: '0.25' },
    ]);
    expect(await harness.log('plain-python')).toMatch(
      /Adding the handler to .*[\s\S]*Ready[\s\S]*The function is ready/,
    );
  });

  test('stores files of the request instead of a folder for the next deployment', async () => {
    const file = (path: string, text: string) => ({ path, content: Buffer.from(text).toString('base64') });
    const deployed = await harness.deploy({
      configuration: functionYaml({ name: 'uploaded' }),
      base_image: nodeBase,
      files: [
        file('main.js', "exports.handler = async () => require('./lib/part.js');"),
        file('lib/part.js', 'module.exports = { part: 1 };'),
      ],
    });
    expect(deployed).toMatchObject({ state: 'ready', directory: null });
    expect((await harness.call('uploaded', {})).body).toEqual({ part: 1 });
    await harness.core.functions.service.redeploy(harness.admin, 'uploaded');
    await harness.core.functions.service.deployed('uploaded');
    expect(harness.function('uploaded')).toMatchObject({ state: 'ready', message: '' });
    expect((await harness.call('uploaded', {})).body).toEqual({ part: 1 });
  });

  test('runs a handler in the configuration itself', async () => {
    const code = Buffer.from('exports.handler = async () => ({ inline: true });').toString('base64');
    await harness.deploy({
      configuration: functionYaml({
        name: 'inline',
        spec: `  build:\n    functionSourceCode: ${code}\n    baseImage: ${nodeBase}`,
      }),
    });
    expect((await harness.call('inline', {})).body).toEqual({ inline: true });
  });

  test('mounts a folder with a function.yaml, whichever file it was deployed by', async () => {
    const directory = harness.folderWith({
      'main.js': obedientHandler,
      'other.yaml': functionYaml({ name: 'has-yaml' }),
    });
    await harness.deploy({ directory, configuration_name: 'other.yaml', base_image: nodeBase });
    const { body } = await harness.call('has-yaml', { do: 'read', path: 'function.yaml' });
    expect((body as { text: string }).text).toContain('name: has-yaml');
  });
});

describe('an image', () => {
  /** An image with a handler, built like Nuclio's. Its command is Nuclio's `processor`. */
  async function nuclioImage(name: string): Promise<void> {
    const container = await harness.docker.createContainer({ Image: nodeBase, Cmd: ['processor'] });
    const { pack } = await import('tar-stream');
    const archive = pack();
    archive.entry({ name: 'opt/nuclio/main.js' }, obedientHandler);
    archive.finalize();
    await container.putArchive(Readable.from(archive), { path: '/' });
    await container.commit({ repo: name, tag: '1' });
    await container.remove();
  }

  test("of Nuclio in the Engine runs with Limner's runtime", async () => {
    await nuclioImage('limner-test/nuclio-made');
    const deployed = await harness.deploy({
      configuration: functionYaml({ name: 'from-image', spec: '  image: limner-test/nuclio-made:1' }),
    });
    expect(deployed).toMatchObject({ state: 'ready', way: 'image' });
    expect((await harness.call('from-image', {})).status).toBe(200);
    await harness.docker.getImage('limner-test/nuclio-made:1').remove({ force: true });
  });

  test('with its own server runs unchanged', async () => {
    const container = await harness.docker.createContainer({ Image: nodeBase, Cmd: ['node'] });
    await container.commit({
      repo: 'limner-test/own-server',
      tag: '1',
      changes: `CMD ["node", "-e", "require('http').createServer((q, a) => a.end('mine')).listen(8080)"]`,
    });
    await container.remove();
    await harness.deploy({
      configuration: functionYaml({ name: 'own-server' }),
      image: 'limner-test/own-server:1',
      grants: ['network:limner-functions'],
    });
    expect((await harness.call('own-server', {})).text).toBe('mine');
    await harness.docker.getImage('limner-test/own-server:1').remove({ force: true });
  });

  test.each(['.tar', '.tar.gz', '.tar.xz'])('is loaded from an archive of docker save: %s', async (extension) => {
    const name = `limner-test/saved${extension.replaceAll('.', '-')}`;
    await nuclioImage(name);
    const folder = harness.folderWith({});
    const archive = join(folder, `image${extension}`);
    const saved = await harness.docker.getImage(`${name}:1`).get();
    if (extension === '.tar.gz') await pipeline(saved, createGzip({ level: 1 }), createWriteStream(archive));
    else await pipeline(saved, createWriteStream(archive.replace(/\.xz$/, '')));
    if (extension === '.tar.xz') execFileSync('xz', ['-0', archive.replace(/\.xz$/, '')]);
    await harness.docker.getImage(`${name}:1`).remove({ force: true });

    const deployed = await harness.deploy({ configuration: functionYaml({ name: 'from-archive' }), archive });
    expect(deployed).toMatchObject({ state: 'ready', way: 'image' });
    expect(await harness.log('from-archive')).toContain(`Imported ${name}:1`);
    expect((await harness.call('from-archive', {})).status).toBe(200);
    await harness.core.functions.service.remove(harness.admin, 'from-archive');
    await harness.docker.getImage(`${name}:1`).remove({ force: true });
  });

  test('is refused with a sentence if the file is not an archive', async () => {
    const folder = harness.folderWith({ 'photo.tar': 'not a tar at all' });
    await expect(harness.core.functions.service.importFile(harness.admin, join(folder, 'photo.tar'))).rejects.toThrow(
      /Cannot import the file: .* Choose an archive created by "docker save"/,
    );
  });

  test('that does not exist is refused before anything happens', async () => {
    const request = deploySchema.parse({
      configuration: functionYaml({ name: 'no-image' }),
      image: 'nowhere/nothing:9',
    });
    await expect(harness.core.functions.service.deploy(harness.admin, request)).rejects.toThrow(
      /Docker does not have the image "nowhere\/nothing:9".*Import it from an archive.*Nothing was changed/,
    );
    expect(() => harness.function('no-image')).toThrow();
  });
});

describe('a build', () => {
  const withDirectives = (name: string, directives: string, base = nodeBase) => ({
    name,
    spec: `  build:\n    baseImage: ${base}\n    directives:\n${directives}`,
  });

  test('executes the directives before and after the handler is copied', async () => {
    const directory = harness.handlerFolder(
      withDirectives(
        'built',
        [
          '      preCopy:',
          '        - kind: ENV',
          '          value: BEFORE=yes',
          '        - kind: RUN',
          '          value: \'["/usr/local/bin/node", "-e", "require(`fs`).writeFileSync(`/opt/before`, process.env.BEFORE + require(`fs`).existsSync(`/opt/nuclio/main.js`))"]\'',
          '      postCopy:',
          '        - kind: RUN',
          '          value: \'["/usr/local/bin/node", "-e", "require(`fs`).writeFileSync(`/opt/after`, String(require(`fs`).existsSync(`/opt/nuclio/main.js`)))"]\'',
        ].join('\n'),
      ),
    );
    const deployed = await harness.deploy({ directory });
    expect(deployed).toMatchObject({ state: 'ready', way: 'build', message: '' });
    expect((await harness.call('built', { do: 'read', path: '/opt/before' })).body).toEqual({ text: 'yesfalse' });
    expect((await harness.call('built', { do: 'read', path: '/opt/after' })).body).toEqual({ text: 'true' });
    expect(await harness.log('built')).toMatch(/Step 1\/\d+ : FROM limner\/base-node:latest/);
  });

  test('that fails reports the step, and leaves nothing behind', async () => {
    const directory = harness.handlerFolder(
      withDirectives(
        'bad-build',
        '      preCopy:\n        - kind: RUN\n          value: \'["/usr/local/bin/node", "-e", "process.exit(3)"]\'',
      ),
    );
    const failed = await harness.deploy({ directory });
    expect(failed.state).toBe('error');
    expect(failed.message).toMatch(
      /Cannot build the image of .*: The command .* returned a non-zero code: 3.*had no network access/,
    );
    expect(await harness.containers('bad-build')).toEqual([]);
  });

  test('has no network unless it is granted', async () => {
    // The marker prevents the Engine from reusing the cached step of the previous build.
    const configuration = (marker: string) =>
      functionYaml(
        withDirectives(
          'offline-build',
          `      preCopy:\n        - kind: RUN\n          value: '["/usr/local/bin/node", "-e", "console.log(Object.keys(require(\`os\`).networkInterfaces()).filter((name) => name !== \`lo\`).length + \` interfaces ${marker}\`)"]'`,
        ),
      );
    const directory = harness.folderWith({ 'main.js': obedientHandler });
    await harness.deploy({ directory, configuration: configuration('closed') });
    expect(await harness.log('offline-build')).toContain('0 interfaces closed');
    await harness.deploy({ directory, configuration: configuration('open'), grants: ['build-network'] });
    expect(await harness.log('offline-build')).toMatch(/[1-9]\d* interfaces open/);
  });

  test('with a remote source for the Engine is refused until it is granted', async () => {
    const directory = harness.handlerFolder(
      withDirectives(
        'fetching',
        '      preCopy:\n        - kind: ADD\n          value: https://example.com/weights.bin /opt/weights.bin',
      ),
    );
    const { service } = harness.core.functions;
    const check = await service.check(harness.admin, deploySchema.parse({ directory }));
    expect(check.directives).toEqual([
      expect.objectContaining({ key: 'spec.build.directives.preCopy[0]', kind: 'network' }),
    ]);
    expect(check.permissions).toEqual([expect.objectContaining({ id: 'build-network' })]);
    await expect(service.deploy(harness.admin, deploySchema.parse({ directory }))).rejects.toThrow(
      /Access the network while its image is built/,
    );
  });

  test('reports in advance which directives need the network, and missing files', async () => {
    const directory = harness.handlerFolder(
      withDirectives(
        'needy',
        [
          '      preCopy:',
          '        - kind: RUN',
          '          value: apt update && apt install -y python3',
          '        - kind: RUN',
          '          value: pip install onnxruntime',
        ].join('\n'),
        'nvidia/cuda:11.8.0-cudnn8-runtime-ubuntu22.04',
      ),
    );
    const check = await harness.core.functions.service.check(harness.admin, deploySchema.parse({ directory }));
    expect(check).toMatchObject({ way: 'build', has_image: false });
    expect(check.directives.map(({ key, kind }) => [key, kind])).toEqual([
      ['spec.build.baseImage', 'missing'],
      ['spec.build.directives.preCopy[0]', 'likely-network'],
      ['spec.build.directives.preCopy[1]', 'likely-network'],
    ]);
  });

  test('cannot take the name of an existing image of another purpose', async () => {
    const directory = harness.handlerFolder({
      name: 'thief',
      spec: `  build:\n    image: ${nodeBase}\n    baseImage: ${nodeBase}\n    directives:\n      preCopy:\n        - kind: ENV\n          value: A=b`,
    });
    const before = (await harness.docker.getImage(nodeBase).inspect()).Id;
    expect((await harness.deploy({ directory })).message).toMatch(
      /that image exists and was not built for this function/,
    );
    expect((await harness.docker.getImage(nodeBase).inspect()).Id).toBe(before);
  });
});

describe('deploying a name again', () => {
  test('leaves exactly one container, with the previous port, and the image of each version', async () => {
    const first = await harness.deployHandler({ name: 'again' }, 'exports.handler = async () => ({ version: 1 });');
    expect((await harness.call('again', {})).body).toEqual({ version: 1 });
    const second = await harness.deployHandler({ name: 'again' }, 'exports.handler = async () => ({ version: 2 });');
    expect((await harness.call('again', {})).body).toEqual({ version: 2 });
    expect(second.node_port).toBe(first.node_port);
    const containers = await harness.containers('again');
    expect(containers).toHaveLength(1);
    const images = await harness.docker.listImages({ filters: { reference: ['limner-function/again'] } });
    expect(images).toHaveLength(2);
  });

  test('keeps the old one running if initialization fails, and says why', async () => {
    const named = (name: string) => ({ name: 'fragile', annotations: { name } });
    await harness.deployHandler(named('The good one'), 'exports.handler = async () => ({ good: true });');
    const bad = "exports.initContext = () => { throw new Error('weights are gone'); }; exports.handler = () => {};";
    const [before] = await harness.containers('fragile');
    const failed = await harness.deployHandler(named('The bad one'), bad);
    expect(failed).toMatchObject({ state: 'ready', title: 'The good one', replicas: '1/1' });
    expect(failed.message).toMatch(/the previous one is still running.*exited while it was starting \(exit code 1/);
    expect(failed.message).toContain('weights are gone');
    expect((await harness.containers('fragile')).map(({ Id }) => Id)).toEqual([before?.Id]);
    expect((await harness.call('fragile', {})).body).toEqual({ good: true });
  });

  test('keeps the old one running if it is refused', async () => {
    const code = 'exports.handler = async () => ({ kept: true });';
    const directory = harness.handlerFolder({ name: 'kept' }, code);
    await harness.deploy({ directory, base_image: nodeBase });
    const { service } = harness.core.functions;
    await expect(
      service.deploy(harness.admin, deploySchema.parse({ directory, base_image: 'nowhere/nothing' })),
    ).rejects.toThrow(/does not have the image/);
    await expect(
      service.deploy(harness.admin, deploySchema.parse({ directory, base_image: nodeBase, network: 'host' })),
    ).rejects.toThrow(/network of this computer/);
    expect(harness.function('kept')).toMatchObject({ state: 'ready', message: '' });
    expect((await harness.call('kept', {})).body).toEqual({ kept: true });
  });

  test('keeps the old one running if the build fails, and says so', async () => {
    const code = 'exports.handler = async () => ({ still: true });';
    const directory = harness.handlerFolder({ name: 'still' }, code);
    await harness.deploy({ directory, base_image: nodeBase });
    const failed = await harness.deploy({
      directory,
      way: 'build',
      configuration: functionYaml({
        name: 'still',
        spec: `  build:\n    baseImage: ${nodeBase}\n    directives:\n      preCopy:\n        - kind: RUN\n          value: '["/nothing"]'`,
      }),
    });
    expect(failed.state).toBe('ready');
    expect(failed.message).toMatch(/The last deployment failed; the previous one is still running/);
    expect((await harness.call('still', {})).body).toEqual({ still: true });
  });

  test('deleting a function deletes its container and its built image, and keeps base images', async () => {
    await harness.deployHandler({ name: 'goes' }, detector);
    await harness.core.functions.service.remove(harness.admin, 'goes');
    expect(() => harness.function('goes')).toThrow(/no function "goes"/);
    expect(await harness.containers('goes')).toEqual([]);
    expect(await harness.docker.listImages({ filters: { reference: ['limner-function/goes'] } })).toEqual([]);
    expect(await harness.docker.getImage(nodeBase).inspect()).toBeDefined();
  });
});
