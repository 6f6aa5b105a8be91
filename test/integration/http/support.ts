import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll } from 'vitest';
import { createLimner } from '../../../main/app.ts';
import { holdRequests } from '../../../main/http/server.ts';
import { createSilentLogger } from '../../../main/platform/log.ts';
import { prepareDataDirectory } from '../../../main/platform/paths.ts';
import { createClient, type TestClient } from '../../support/client.ts';
import { programEntry, projectRoot } from '../../support/node-executable.ts';

export const ownerPassword = 'a password for tests';

export interface TestWorkbench {
  readonly url: string;
  readonly port: number;
  readonly launchUrl: string;
  readonly dataDir: string;
  readonly owner: TestClient;
  readonly authorization: string;
  readonly anonymous: TestClient;
  readonly addUser: (username: string) => Promise<TestClient>;
  readonly restart: () => Promise<TestWorkbench>;
  readonly halt: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** The complete app on real files and a real socket, in this process. With `password`, its owner has one. */
export async function startWorkbench(
  dataDir = mkdtempSync(join(tmpdir(), 'limner-http-')),
  password?: string,
): Promise<TestWorkbench> {
  const log = createSilentLogger();
  const workbench = createLimner({
    dataDir: prepared(dataDir),
    server: await holdRequests({ port: 0, anyPort: false, log }),
    dashboardPort: { number: 0, required: false },
    workerUrl: pathToFileURL(programEntry('worker')),
    pages: { renderer: join(dataDir, 'no-renderer'), help: join(dataDir, 'no-help') },
    resourcesDir: join(projectRoot, 'resources'),
    ...(password === undefined ? {} : { password }),
    log,
  });
  const { url, launchUrl, authorization } = await workbench.start();
  const anonymous = createClient(url, null);
  return {
    url,
    port: Number(new URL(url).port),
    launchUrl,
    dataDir,
    authorization,
    owner: createClient(url, authorization),
    anonymous,
    async addUser(username) {
      const json = { username, password1: ownerPassword, password2: ownerPassword };
      const { key } = await anonymous.good<{ key: string }>('POST', '/api/auth/register', { json });
      return createClient(url, `Token ${key}`);
    },
    async restart() {
      await workbench.stop();
      return startWorkbench(dataDir, password);
    },
    halt: () => workbench.stop(),
    async stop() {
      await workbench.stop();
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** The app for all tests of a file. */
export async function useWorkbench(...given: Parameters<typeof startWorkbench>): Promise<TestWorkbench> {
  const workbench = await startWorkbench(...given);
  afterAll(() => workbench.stop());
  return workbench;
}

function prepared(dataDir: string): string {
  prepareDataDirectory(dataDir);
  return dataDir;
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

const agent = new Agent({ keepAlive: true, maxSockets: 8 });

/** A request with any header, including `Host`, which fetch would not send. */
export function raw(
  port: number,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  body?: string | Buffer,
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const options = { agent, host: '127.0.0.1', port, method, path, headers };
    const sent = httpRequest(options, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('error', reject);
      answer.on('end', () => {
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(parts).toString() });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
