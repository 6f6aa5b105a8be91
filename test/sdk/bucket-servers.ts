import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectRoot } from '../support/node-executable.ts';
import { prepareExecutable } from './python.ts';

const run = promisify(execFile);

export interface RunningBucket {
  readonly url: string;
  stop(): Promise<void>;
}

/** S3 of moto: checks signatures and policies once `POST /moto-api/reset-auth` has switched that on. */
export async function startMoto(port?: number): Promise<RunningBucket & { readonly port: number }> {
  const executable = await prepareExecutable('moto_server', 'requirements-buckets.txt');
  const chosen = port ?? (await freePort());
  const child = spawn(executable, ['-H', '127.0.0.1', '-p', String(chosen)], { stdio: 'ignore' });
  return { ...(await running(child, chosen)), port: chosen };
}

const azuriteVersion = '3.37.0';
/** Account and key that Azurite documents. */
const azuriteAccount = {
  name: 'devstoreaccount1',
  key: 'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==',
};

/** Microsoft's emulator of Azure Blob Storage, installed like the Python environments. */
export async function startAzurite(folder: string): Promise<RunningBucket> {
  const root = join(projectRoot, '.cache', `azurite-${azuriteVersion}`);
  const script = join(root, 'node_modules', 'azurite', 'dist', 'src', 'blob', 'main.js');
  if (!existsSync(script)) {
    mkdirSync(root, { recursive: true });
    writeFileSync(join(root, 'package.json'), '{ "private": true }\n');
    await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', `azurite@${azuriteVersion}`], {
      cwd: root,
    });
  }
  const port = await freePort();
  const options = ['--blobHost', '127.0.0.1', '--blobPort', String(port), '--location', folder, '--silent'];
  const child = spawn(process.execPath, [script, ...options, '--disableTelemetry', '--skipApiVersionCheck'], {
    stdio: 'ignore',
  });
  const { url, stop } = await running(child, port);
  return { url: `${url}/${azuriteAccount.name}`, stop };
}

/** Account signature by the documentation of "Create an account SAS": blobs, all resources, these permissions. */
export function accountSignature(permissions: string): string {
  const version = '2019-12-12';
  const [start, expiry] = ['2020-01-01T00:00:00Z', '2099-01-01T00:00:00Z'];
  const { name, key } = azuriteAccount;
  const text = [name, permissions, 'b', 'sco', start, expiry, '', 'http', version, ''].join('\n');
  const signature = createHmac('sha256', Buffer.from(key, 'base64')).update(text).digest('base64');
  return new URLSearchParams({
    sv: version,
    ss: 'b',
    srt: 'sco',
    sp: permissions,
    st: start,
    se: expiry,
    spr: 'http',
    sig: signature,
  }).toString();
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function running(child: ChildProcess, port: number): Promise<RunningBucket> {
  const url = `http://127.0.0.1:${port}`;
  const isOpen = () =>
    fetch(url).then(
      () => true,
      () => false,
    );
  while (!(await isOpen())) {
    if (child.exitCode !== null) throw new Error(`The bucket server ended with ${child.exitCode}.`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return {
    url,
    async stop() {
      if (child.exitCode !== null) return;
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill();
      await ended;
    },
  };
}
