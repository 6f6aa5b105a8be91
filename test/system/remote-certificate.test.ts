import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { signIn } from '../support/client.ts';
import { newToken } from '../support/remote-pair.ts';
import { startServer } from '../support/server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Serves an HTTP service by TLS, with a certificate of a new authority. Needs OpenSSL. */
async function startTls(folder: string, target: string): Promise<string> {
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  openssl(
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-days',
    '2',
    '-subj',
    '/CN=own authority',
    '-keyout',
    'ca.key',
    '-out',
    'ca.pem',
  );
  openssl(
    'req',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-subj',
    '/CN=localhost',
    '-keyout',
    'server.key',
    '-out',
    'server.csr',
  );
  execFileSync('sh', ['-c', 'printf "subjectAltName=DNS:localhost,IP:127.0.0.1" > names.txt'], { cwd: folder });
  openssl(
    'x509',
    '-req',
    '-in',
    'server.csr',
    '-CA',
    'ca.pem',
    '-CAkey',
    'ca.key',
    '-CAcreateserial',
    '-days',
    '2',
    '-extfile',
    'names.txt',
    '-out',
    'server.pem',
  );
  const key = readFileSync(join(folder, 'server.key'));
  const cert = readFileSync(join(folder, 'server.pem'));
  const server = createServer({ key, cert }, (incoming, answer) => {
    const { method, url: path, headers } = incoming;
    const { hostname, port, host } = new URL(target);
    const forwarded = request({ hostname, port, method, path, headers: { ...headers, host } }, (found) => {
      answer.writeHead(found.statusCode ?? 502, found.headers);
      found.pipe(answer);
    });
    incoming.pipe(forwarded);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it('connects to a server with a certificate of an own authority, and refuses it without', async () => {
  const folder = temporaryFolder();
  const [hereServer, thereServer] = await Promise.all([startServer(), startServer()]);
  onTestFinished(async () => void (await Promise.all([hereServer.stop(), thereServer.stop()])));
  const [here, there] = [await signIn(hereServer), await signIn(thereServer)];
  const address = await startTls(folder, thereServer.url);
  const body = { name: 'team', address, token: await newToken(there) };
  await expect(here.perform('createRemoteServer', { body })).rejects.toThrow(
    'Give the certificate of its authority with the connection.',
  );
  const certificate = readFileSync(join(folder, 'ca.pem'), 'utf8');
  const server = await here.perform('createRemoteServer', { body: { ...body, certificate } });
  expect(server).toMatchObject({ version: '2.73.0', has_certificate: true });
});
