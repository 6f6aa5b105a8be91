import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Backups } from '../../../preload/contract/schema/backups.ts';
import { runLimner } from '../../integration/cli/support/run-limner.ts';
import { signIn } from '../../support/client.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { startFullWorkbench } from './full-workbench.ts';

test.each(['stop', 'kill9', 'kill9 and restart'])(
  '`limner backup` ends with a message when its service ends in the middle (%s)',
  async (end) => {
    const folder = temporaryFolder();
    const server = await startFullWorkbench(join(folder, 'data'), { images: 1500, shapes: 10 });
    const client = await signIn(server);
    const output = join(folder, 'backups');
    mkdirSync(output);
    const command = runLimner(['backup', '--incremental', '--data-dir', server.dataDir, '--output', output]);
    await expect
      .poll(async () => (await client.good<Backups>('GET', '/api/limner/backups')).running?.message, { interval: 20 })
      .toBe('Writing new data');
    await (end === 'stop' ? server.stop() : server.kill9());
    const again = end === 'kill9 and restart' ? await server.restart() : null;
    try {
      const { exitCode, errorOutput } = await command;
      expect(exitCode).toBe(1);
      expect(errorOutput).toMatch(/Limner was stopped|Cancelled/);
    } finally {
      await again?.stop();
    }
  },
);
