import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSilentLogger } from '../main/platform/log.ts';
import { locateApplication } from '../main/platform/application.ts';
import { startInstance } from '../main/cli/instance.ts';

/** The OpenAPI document as the running service answers it, set out for reading. */
export async function openapiDocument(root: string): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'limner-openapi-'));
  try {
    const instance = await startInstance({
      application: locateApplication(join(root, 'main'), 'cli.ts'),
      dataDirectory: directory,
      port: 0,
      dashboardPort: 0,
      password: null,
      log: createSilentLogger(),
    });
    try {
      const response = await fetch(`${instance.url}/api/schema/?scheme=json`);
      return `${JSON.stringify(await response.json(), null, 2)}\n`;
    } finally {
      await instance.stop();
    }
  } finally {
    rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
  }
}
