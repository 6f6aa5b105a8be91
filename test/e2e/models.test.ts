import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { withSocket } from '../support/functions/test-engine.ts';
import { makeImages } from '../support/images.ts';
import { breachesInBothThemes } from './support/accessibility.ts';
import { useWorkbench } from './support/workbench.ts';

/** Without a Docker Engine, the screen says what is missing, and external functions work. */
/** The external function's answer, and the request that it received. */
let answer: { status: number; body: string } = { status: 200, body: '[]' };
let answerAfter: Promise<void> = Promise.resolve();
const calls: Record<string, unknown>[] = [];

const yaml = (name: string, kind: string, more = '') =>
  `metadata:\n  name: ${name}\n  annotations:\n    name: ${name} of the laboratory\n    type: ${kind}\n${more}spec:\n  description: Answers over HTTP\n  runtime: python:3.11\n  handler: main:handler\n`;
const detectorLabels = `    spec: '[{"id":0,"name":"car"},{"id":1,"name":"road","type":"mask"}]'\n`;

const functionServer = createServer((request, response) => {
  const pieces: Buffer[] = [];
  request.on('data', (piece: Buffer) => pieces.push(piece));
  request.on('end', () => {
    calls.push(JSON.parse(Buffer.concat(pieces).toString('utf8')) as Record<string, unknown>);
    void answerAfter.then(() =>
      response.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(answer.body),
    );
  });
});
await new Promise<void>((resolve) => functionServer.listen(0, '127.0.0.1', resolve));
const functionUrl = `http://127.0.0.1:${(functionServer.address() as AddressInfo).port}`;
const { page, folder } = await withSocket('/nowhere/docker.sock', () => useWorkbench());
const [image] = await makeImages(1, { width: 640, height: 480, text: 'street' });
const photo = join(folder, 'street.png');
writeFileSync(photo, image?.bytes ?? '');
afterAll(async () => {
  functionServer.closeAllConnections();
  await new Promise((resolve) => functionServer.close(resolve));
});

const problems = () => page.getByTestId('check-problems');

describe('the models screen without a Docker Engine', () => {
  it('says what is missing, with the commands to install it, and that the rest works', async () => {
    await page.getByRole('link', { name: 'Models' }).click();
    const notice = page.getByRole('status').filter({ hasText: 'Docker Engine is not installed or not running' });
    await notice.getByText('There is no Docker Engine at /nowhere/docker.sock.').waitFor();
    await notice.getByText('All other features work without Docker Engine.').waitFor();
    await page.getByText('No functions yet').waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);
  });

  it.each([
    [
      'permission',
      'This user has no permission to use Docker Engine',
      'Join its group (sudo usermod -aG docker "$USER")',
    ],
    ['stopped', 'Docker Engine does not respond', 'Start it: sudo systemctl start docker.'],
    ['remote', 'Docker Engine is set to another computer', 'DOCKER_HOST is tcp://far:2375'],
  ])('distinguishes %s', async (state, title, message) => {
    const status = { state, message, socket: '/var/run/docker.sock', version: null, cpu_cores: null };
    await page.route('**/api/models/engine', (route) =>
      route.fulfill({ json: { ...status, memory_bytes: null, gpus: [] } }),
    );
    await page.goto('/models');
    const notice = page.getByRole('status').filter({ hasText: title });
    await notice.getByText(message).waitFor();
    const command = /sudo [^).]*/.exec(message)?.[0];
    if (command !== undefined) await notice.getByRole('region', { name: command, exact: true }).waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);
    await page.unroute('**/api/models/engine');
    await notice.getByRole('button', { name: 'Check again' }).click();
    await page.getByText('Docker Engine is not installed or not running').waitFor();
  });
});

describe('the wizard', () => {
  it('reports mistakes of a configuration with line and key, and selects them', async () => {
    await page.goto('/models/new');
    await page.getByRole('radio', { name: 'Docker image' }).check();
    const editor = page.getByRole('textbox', { name: 'function.yaml' });
    await editor.fill(
      'metadata:\n  name: detector\nspec:\n  runtime: python:3.8\n  handler: main:handler\n  triggers:\n    http:\n      kind: http\n      maxWorkers: many\n',
    );
    await problems().getByText('spec.triggers.http.maxWorkers').waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);
    await problems().getByRole('button', { name: 'Go to line 9' }).click();
    const selected = await editor.evaluate((area) => {
      const { value, selectionStart, selectionEnd } = area as HTMLTextAreaElement;
      return value.slice(selectionStart, selectionEnd);
    });
    expect(selected).toBe('      maxWorkers: many');
    await page.keyboard.type('      maxWorkers: 2');
    await problems().getByText('spec.triggers.http.maxWorkers').waitFor({ state: 'detached' });
    await expect.poll(() => page.getByRole('button', { name: 'Deploy', exact: true }).isDisabled()).toBe(true);
  });

  it('describes a function, and asks for each of its permissions separately', async () => {
    const directory = join(folder, 'handler');
    mkdirSync(directory);
    writeFileSync(join(directory, 'main.py'), 'def handler(context, event):\n    return []\n');
    const more = `  volumes:\n    - volume: {name: all, hostPath: {path: /etc}}\n      volumeMount: {name: all, mountPath: /mnt}\n  securityContext:\n    privileged: true\n  futureKey: 1\n`;
    writeFileSync(join(directory, 'function.yaml'), yaml('curious', 'detector', detectorLabels) + more);
    await page.goto('/models/new');
    await page.getByRole('textbox', { name: 'Handler folder' }).fill(directory);
    const facts = page.getByTestId('check-facts');
    await facts.getByText('curious of the laboratory').waitFor();
    await facts.getByText('car, road').waitFor();
    await page.getByText('futureKey').first().waitFor();
    const demands = page.getByRole('group', { name: 'Additional permissions required' });
    await demands.getByRole('checkbox', { name: /everything below \/etc on this computer/ }).check();
    await demands.getByRole('checkbox', { name: /privileged/ }).waitFor();
    await expect.poll(() => demands.getByRole('checkbox').count()).toBe(2);
    expect(await breachesInBothThemes(page)).toEqual([]);
    await page.getByText('Docker Engine is required to deploy.').waitFor();
  });

  it('has fields for limits, and reports a missing folder', async () => {
    await page.getByRole('button', { name: 'Limits and settings' }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('renamed');
    await page.getByTestId('check-facts').getByText('renamed', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Add variable' }).click();
    await page.getByRole('textbox', { name: 'Name of variable 1' }).fill('MODE');
    expect(await breachesInBothThemes(page)).toEqual([]);
    await page.getByRole('textbox', { name: 'Handler folder' }).fill('/nowhere/at/all');
    await problems().getByText('There is no folder /nowhere/at/all on this computer.').waitFor();
  });

  it('accepts the files of a handler from the browser', async () => {
    await page.goto('/models/new');
    await page.getByRole('radiogroup', { name: 'Handler' }).getByText('Choose files').click();
    await page
      .locator('input[type="file"]')
      .first()
      .setInputFiles([
        {
          name: 'main.py',
          mimeType: 'text/plain',
          buffer: Buffer.from('def handler(context, event):\n    return []\n'),
        },
        {
          name: 'function.yaml',
          mimeType: 'text/plain',
          buffer: Buffer.from(yaml('brought', 'detector', detectorLabels)),
        },
      ]);
    await page.getByText(/^2 files, /).waitFor();
    await page.getByTestId('check-facts').getByText('brought', { exact: true }).waitFor();
  });
});

describe('a function at an address', () => {
  async function add(name: string, kind: string, more = ''): Promise<void> {
    await page.goto('/models');
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Add function by address' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Address' }).fill(functionUrl);
    await dialog.getByRole('textbox', { name: /^function\.yaml/ }).fill(yaml(name, kind, more));
    expect(await breachesInBothThemes(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await page.waitForURL(`**/models/${name}`);
  }

  async function choosePhoto(): Promise<void> {
    await page.locator('input[type="file"]').first().setInputFiles(photo);
    await page.getByRole('img', { name: /Image with the results/ }).waitFor();
  }

  it('can be tried on an image, with its answer drawn over it', async () => {
    await add('far-detector', 'detector', detectorLabels);
    const mask = [...Array.from({ length: 100 }, (_, index) => (index % 2) * 255), 10, 10, 19, 19];
    answer = {
      status: 200,
      body: JSON.stringify([
        { label: 'car', type: 'rectangle', points: [100, 100, 300, 260], confidence: '0.9' },
        { label: 'road', type: 'mask', mask, confidence: null },
        { label: 'car', type: 'polygon', points: [400, 100, 500, 100, 450, 200], confidence: '0.2' },
      ]),
    };
    await choosePhoto();
    await page.getByLabel('Threshold').fill('0.1');
    await page.keyboard.press('Enter');
    await page.getByText('3 results').waitFor();
    expect(calls.at(-1)).toMatchObject({ threshold: 0.1 });
    expect(String(calls.at(-1)?.['image']).length).toBeGreaterThan(100);
    const shapes = page.getByTestId('result-shapes');
    await expect.poll(() => shapes.locator('[data-label="car"] polygon').count()).toBe(2);
    await page.getByTestId('result-masks').waitFor();
    // In image pixels, at every size on screen.
    const image = await page.getByRole('img', { name: /Image with the results/ }).boundingBox();
    const drawn = await shapes.locator('[data-label="car"] polygon').first().boundingBox();
    const scale = (image?.width ?? 0) / 640;
    expect(Math.abs((drawn?.x ?? 0) - (image?.x ?? 0) - 100 * scale)).toBeLessThan(10);
    expect(Math.abs((drawn?.width ?? 0) - 200 * scale)).toBeLessThan(10);
    await page.getByRole('button', { name: 'Raw response' }).click();
    await page.getByRole('region', { name: 'Raw response' }).getByText('"polygon"').waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);
  });

  it('that fails is reported in its own words; a slow call can be cancelled', async () => {
    answer = { status: 500, body: JSON.stringify('no memory left') };
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByRole('alert').getByText('no memory left').waitFor();
    const { promise, resolve } = Promise.withResolvers<void>();
    answerAfter = promise;
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByText(/^Running: (?!0\.0)[\d.]+ s$/).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('alert').getByText('Cancelled.').waitFor();
    answerAfter = Promise.resolve();
    resolve();
  });

  it('of the kind interactor gets points from the keyboard and from clicks', async () => {
    await add('far-interactor', 'interactor', '    min_pos_points: 1\n    min_neg_points: 0\n');
    await choosePhoto();
    await expect.poll(() => page.getByRole('button', { name: 'Run' }).isDisabled()).toBe(true);
    const area = page.getByRole('application', { name: 'Set points on the image' });
    await area.focus();
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByText('1 positive, 0 negative, no box').waitFor();
    await page.getByRole('radiogroup', { name: 'Prompt type' }).getByText('Box').click();
    const box = await area.boundingBox();
    if (box === null) throw new Error('The image is not on the page.');
    await area.click({ position: { x: box.width / 4, y: box.height / 4 } });
    await area.click({ position: { x: box.width / 2, y: box.height / 2 } });
    await page.getByText('1 positive, 0 negative, with a box').waitFor();
    answer = {
      status: 200,
      body: JSON.stringify({
        points: [
          [10, 10],
          [60, 10],
          [60, 50],
        ],
      }),
    };
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByText('1 result', { exact: true }).waitFor();
    expect(calls.at(-1)).toMatchObject({ pos_points: [[340, 241]], neg_points: [] });
    const corners = [calls.at(-1)?.['obj_bbox']].flat(3).map(Number);
    [160, 120, 320, 240].forEach((value, index) => expect(Math.abs((corners[index] ?? 0) - value)).toBeLessThan(3));
    expect(await breachesInBothThemes(page)).toEqual([]);
  });

  it('is in the table, and is deleted after a confirmation', async () => {
    await page.goto('/models');
    const row = page.getByTestId('model-row').filter({ hasText: 'far-detector' });
    await row.getByText('Ready').waitFor();
    const headers = await page.getByRole('columnheader').allTextContents();
    expect(headers.slice(0, 6)).toEqual(['Name', 'State', 'Type', 'Labels', 'Time', 'Last test']);
    expect(await breachesInBothThemes(page)).toEqual([]);
    const source = page.getByTestId('model-source').filter({ hasText: functionUrl });
    await source.getByRole('button', { name: `Test “${functionUrl}`, exact: false }).click();
    await source
      .getByRole('status')
      .getByText(/Reached in/)
      .waitFor();
    answer = { status: 200, body: '[{"label":"car","type":"rectangle","points":[1,2,30,40],"confidence":"0.91"}]' };
    await row.getByRole('link', { name: 'far-detector' }).focus();
    await page.keyboard.press('t');
    await row.getByText('1 result, best 0.91 car').waitFor();
    answer = { status: 500, body: 'out of memory' };
    await row.getByRole('button', { name: 'Test “far-detector”' }).click();
    await row.getByText(/out of memory/).waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);
    await page.keyboard.press('ArrowUp');
    const head = source.getByRole('button', { expanded: true });
    await head.click();
    await row.waitFor({ state: 'detached' });
    await source.getByRole('button', { expanded: false }).click();
    await row.waitFor();
    for (const name of ['far-detector', 'far-interactor']) {
      await page.getByRole('button', { name: `More actions for ${name}` }).click();
      await page.getByRole('menuitem', { name: 'Delete function' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('link', { name, exact: true }).waitFor({ state: 'detached' });
    }
    await page.getByText('No functions yet').waitFor();
  });
});

describe('a Nuclio dashboard that does not answer', () => {
  it('shows the reason', async () => {
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Nuclio dashboards' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Address' }).fill('http://127.0.0.1:9');
    await dialog.getByRole('button', { name: 'Add dashboard' }).click();
    const added = dialog.getByText('http://127.0.0.1:9', { exact: true });
    const refused = dialog.getByRole('alert');
    await added.or(refused).first().waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);
  });
});
