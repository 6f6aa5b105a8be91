import { createWriteStream, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import Docker from 'dockerode';
import { afterAll, describe, expect, it } from 'vitest';
import { breachesInBothThemes } from '../e2e/support/accessibility.ts';
import { openWorkbench } from '../e2e/support/workbench.ts';
import { makeImages } from '../support/images.ts';
import { functionYaml, removeContainersOf, testSocket } from '../support/functions/docker-harness.ts';

const handler = `
import json

def init_context(context):
    context.logger.info("The model is loaded")

def handler(context, event):
    image = event.body["image"]
    context.logger.info("Looking at {} characters".format(len(image)))
    if event.body.get("threshold") == 1:
        raise ValueError("nothing is that certain")
    mask = [255 if (x + y) % 3 else 0 for y in range(40) for x in range(60)]
    return context.Response(
        body=json.dumps([
            {"label": "car", "type": "rectangle", "points": [40, 60, 240, 200], "confidence": "0.92"},
            {"label": "person", "type": "polygon", "points": [300, 80, 380, 80, 340, 220], "confidence": "0.41"},
            {"label": "road", "type": "mask", "mask": mask + [100, 300, 159, 339], "confidence": None},
        ]),
        headers={},
        content_type="application/json",
        status_code=200,
    )
`;
const labels = '[{"id":0,"name":"car"},{"id":1,"name":"person"},{"id":2,"name":"road","type":"mask"}]';

testSocket();
const workbench = await openWorkbench();
const directory = join(workbench.folder, 'street-detector');
mkdirSync(directory);
writeFileSync(join(directory, 'main.py'), handler);
const annotations = { name: 'Street detector', type: 'detector', spec: labels };
writeFileSync(
  join(directory, 'function.yaml'),
  functionYaml({ name: 'street-detector', runtime: 'python:3.11', annotations }),
);
const [image] = await makeImages(1, { width: 640, height: 480, text: 'street' });
const photo = join(workbench.folder, 'street.png');
writeFileSync(photo, image?.bytes ?? '');
afterAll(async () => {
  await workbench.close();
  await removeContainersOf((name) => name.startsWith('street-'));
  await new Docker({ socketPath: testSocket() })
    .getImage('limner-test/street:1')
    .remove({ force: true })
    .catch(() => undefined);
});

const page = () => workbench.page;
const row = () => page().getByTestId('model-row').filter({ hasText: 'street-detector' });
const state = (name: string) => page().getByTestId('model-state').getByText(name, { exact: true });
const openTab = (name: string) => page().getByRole('tab', { name }).click();

describe('a detector from a folder', () => {
  it('is deployed by the wizard, which describes it in advance and shows the log during deployment', async () => {
    await page().getByRole('link', { name: 'Models' }).click();
    await page().getByText('No functions yet').waitFor();
    await page()
      .getByText(/^Docker Engine \d+.*CPU core/)
      .waitFor();
    await page().getByRole('button', { name: 'Deploy function' }).click();
    await page().getByRole('textbox', { name: 'Handler folder' }).fill(directory);
    await page().getByRole('combobox', { name: 'Base image' }).fill('limner/base-python:latest');
    const facts = page().getByTestId('check-facts');
    await facts.getByText('street-detector', { exact: true }).waitFor();
    await facts.getByText('Detector', { exact: true }).waitFor();
    await facts.getByText('car, person, road').waitFor();
    expect(await breachesInBothThemes(page())).toEqual([]);
    await page().getByRole('button', { name: 'Deploy', exact: true }).click();
    await page().getByText('Deploying “street-detector”').waitFor();
    await page().getByText('“street-detector” is ready').waitFor();
    const log = page().getByRole('log', { name: 'Log of street-detector' });
    await log.getByText('Deployed.').waitFor();
    expect(await breachesInBothThemes(page())).toEqual([]);
  });

  it('answers an image, and the result is drawn over it', async () => {
    await page().getByRole('button', { name: 'Try on an image' }).click();
    await page().locator('input[type="file"]').first().setInputFiles(photo);
    await page().getByRole('button', { name: 'Run' }).click();
    const result = page().getByTestId('try-result');
    await result.getByText('3 results').waitFor();
    const shapes = page().getByTestId('result-shapes');
    expect(await shapes.locator('[data-label="car"] polygon').getAttribute('points')).toBe(
      '40,60 240,60 240,200 40,200',
    );
    expect(await shapes.locator('[data-label="person"] polygon').count()).toBe(1);
    const masked = await page()
      .getByTestId('result-masks')
      .evaluate((canvas) => {
        const context = (canvas as HTMLCanvasElement).getContext('2d');
        const at = (x: number, y: number) => context?.getImageData(x, y, 1, 1).data[3];
        return [at(101, 300), at(100, 300), at(99, 300)];
      });
    expect(masked).toEqual([110, 0, 0]);
    expect(await breachesInBothThemes(page())).toEqual([]);
    await page().getByRole('slider', { name: 'Minimum score' }).focus();
    for (let press = 0; press < 10; press += 1) await page().keyboard.press('ArrowRight');
    await result.getByText('2 of 3 results').waitFor();
  });

  it('that fails shows the message, and links to its log', async () => {
    await page().getByLabel('Threshold').fill('1');
    await page().getByRole('button', { name: 'Run' }).click();
    await page().getByRole('alert').getByText('nothing is that certain').waitFor();
    await page().getByRole('alert').getByRole('button', { name: 'Show log' }).click();
    const log = page().getByRole('log', { name: 'Log of street-detector' });
    await log.getByText('The model is loaded').first().waitFor();
    await log.getByText('Looking at').first().waitFor();
    await page().getByRole('textbox', { name: 'Filter lines' }).fill('model is loaded');
    await log.getByText('Looking at').first().waitFor({ state: 'detached' });
    expect(await breachesInBothThemes(page())).toEqual([]);
  });

  it('shows its configuration, and saves a changed limit', async () => {
    await openTab('Configuration');
    await page().getByText('main:handler').waitFor();
    await page().getByText('Handler on a base image').waitFor();
    await page().getByLabel('Idle timeout (seconds)').fill('900');
    await page().getByRole('button', { name: 'Save limits' }).click();
    await page().getByText('900 seconds').waitFor();
    expect(await breachesInBothThemes(page())).toEqual([]);
  });

  it('can be stopped and started, from its page and from the table', async () => {
    await page().getByRole('button', { name: 'Stop', exact: true }).click();
    await state('Stopped').waitFor();
    await openTab('Try it');
    await page().getByText('The function is not running. Start it first.').waitFor();
    await page().getByRole('button', { name: 'Start', exact: true }).click();
    await state('Ready').waitFor();
    await page().getByRole('link', { name: 'Models' }).first().click();
    await row().getByText('Ready').waitFor();
    expect(await row().getByRole('cell').allTextContents()).toEqual(
      expect.arrayContaining(['Ready', 'Detector', 'car, person, road']),
    );
    expect(await breachesInBothThemes(page())).toEqual([]);
    await row().getByRole('button', { name: 'More actions for street-detector' }).click();
    await page().getByRole('menuitem', { name: 'Stop' }).click();
    await row().getByText('Stopped').waitFor();
  });

  it('can be deployed again from the same source', async () => {
    writeFileSync(join(directory, 'main.py'), handler.replace('"0.41"', '"0.87"'));
    await page().getByRole('link', { name: 'street-detector' }).click();
    await page().getByRole('button', { name: 'Redeploy' }).click();
    await page().getByRole('dialog').getByRole('button', { name: 'Redeploy' }).click();
    await page().getByRole('log').getByText('Deployed.').waitFor();
    await state('Ready').waitFor();
    await openTab('Try it');
    await page().locator('input[type="file"]').first().setInputFiles(photo);
    await page().getByRole('button', { name: 'Run' }).click();
    await page().getByRole('list', { name: 'Results' }).getByText('0.87').waitFor();
  });

  it('shows the changes of a version, and rolls back to the previous one', async () => {
    await openTab('Versions');
    const version = (number: number) =>
      page()
        .getByTestId('kept-version')
        .filter({ hasText: new RegExp(`^${number}`) });
    await version(2).getByText('active').waitFor();
    const lines = page().getByRole('region', { name: 'Lines of main.py' });
    await lines.locator('[data-kind="removed"]').filter({ hasText: '"0.41"' }).waitFor();
    await lines.locator('[data-kind="added"]').filter({ hasText: '"0.87"' }).waitFor();
    expect(await lines.locator('[data-kind="added"]').count()).toBe(1);
    expect(await breachesInBothThemes(page())).toEqual([]);
    await page().getByRole('button', { name: 'Roll back to version 1' }).click();
    await page().getByRole('dialog').getByRole('button', { name: 'Roll back' }).click();
    await page().getByRole('log').getByText('Deployed.').waitFor();
    await state('Ready').waitFor();
    await openTab('Versions');
    await version(1).getByText('active').waitFor();
    await openTab('Try it');
    await page().locator('input[type="file"]').first().setInputFiles(photo);
    await page().getByRole('button', { name: 'Run' }).click();
    await page().getByRole('list', { name: 'Results' }).getByText('0.41').waitFor();
  });
});

describe('a failing deployment', () => {
  it('ends with a sentence, the log, and a way back to the form', async () => {
    await page().goto('/models/new');
    writeFileSync(join(directory, 'main.py'), 'raise RuntimeError("the weights are gone")\n');
    await page().getByRole('textbox', { name: 'Handler folder' }).fill(directory);
    await page().getByRole('combobox', { name: 'Base image' }).fill('limner/base-python:latest');
    await page().getByText('A function with this name exists and will be replaced.').waitFor();
    await page().getByRole('button', { name: 'Deploy and replace' }).click();
    const problem = page().getByRole('alert').filter({ hasText: 'Cannot deploy' });
    await problem.getByText('the weights are gone').waitFor();
    expect(await breachesInBothThemes(page())).toEqual([]);
    await problem.getByRole('button', { name: 'Change settings' }).click();
    expect(await page().getByRole('textbox', { name: 'Handler folder' }).inputValue()).toBe(directory);
  });

  it('can be cancelled while it runs', async () => {
    writeFileSync(
      join(directory, 'main.py'),
      'import time\n\ndef init_context(context):\n    time.sleep(600)\n\ndef handler(context, event):\n    return []\n',
    );
    await page().getByRole('button', { name: 'Deploy and replace' }).click();
    await page()
      .getByRole('log')
      .getByText(/container|Waiting|ready/i)
      .first()
      .waitFor();
    await page().getByRole('button', { name: 'Cancel deployment' }).click();
    await page().getByText('It was interrupted.').first().waitFor();
  });

  it('of an image that the Engine does not have is refused in the wizard', async () => {
    await page().goto('/models/new');
    await page().getByRole('radio', { name: 'Docker image' }).check();
    await page().getByRole('combobox', { name: 'Image' }).fill('nowhere/nothing:9');
    await page()
      .getByRole('textbox', { name: 'function.yaml' })
      .fill(functionYaml({ name: 'no-image' }));
    await page().getByText('Not found in Docker Engine.').waitFor();
    await page().getByRole('button', { name: 'Deploy', exact: true }).click();
    await page()
      .getByRole('alert')
      .getByText(/Docker does not have the image “?"?nowhere\/nothing:9/)
      .waitFor();
  });
});

describe('other ways to add a function', () => {
  it('deploys a sample that comes with Limner with one choice and one click', async () => {
    await page().goto('/models/new');
    await page().getByRole('radiogroup', { name: 'Handler' }).getByText('Sample').click();
    await page().getByRole('combobox', { name: 'Sample' }).click();
    await page()
      .getByRole('option', { name: /Detector/ })
      .first()
      .click();
    await page().getByRole('textbox', { name: 'function.yaml' }).waitFor({ state: 'detached' });
    await page().getByRole('button', { name: 'Limits and settings' }).click();
    await page().getByRole('textbox', { name: 'Name', exact: true }).fill('street-sample');
    await page().getByTestId('check-facts').getByText('street-sample').waitFor();
    await page().keyboard.press('Control+Enter');
    await page().getByText('“street-sample” is ready').waitFor();
    await page().getByRole('button', { name: 'Try on an image' }).click();
    await page().locator('input[type="file"]').first().setInputFiles(photo);
    await page().getByRole('button', { name: 'Run' }).click();
    await page()
      .getByTestId('try-result')
      .getByText(/\d+ results?$/)
      .waitFor();
  });

  it('shows the steps of the Engine during a build', async () => {
    writeFileSync(join(directory, 'main.py'), handler);
    const build = `  build:\n    baseImage: limner/base-python:latest\n    directives:\n      preCopy:\n        - {kind: ENV, value: MODE=fast}\n`;
    const annotations = { name: 'Built', type: 'detector', spec: labels };
    const text = functionYaml({ name: 'street-built', runtime: 'python:3.11', annotations, spec: build });
    await page().goto('/models/new');
    await page().getByRole('radio', { name: 'Image build' }).check();
    await page().getByRole('textbox', { name: 'Handler folder' }).fill(directory);
    await page().getByRole('radiogroup', { name: 'Configuration' }).getByText('File or text').click();
    await page().getByRole('textbox', { name: 'function.yaml' }).fill(text);
    await page().getByTestId('check-facts').getByText('street-built').waitFor();
    await page().getByRole('button', { name: 'Deploy', exact: true }).click();
    await page().getByText('“street-built” is ready').waitFor();
    await page()
      .getByRole('log')
      .getByText(/^Step 1\//)
      .waitFor();
  });

  it('sends an archive with progress, imports it, and deploys the image in it', async () => {
    const docker = new Docker({ socketPath: testSocket() });
    const service = workbench.service;
    const { image } = await service.ask<{ image: string }>('GET', '/api/models/functions/street-built');
    const container = await docker.createContainer({ Image: image, Cmd: ['processor'] });
    await container.commit({ repo: 'limner-test/street', tag: '1' });
    await container.remove();
    const archive = join(workbench.folder, 'street.tar');
    await pipeline(await docker.getImage('limner-test/street:1').get(), createWriteStream(archive));
    await docker.getImage('limner-test/street:1').remove({ force: true });

    await page().goto('/models/new');
    await page().getByRole('radio', { name: 'Image archive' }).check();
    await page().locator('input[type="file"][accept*="tar"]').setInputFiles(archive);
    await page().getByText('Imported: limner-test/street:1').waitFor();
    expect(await page().getByRole('combobox', { name: 'Image' }).inputValue()).toBe('limner-test/street:1');
    const annotations = { name: 'From an archive', type: 'detector', spec: labels };
    await page()
      .getByRole('textbox', { name: 'function.yaml' })
      .fill(functionYaml({ name: 'street-archived', runtime: 'python:3.11', annotations }));
    await page().getByText('Available in Docker Engine.').waitFor();
    expect(await breachesInBothThemes(page())).toEqual([]);
    await page().getByRole('button', { name: 'Deploy', exact: true }).click();
    await page().getByText('“street-archived” is ready').waitFor();

    await page().goto('/models/new');
    await page().getByRole('radio', { name: 'Image archive' }).check();
    await page().getByRole('textbox', { name: 'Archive path' }).fill(archive);
    await page()
      .getByRole('textbox', { name: 'function.yaml' })
      .fill(functionYaml({ name: 'street-archived', runtime: 'python:3.11', annotations }));
    await page().getByRole('button', { name: 'Deploy and replace' }).click();
    await page().getByRole('log').getByText('Imported limner-test/street:1').waitFor();
    await page().getByText('“street-archived” is ready').waitFor();
  });
});

describe('a function', () => {
  it('is deleted after a confirmation', async () => {
    for (const name of ['street-detector', 'street-sample', 'street-built', 'street-archived']) {
      await page().goto(`/models/${name}`);
      await page().getByRole('button', { name: 'More' }).click();
      await page().getByRole('menuitem', { name: 'Delete function' }).click();
      await page().getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await page().getByText(`“${name}” deleted.`).waitFor();
    }
    await page().getByText('No functions yet').waitFor();
    expect(workbench.pageErrors).toEqual([]);
  });
});
