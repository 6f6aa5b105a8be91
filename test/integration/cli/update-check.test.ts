import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { projectRoot } from '../../support/node-executable.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { runLimner } from './support/run-limner.ts';

const { version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as { version: string };
const page = 'https://example.org/releases/v99.1.0';

const answers: Readonly<Record<string, (answer: ServerResponse) => void>> = {
  '/newer': (answer) => answer.end(JSON.stringify({ tag_name: 'v99.1.0', html_url: page })),
  '/same': (answer) => answer.end(JSON.stringify({ tag_name: `v${version}`, html_url: page })),
  '/older': (answer) => answer.end(JSON.stringify({ tag_name: '0.0.9', html_url: page })),
  '/moved': (answer) => answer.writeHead(302, { Location: '/newer' }).end(),
  '/elsewhere': (answer) => answer.writeHead(302, { Location: 'http://127.0.0.2:9/newer' }).end(),
  '/loop': (answer) => answer.writeHead(302, { Location: '/loop' }).end(),
  '/page': (answer) => answer.end('<!doctype html>'),
  '/script': (answer) => answer.end(JSON.stringify({ tag_name: 'v99.1.0', html_url: 'javascript:alert(1)' })),
};
const asked: string[] = [];
const server = createServer((request: IncomingMessage, answer: ServerResponse) => {
  asked.push(request.url ?? '');
  const respond = answers[request.url ?? ''];
  if (respond === undefined) answer.writeHead(404).end();
  else respond(answer);
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
afterAll(() => new Promise((resolve) => server.close(resolve)));
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

const check = (path: string, ...more: string[]) => runLimner(['update-check', '--url', `${origin}${path}`, ...more]);

describe('limner update-check', () => {
  it('names a newer version and its page', async () => {
    const { output, exitCode } = await check('/newer');
    expect([exitCode, output.trim()]).toEqual([0, `Limner 99.1.0 is available, this is ${version}: ${page}`]);
  });

  it.each(['/same', '/older'])('says that the program is up to date: %s', async (path) => {
    expect((await check(path)).output.trim()).toBe(`Limner ${version} is up to date.`);
  });

  it('follows a redirect within the host', async () => {
    const { output } = await check('/moved', '--json');
    expect(JSON.parse(output)).toEqual({ current: version, latest: '99.1.0', isNewer: true, page });
  });

  it.each([
    ['/elsewhere', 'it redirects to another host (http://127.0.0.2:9).'],
    ['/loop', 'it redirects more than 3 times.'],
    ['/page', 'it did not answer with a release ("tag_name" and "html_url").'],
    ['/script', 'it did not answer with a release ("tag_name" and "html_url").'],
    ['/missing', 'it answered with status 404.'],
  ])('fails with the reason: %s', async (path, reason) => {
    const { errorOutput, exitCode } = await check(path);
    expect([exitCode, errorOutput]).toEqual([
      1,
      expect.stringContaining(`Cannot check for updates at ${origin}${path}: ${reason}`),
    ]);
  });

  it('refuses an unencrypted address of another computer without a request', async () => {
    const { errorOutput, exitCode } = await runLimner(['update-check', '--url', 'http://192.0.2.1/latest']);
    expect([exitCode, errorOutput]).toEqual([1, expect.stringContaining('neither https:// nor on this computer')]);
  });

  it('asks the address of the settings', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'settings.json'), JSON.stringify({ updateAddress: `${origin}/newer` }));
    const { output } = await runLimner(['update-check', '--data-dir', folder]);
    expect(output).toContain('Limner 99.1.0 is available');
  });

  it('sends no request without an address', async () => {
    const before = asked.length;
    const { errorOutput, exitCode } = await runLimner(['update-check', '--data-dir', temporaryFolder()]);
    expect([exitCode, errorOutput]).toEqual([2, expect.stringContaining('no address is set')]);
    expect(asked.length).toBe(before);
  });
});
