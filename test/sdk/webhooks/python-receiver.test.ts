import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { addProjectWebhook, createWorld, everythingFor, type World } from '../../contract/webhooks/webhook-world.ts';
import { projectRoot } from '../../support/node-executable.ts';

const script = join(projectRoot, 'test', 'support', 'webhook-receiver', 'receiver.py');
const python = process.env['PYTHON'] ?? 'python3';

interface Report {
  readonly event: string;
  readonly webhook_id: number | null;
  readonly message_id: string;
  readonly body_signature: boolean;
  readonly standard_signature: boolean;
  readonly fresh: boolean;
  readonly repeat: boolean;
  /** True if Python serializes the parsed payload to the received bytes. */
  readonly same_bytes: boolean;
}

let world: World | undefined;
let child: ChildProcess | undefined;
afterEach(async () => {
  child?.kill();
  await world?.stop();
});

async function startPython(secret: string): Promise<{ url: string; reports: Report[] }> {
  const started = spawn(python, [script, secret], { stdio: ['ignore', 'pipe', 'inherit'] });
  child = started;
  const reports: Report[] = [];
  const url = await new Promise<string>((resolve, reject) => {
    started.once('error', reject);
    createInterface({ input: started.stdout }).on('line', (line) => {
      const said = JSON.parse(line) as Report | { readonly url: string };
      if ('url' in said) resolve(said.url);
      else reports.push(said);
    });
  });
  return { url, reports };
}

describe("a receiver of Python's standard library", () => {
  test.each(['a plain secret with ümläuts', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'])(
    'verifies both signatures of everything under the secret "%s"',
    async (secret) => {
      world = await createWorld();
      const { loner, harness } = world;
      harness.core.webhooks.start();
      const { url, reports } = await startPython(secret);
      const project = await loner.good('createProject', {
        body: { name: 'naïve 项目 😀', labels: [{ name: 'größe' }] },
      });
      const options = { target_url: url, secret, events: everythingFor('project') };
      const webhook = await addProjectWebhook(loner, project, options);
      const params = { id: webhook.id };
      expect(await loner.good('pingWebhook', { params })).toMatchObject({ status_code: 200, response: 'thanks' });
      const task = await loner.good('createTask', { body: { name: 'Straße "1"\n\t\\', project_id: project.id } });
      await loner.good('updateTask', {
        params: { id: task.id },
        body: { bug_tracker: 'http://a.example.org/?q=<>&\u2028' },
      });
      await loner.good('deleteTask', { params: { id: task.id } });
      const log = () => loner.good('listWebhookDeliveries', { params });
      while ((await log()).count < 4) await sleep(20);
      const [first] = (await log()).results;
      await loner.good('redeliverWebhookDelivery', { params: { ...params, delivery_id: first!.id } });
      while ((await log()).count < 5) await sleep(20);
      expect(reports.map(({ event }) => event)).toEqual([
        'ping',
        'create:task',
        'update:task',
        'delete:task',
        'delete:task',
      ]);
      expect(reports.map(({ repeat }) => repeat)).toEqual([false, false, false, false, true]);
      for (const report of reports) {
        expect(report).toMatchObject({
          body_signature: true,
          standard_signature: true,
          fresh: true,
          same_bytes: true,
        });
      }
      const { results } = await log();
      expect(results.every((delivery) => delivery.status_code === 200)).toBe(true);
    },
  );

  test('refuses requests that are signed with another secret', async () => {
    world = await createWorld();
    const { url, reports } = await startPython('theirs');
    const webhook = await addProjectWebhook(world.loner, world.sandboxProject, { target_url: url, secret: 'ours' });
    expect(await world.loner.good('pingWebhook', { params: { id: webhook.id } })).toMatchObject({ status_code: 500 });
    expect(reports).toMatchObject([{ body_signature: false, standard_signature: false }]);
  });
});
