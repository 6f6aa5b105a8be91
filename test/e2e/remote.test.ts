import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { signIn, type TestClient } from '../support/client.ts';
import { makeImages } from '../support/images.ts';
import { startHoldingProxy } from '../support/holding-proxy.ts';
import { box, checkOut, connectServer, newToken } from '../support/remote-pair.ts';
import { useServer } from '../support/use-server.ts';
import { breachesInBothThemes } from './support/accessibility.ts';
import { useWorkbench } from './support/workbench.ts';

const workbench = await useWorkbench();
const { page, service } = workbench;
const thereServer = await useServer();
let there: TestClient;
beforeAll(async () => {
  there = await signIn(thereServer);
});

describe('a CVAT server in the window', () => {
  it('is connected, browsed and checked out; changes of both ends are compared, decided and pushed', async () => {
    const images = await makeImages(3, { width: 320, height: 240 });
    const { id: task } = await there.taskWithImages({ name: 'North gate', labels: [{ name: 'car' }] }, images);
    const [job = 0] = (await there.jobs(task)).map(({ id }) => id);
    const [label] = await there.labels(task);
    await there.changeAnnotations('jobs', job, 'create', { shapes: [box(label!.id, 0, 20)] });

    await page.goto('/remote');
    await page.getByText('No servers connected').waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);
    await page.getByRole('button', { name: 'Connect a server' }).click();
    const form = page.getByRole('dialog', { name: 'Connect a CVAT server' });
    await form.getByRole('textbox', { name: 'Name' }).fill('Team');
    await form.getByRole('textbox', { name: 'Address' }).fill('http://10.0.0.1:8080');
    await form.getByLabel('Access token').fill(await newToken(there));
    await page.keyboard.press('Enter');
    await form.getByText('Allow private networks in the webhook settings if the server is there.').waitFor();
    await form.getByRole('button', { name: 'Webhook settings' }).click();
    await form.getByRole('switch', { name: 'Private networks' }).waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);
    await form.getByRole('textbox', { name: 'Address' }).fill(there.baseUrl);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Team' }).waitFor();

    const views = page.getByRole('radiogroup', { name: 'Show' });
    await views.getByText('Tasks', { exact: true }).click();
    const row = page.getByRole('listitem').filter({ hasText: 'North gate' });
    await row.getByRole('button', { name: 'North gate', exact: true }).focus();
    await page.keyboard.press('ArrowRight');
    await page.getByText('Frames 0 to 2').waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);
    await row.first().getByRole('button', { name: 'North gate', exact: true }).focus();
    await page.keyboard.press('o');
    const ask = page.getByRole('dialog', { name: 'Check out North gate' });
    await ask.getByLabel('Disk space for frames (GB)').fill('1');
    expect(await breachesInBothThemes(page)).toEqual([]);
    await ask.getByRole('button', { name: 'Check out' }).click();
    await page.getByTestId('remote-badge').first().waitFor();
    await page.getByText('1 job is checked out.').waitFor();

    const { results: links } = await service.perform('listRemoteJobs', { query: {} });
    const { task_id: local, job_id: localJob } = links[0]!;
    const edit = async (client: TestClient, id: number, x: number): Promise<void> => {
      const [shape] = (await client.annotations('jobs', id)).shapes;
      const moved = { ...shape!, points: [x, 2, x + 40, 60] };
      await client.changeAnnotations('jobs', id, 'update', { shapes: [moved] });
    };
    await edit(service, localJob!, 60);
    await edit(there, job, 25);
    await page.goto('/tasks');
    await page.getByRole('link', { name: 'North gate' }).getByTestId('remote-badge').waitFor();
    await page.goto('/remote');
    await page.getByRole('link', { name: 'Team' }).click();
    await views.getByText('Checked out 1').click();
    await page.getByRole('button', { name: `North gate, job ${job}` }).press('Enter');
    const card = page.getByTestId('exchange');
    await card.getByText('1 conflict. Resolve it before you push.').waitFor();
    await card.getByText('Changed on both').waitFor();
    expect(await card.getByRole('button', { name: 'Push' }).isDisabled()).toBe(true);
    expect(await breachesInBothThemes(page)).toEqual([]);

    await card.getByRole('link', { name: 'Resolve 1 conflict' }).click();
    const conflicts = page.getByTestId('conflicts');
    await conflicts.getByText('Changed on both sides: position.').waitFor();
    await conflicts.getByRole('img', { name: 'Mine solid, theirs dashed, before dotted' }).waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);
    await conflicts.getByText('Both', { exact: true }).click();
    await conflicts.getByRole('button', { name: 'Pull with these choices' }).click();
    await conflicts.waitFor({ state: 'detached' });
    const lefts = async (client: TestClient, id: number): Promise<number[]> =>
      (await client.annotations('jobs', id)).shapes.map(({ points }) => points[0] ?? 0).toSorted((a, b) => a - b);
    expect(await lefts(service, localJob!)).toEqual([25, 60]);
    expect(await lefts(there, job)).toEqual([25]);

    await card.getByText('Changed here').waitFor();
    await card.getByRole('button', { name: 'Push' }).click();
    const push = page.getByRole('dialog', { name: /^Push North gate/ });
    await push.getByRole('row', { name: 'New objects 1 0' }).waitFor();
    expect(await lefts(there, job)).toEqual([25]);
    expect(await breachesInBothThemes(page)).toEqual([]);
    await push.getByRole('button', { name: 'Push' }).click();
    await push.waitFor({ state: 'detached' });
    await card.getByText('Out', { exact: true }).waitFor();
    expect(await lefts(there, job)).toEqual([25, 60]);
    expect(new URL(page.url()).pathname).toBe(`/tasks/${local}`);
  });

  it('shows the progress of a push with its step, and cancels it', async () => {
    const images = await makeImages(2, { width: 320, height: 240 });
    const { id: task } = await there.taskWithImages({ name: 'South gate', labels: [{ name: 'car' }] }, images);
    const [job] = await there.jobs(task);
    let isHolding = false;
    const proxy = await startHoldingProxy(
      there.baseUrl,
      ({ method, url }) => isHolding && method === 'GET' && /\/annotations/.test(url ?? ''),
    );
    onTestFinished(async () => {
      proxy.release();
      await proxy.stop();
    });
    const server = await connectServer(service, there);
    const body = { address: proxy.url, token: await newToken(there) };
    await service.perform('updateRemoteServer', { params: { id: server }, body });
    const [link] = await checkOut(service, server, 'job', job!.id);
    const [label] = await service.labels(link!.task_id);
    await service.changeAnnotations('jobs', link!.job_id!, 'create', { shapes: [box(label!.id, 0, 20)] });
    await page.goto(`/tasks/${link!.task_id}?tab=server`);
    const card = page.getByTestId('exchange');
    await card.getByText('Changed here').waitFor();
    await card.getByRole('button', { name: 'Push' }).click();
    const push = page.getByRole('dialog', { name: /^Push South gate/ });
    await push.getByRole('row', { name: 'New objects 1 0' }).waitFor();
    isHolding = true;
    await push.getByRole('button', { name: 'Push' }).click();
    const progress = card.getByTestId('remote-progress');
    await progress.getByText(/reading the annotations from/).waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);
    await progress.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Cancelled. Nothing was changed.').waitFor();
    await progress.waitFor({ state: 'detached' });
    expect((await there.annotations('jobs', job!.id)).shapes).toEqual([]);
  });

  it('receives a local task that is published, and shows its state', async () => {
    const local = await service.makeTask('harbour', { images: 2 });
    await page.goto(`/tasks/${local}`);
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Publish on a CVAT server' }).click();
    const dialog = page.getByRole('dialog', { name: 'Publish harbour' });
    await dialog.getByRole('combobox', { name: 'Server' }).waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Publish' }).click();
    await page.getByRole('tab', { name: 'Server' }).click();
    await page.getByTestId('exchange').getByText('New objects').waitFor();
    const { results } = await there.perform('listTasks', { query: { search: 'harbour' } });
    expect(results.map(({ name }) => name)).toEqual(['harbour']);
  });
});
