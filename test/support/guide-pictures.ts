import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import en from '../../renderer/i18n/en.json' with { type: 'json' };
import type { TestClient } from './client.ts';
import type { RunningServer } from './server.ts';

interface Setting {
  readonly page: Page;
  readonly client: TestClient;
  readonly server: RunningServer;
  readonly shoot: (name: string) => Promise<void>;
  /** The annotated street, its job, and a task with boxes on 12 frames. */
  readonly street: { readonly task: number; readonly job: number; readonly crossing: number };
  readonly images: readonly { readonly name: string; readonly bytes: Uint8Array }[];
}

/** Takes the screenshots of docs/guide that need more than the annotated street: dialogs, review, webhooks, Git, settings. */
export async function takeGuidePictures(setting: Setting): Promise<void> {
  await takeDialogs(setting);
  await takeReview(setting);
  await takeWebhooks(setting);
  await takeProject(setting);
  await takeRepository(setting);
  await takeSettings(setting);
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first();

async function fromMenu(page: Page, name: string): Promise<void> {
  await button(page, en.common.more).click();
  await page.getByRole('menuitem', { name, exact: true }).click();
}

async function takeDialogs({ page, client, server, shoot, street, images }: Setting): Promise<void> {
  await page.goto(`${server.url}/tasks/new`);
  const chooser = page.waitForEvent('filechooser');
  await button(page, en.newTask.chooseFiles).click();
  await (
    await chooser
  ).setFiles(images.map(({ name, bytes }) => ({ name, mimeType: 'image/jpeg', buffer: Buffer.from(bytes) })));
  await page.getByLabel(en.newTask.name, { exact: true }).first().fill('Crossing, evening');
  await shoot('new-task');

  await page.goto(`${server.url}/tasks/${street.crossing}`);
  await button(page, en.annotate.export).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: en.exporting.format }).click();
  await page.getByRole('option', { name: 'Ultralytics YOLO Detection 1.0', exact: true }).click();
  await dialog.getByText(en.arranging.open, { exact: true }).click();
  await dialog.getByText(en.arranging.split, { exact: true }).first().waitFor();
  await page.waitForTimeout(1500);
  await shoot('export');

  const file = join(server.dataDir, 'street.zip');
  await client.exportDataset('tasks', street.crossing, 'COCO 1.0', file);
  await page.goto(`${server.url}/tasks/${street.crossing}`);
  await fromMenu(page, en.annotate.import);
  const choosing = page.waitForEvent('filechooser');
  await dialog.getByRole('button', { name: en.importing.choose }).click();
  await (await choosing).setFiles(file);
  await dialog.getByText('street.zip').first().waitFor();
  await page.waitForTimeout(1500);
  await shoot('import');

  await page.goto(`${server.url}/tasks/${street.crossing}`);
  await fromMenu(page, en.batches.menu);
  await dialog.getByTestId('mapping').first().waitFor();
  await shoot('batch');
}

async function takeReview({ page, client, server, shoot, street }: Setting): Promise<void> {
  for (const [message, position] of [
    ['The mirror is missing', [852, 568, 1158, 619]],
    ['Is this one person or two?', [395, 372, 431, 480]],
  ] as const)
    await client.good('POST', '/api/issues', { json: { frame: 0, position, job: street.job, message } });
  await page.goto(`${server.url}/tasks/${street.task}/jobs/${street.job}?mode=review`);
  await page.locator('[data-testid="frame-shown"]:not([data-picture="loading"])').waitFor({ state: 'attached' });
  await page.getByText('The mirror is missing').first().click();
  await shoot('review');

  const truth = await client.good<{ id: number }>('POST', '/api/jobs', {
    json: {
      type: 'ground_truth',
      task_id: street.crossing,
      frame_selection_method: 'manual',
      frames: [0, 1, 2, 3, 4, 5],
    },
  });
  const { shapes = [] } = await client.annotations('tasks', street.crossing);
  const moved = shapes
    .filter(({ frame }) => frame < 6)
    .filter((_, index) => index % 9 !== 4)
    .map(({ type, frame, label_id, points = [] }, index) => ({
      type,
      frame,
      label_id,
      points: points.map((value) => value + (index % 5 === 2 ? 18 : 1)),
    }));
  await client.good('PUT', `/api/jobs/${truth.id}/annotations`, { json: { shapes: moved } });
  await client.good('PATCH', `/api/jobs/${truth.id}`, { json: { stage: 'acceptance', state: 'completed' } });
  const compared = await client.good<{ rq_id: string }>('POST', '/api/quality/reports', {
    json: { task_id: street.crossing },
  });
  await client.ended(compared.rq_id);
  await page.goto(`${server.url}/tasks/${street.crossing}?tab=quality`);
  await page.getByText(en.quality.byKind).waitFor();
  await shoot('quality');
}

async function takeProject({ page, client, server, shoot, street }: Setting): Promise<void> {
  const { results: jobs } = await client.good<{ results: { id: number; task_id: number }[] }>(
    'GET',
    '/api/jobs?project_id=1&page_size=100',
  );
  const states = [
    ...Array.from({ length: 9 }, () => ({ stage: 'acceptance', state: 'completed' })),
    ...Array.from({ length: 4 }, () => ({ stage: 'validation', state: 'in progress' })),
    ...Array.from({ length: 3 }, () => ({ stage: 'annotation', state: 'in progress' })),
  ];
  for (const [index, json] of states.entries())
    await client.good('PATCH', `/api/jobs/${jobs[index]?.id ?? 0}`, { json });
  const task = jobs[0]?.task_id ?? 0;
  const [label] = await client.labels(task);
  const shapes = Array.from({ length: 60 }, (_, index) => ({
    type: 'rectangle' as const,
    frame: index % 30,
    label_id: label?.id ?? 0,
    points: [100 + 10 * index, 480, 260 + 10 * index, 560],
  }));
  await client.changeAnnotations('tasks', task, 'create', { shapes });
  await page.goto(`${server.url}/projects/1`);
  await page.getByText(en.pages.jobsByState).waitFor();
  await shoot('project');
  await page.goto(`${server.url}/tasks`);
  await page.getByText('Street scenes').first().waitFor();
  await shoot('tasks');
  await page.goto(`${server.url}/tasks/${street.task}/jobs/${street.job}`);
  await page.locator('[data-testid="frame-shown"]:not([data-picture="loading"])').waitFor({ state: 'attached' });
  await page.getByTestId('object').nth(2).click();
  await shoot('workspace');
}

async function takeWebhooks({ page, client, server, shoot }: Setting): Promise<void> {
  const receiver = createServer((request, answer) => request.resume().on('end', () => answer.writeHead(200).end('ok')));
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const { port } = receiver.address() as AddressInfo;
  const hook = await client.good<{ id: number }>('POST', '/api/webhooks', {
    json: {
      target_url: `http://127.0.0.1:${port}/jobs`,
      description: 'Starts the training when a job is accepted',
      type: 'project',
      project_id: 1,
      content_type: 'application/json',
      events: ['update:job', 'create:task'],
      secret: 'a secret',
      is_active: true,
      enable_ssl: true,
    },
  });
  const { results } = await client.good<{ results: { id: number }[] }>('GET', '/api/jobs?project_id=1');
  for (const { id } of results.slice(0, 4))
    await client.good('PATCH', `/api/jobs/${id}`, { json: { stage: 'acceptance', state: 'completed' } });
  await page.goto(`${server.url}/webhooks/${hook.id}?tab=deliveries`);
  await page.getByText('update:job').first().waitFor();
  await page.waitForTimeout(1000);
  await shoot('webhook');
  receiver.closeAllConnections();
  receiver.close();
}

async function takeRepository({ page, client, server, shoot, street }: Setting): Promise<void> {
  const repository = join(server.dataDir, 'annotations.git');
  execFileSync('git', ['init', '--quiet', '--bare', repository]);
  await page.goto(`${server.url}/tasks/${street.crossing}?tab=repository`);
  await page.getByLabel(en.git.address).fill(repository);
  await page.getByLabel(en.git.folder, { exact: true }).fill('crossing');
  await button(page, en.git.bind).click();
  await page.getByLabel(en.git.message).fill('Boxes of the spring recordings');
  await button(page, en.git.push).click();
  await page.getByText(en.git.history).waitFor();
  const { shapes = [] } = await client.annotations('tasks', street.crossing);
  const [first] = shapes;
  if (first) await client.changeAnnotations('tasks', street.crossing, 'delete', { shapes: [first] });
  await page.reload();
  await page.getByText('Boxes of the spring recordings').waitFor();
  await shoot('repository');
}

async function takeSettings({ page, client, server, shoot }: Setting): Promise<void> {
  for (const username of ['annotator', 'reviewer'])
    await client.good('POST', '/api/auth/register', {
      json: {
        username,
        email: `${username}@example.org`,
        password1: 'a long password of words',
        password2: 'a long password of words',
      },
    });
  for (const section of ['backup', 'users', 'storage', 'shortcuts', 'api-access']) {
    await page.goto(`${server.url}/settings/${section}`);
    await page.waitForTimeout(800);
    await shoot(`settings-${section}`);
  }
}
