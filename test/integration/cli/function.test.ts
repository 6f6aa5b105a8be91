import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createClient } from '../../support/client.ts';
import { makeImage } from '../../support/images.ts';
import { startChatServer } from '../../support/chat-server.ts';
import { finderWeights, squareFinder, writeModel } from '../../support/onnx/square-finder.ts';
import { startServer } from '../../support/server.ts';
import { runHere } from './support/run-here.ts';
import { runLimner } from './support/run-limner.ts';
import { sharedFolder } from '../../support/temporary-folder.ts';

const folder = sharedFolder();
/** A socket path without an Engine. */
const env = { DOCKER_HOST: 'unix:///nonexistent/docker.sock' };
const limner = (...args: string[]) => runHere(['function', ...args, '--data-dir', server.dataDir]);

const yaml = (name: string, more = '') => `metadata:
  name: ${name}
  annotations: { name: A detector, type: detector, spec: '[{"name":"car","type":"rectangle"}]' }
spec:
  handler: main:handler
  runtime: python:3.10
${more}`;

const handler = join(folder, 'handler');
mkdirSync(handler);
writeFileSync(join(handler, 'main.py'), 'def handler(context, event):\n    return []\n');
writeFileSync(join(handler, 'function.yaml'), yaml('local'));
const model = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (text: string) => (body += text));
  request.on('end', () => {
    const { fail, image } = JSON.parse(body) as { fail?: number; image?: string };
    if (fail !== undefined) response.writeHead(fail, { 'Content-Type': 'text/plain' }).end('no such tensor');
    else if (image === undefined) response.end(body);
    else response.end(JSON.stringify([{ label: 'car', size: Buffer.from(image, 'base64').length }]));
  });
});
await new Promise<void>((resolve) => model.listen(0, '127.0.0.1', resolve));
const address = model.address();
const modelUrl = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/`;
const server = await startServer({ dataDir: join(folder, 'data'), env });
const client = createClient(server.url, server.authorization);
await client.good('POST', '/api/models/endpoints', { json: { configuration: yaml('elsewhere'), url: modelUrl } });
afterAll(async () => {
  await server.stop();
  model.close();
});

describe('limner function', () => {
  it('lists functions in the columns of Nuclio, and as JSON', async () => {
    const { exitCode, output } = await limner('list');
    expect(exitCode).toBe(0);
    expect(output.trim().split('\n')).toEqual([
      expect.stringMatching(/^NAMESPACE +NAME +PROJECT +STATE +NODE PORT +REPLICAS$/),
      expect.stringMatching(/^nuclio +elsewhere +default +ready +- +1\/1$/),
    ]);
    expect((await limner('list', '--wide')).output).toMatch(/TYPE +WORKERS.*\n.*detector/);
    expect(JSON.parse((await limner('list', '--json')).output)).toMatchObject([
      { name: 'elsewhere', kind: 'detector' },
    ]);
  });

  it('says that there are none', async () => {
    const { output, exitCode } = await runLimner(['function', 'list', '--data-dir', join(folder, 'empty')], { env });
    expect([exitCode, output]).toEqual([0, 'No functions found\n']);
  });

  it('shows a function, and refuses a missing one', async () => {
    const { output } = await limner('get', 'elsewhere');
    expect(output).toMatch(/^Name: +elsewhere \("A detector"\)$/m);
    expect(output).toMatch(/^Labels: +car$/m);
    expect(output).toContain(modelUrl);
    const missing = await limner('get', 'nothing');
    expect([missing.exitCode, missing.errorOutput]).toEqual([3, expect.stringContaining('no function "nothing"')]);
  });

  it('calls a function with an image, or with JSON, and writes the answer to a file', async () => {
    const image = join(folder, 'photo.jpg');
    const bytes = await makeImage();
    writeFileSync(image, bytes);
    const found = await limner('invoke', 'elsewhere', '--input', image);
    expect([found.exitCode, JSON.parse(found.output)]).toEqual([0, [{ label: 'car', size: bytes.length }]]);
    const json = await limner('invoke', 'elsewhere', '--body', '{"a":1}', '--threshold', '0.5');
    expect(JSON.parse(json.output)).toEqual({ a: 1, threshold: 0.5 });
    const target = join(folder, 'answer.json');
    const saved = await limner('invoke', 'elsewhere', '--body', '{}', '--output', target);
    expect([saved.exitCode, saved.output, saved.errorOutput]).toEqual([0, '', `Saved ${target}\n`]);
  });

  it.each([
    ['--base', ['--base', 'image:1'], /--base needs --container/],
    ['--gpu-memory', ['--gpu-memory', '900'], /--gpu-memory needs --container/],
    ['--container', ['--container'], /--container needs --base: a Python environment/],
  ])('adds no ONNX model if %s lacks a requirement', async (_what, more, message) => {
    const file = writeModel(join(folder, 'squares.onnx'), squareFinder());
    const result = await runHere(['model', 'add', file, ...more, '--data-dir', server.dataDir]);
    expect([result.exitCode, result.errorOutput]).toEqual([2, expect.stringMatching(message)]);
    expect((await limner('list')).output).not.toContain('squares');
  });

  it('adds a vision model behind a chat endpoint', async () => {
    await using chat = await startChatServer(['seer-7b.gguf', 'small'], 'open-sesame');
    const add = (...args: string[]) => runHere(['model', 'add', ...args, '--data-dir', server.dataDir]);
    const refused = await add(chat.url, '--chat', 'huge', '--api-key', 'open-sesame');
    expect([refused.exitCode, refused.errorOutput]).toEqual([3, expect.stringContaining('does not offer "huge"')]);
    const added = await add(chat.url, '--chat', 'seer-7b.gguf', '--api-key', 'open-sesame');
    expect([added.exitCode, added.output]).toEqual([0, `Function seer-7b asks seer-7b.gguf at ${chat.url}\n`]);
    expect((await limner('get', 'seer-7b')).output).toContain(chat.url);
    const file = await add(join(folder, 'squares.onnx'), '--chat', 'small');
    expect([file.exitCode, file.errorOutput]).toEqual([2, expect.stringContaining('--chat needs the address')]);
  });

  it('adds an ONNX model with the weights beside it, and exports its settings for the next time', async () => {
    const model = (...args: string[]) => runHere(['model', ...args, '--data-dir', server.dataDir]);
    const file = writeModel(join(folder, 'far.onnx'), squareFinder({}, { elsewhere: 'far.onnx.data' }));
    const lone = await model('add', file);
    expect([lone.exitCode, lone.errorOutput]).toEqual([
      1,
      expect.stringContaining('stores its weights in "far.onnx.data", which is missing'),
    ]);
    writeModel(join(folder, 'far.onnx.data'), finderWeights());
    expect(await model('add', file, '--labels', 'stone,leaf')).toMatchObject({ exitCode: 0 });
    const { output } = await model('export-reading', 'far');
    expect(JSON.parse(output)).toMatchObject({ file_name: 'far.onnx', description: { labels: ['stone', 'leaf'] } });
    writeFileSync(join(folder, 'far.limner.json'), output);
    const again = await model('add', file, '--check');
    expect(again.output).toContain('Labels:  stone, leaf');
    expect(again.output).toContain('Because: The settings come from "far.limner.json".');
    await limner('delete', 'far');
  });

  it.each([
    ['a fault of the function', '{"fail":500}', 1, /Status 500: no such tensor/],
    ['a refusal of the function', '{"fail":422}', 3, /no such tensor/],
    ['no JSON', 'nonsense', 2, /must be a JSON object/],
  ])('ends a call with a code and a sentence: %s', async (_what, body, exitCode, message) => {
    const result = await limner('invoke', 'elsewhere', '--body', body);
    expect([result.exitCode, result.output, result.errorOutput]).toEqual([
      exitCode,
      '',
      expect.stringMatching(message),
    ]);
  });

  it.each([
    ['nothing to deploy', ['deploy'], 2, /--path DIR/],
    ['a folder that is not there', ['deploy', '--path', '/nowhere'], 2, /Folder not found: \/nowhere/],
    ['another platform', ['deploy', '--platform', 'kube', '--path', '.'], 2, /Allowed choices are local/],
    ['a limit that is none', ['deploy', '--path', '.', '--resource-limit', 'cpu'], 2, /NAME=VALUE/],
    ['a volume that is not there', ['deploy', '--path', '.', '--volume', '/nowhere:/a'], 2, /\/nowhere does not exist/],
    ['other triggers', ['deploy', '--path', '.', '--triggers', '{"c":{"kind":"cron"}}'], 2, /number of workers/],
    [
      'an unknown sample',
      ['deploy', '--sample', 'nothing'],
      3,
      /no sample "nothing"\. Available: colored-objects, grow-region/,
    ],
    ['an archive that is not there', ['import-image', '/nowhere.tar'], 2, /File not found: \/nowhere\.tar/],
  ])('reports an error: %s', async (_what, args, exitCode, message) => {
    const result = await limner(...args);
    expect([result.exitCode, result.output]).toEqual([exitCode, '']);
    expect(result.errorOutput).toMatch(message);
  });

  it('names file, line and key of an invalid configuration', async () => {
    const file = join(folder, 'wrong.yaml');
    writeFileSync(file, yaml('local', '  eventTimeout: soon\n'));
    const { exitCode, errorOutput } = await limner('deploy', '--path', handler, '--file', file);
    expect(exitCode).toBe(3);
    expect(errorOutput).toMatch(/wrong\.yaml, line 7, spec\.eventTimeout/);
  });

  it('says what is missing without an Engine, and changes nothing', async () => {
    for (const args of [
      ['deploy', '--path', handler, '--base-image', 'limner/base-python:latest'],
      ['import-image', join(handler, 'main.py')],
    ]) {
      const { exitCode, errorOutput, output } = await limner(...args);
      expect([args[0], exitCode, output]).toEqual([args[0], 1, '']);
      expect(errorOutput).toMatch(/Docker/);
      expect(errorOutput).not.toMatch(/The log in the data directory/);
    }
    expect((await limner('list')).output).not.toContain('local');
    const check = await limner('deploy', '--path', handler, '--check');
    expect(check.exitCode).toBe(0);
    expect(check.output).toMatch(/^local: detector, 1 label$[\s\S]*Docker/m);
  });

  it('prints the log, and deletes a function', async () => {
    expect(await limner('logs', 'elsewhere')).toMatchObject({ exitCode: 0 });
    expect(await limner('delete', 'elsewhere')).toMatchObject({ exitCode: 0, output: 'Deleted elsewhere\n' });
    expect((await limner('delete', 'elsewhere')).exitCode).toBe(3);
  });
});
