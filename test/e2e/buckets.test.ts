import { afterAll, describe, expect, it } from 'vitest';
import { startBucketServer } from '../support/bucket-server.ts';
import { signIn } from '../support/client.ts';
import { makeImages } from '../support/images.ts';
import { breachesInBothThemes } from './support/accessibility.ts';
import { useWorkbench } from './support/workbench.ts';

const bucket = await startBucketServer();
afterAll(() => bucket.stop());
for (const { name, bytes } of await makeImages(3)) bucket.objects.set(`2026/north-gate/${name}`, bytes);
bucket.objects.set('2026/notes.txt', Buffer.from('no image'));
bucket.objects.set(
  'manifest.jsonl',
  Buffer.from('{"version":"1.1"}\n{"type":"images"}\n{"name":"2026/north-gate/image-001","extension":".jpg"}\n'),
);
const { page, server } = await useWorkbench();

/** Path of the job of a new task whose frames no one has seen, so that none is in the cache. */
async function newJob(prefix: string): Promise<string> {
  for (const { name, bytes } of await makeImages(3)) bucket.objects.set(`${prefix}${name}`, bytes);
  const client = await signIn(server);
  const storages = await client.good<{ results: { id: number }[] }>('GET', '/api/cloudstorages');
  const { id } = await client.createTask({ labels: [] });
  const { rq_id: request } = await client.good<{ rq_id: string }>('POST', `/api/tasks/${id}/data/`, {
    json: { image_quality: 70, server_files: [prefix], cloud_storage_id: storages.results[0]?.id },
  });
  await client.finished(request);
  const jobs = await client.good<{ results: { id: number }[] }>('GET', '/api/jobs', { query: { task_id: `${id}` } });
  return `/tasks/${id}/jobs/${jobs.results[0]?.id}`;
}

describe('buckets in the window', () => {
  it('refuses a wrong bucket in words, and connects the right one', async () => {
    await page.goto('/cloudstorages');
    await page.getByText('No buckets yet').waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);
    await page.getByRole('button', { name: 'Connect bucket' }).click();
    const dialog = page.getByRole('dialog', { name: 'Connect bucket' });
    await dialog.getByRole('textbox', { name: 'Bucket' }).fill('other');
    await dialog.getByRole('textbox', { name: 'Endpoint' }).fill(bucket.address);
    await dialog.getByRole('textbox', { name: 'Access key ID' }).fill('limner-key');
    await dialog.getByRole('textbox', { name: 'Secret access key' }).fill('limner-secret');
    await dialog.getByRole('textbox', { name: 'Manifests' }).fill('manifest.jsonl');
    await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
    await dialog.getByText('The bucket other does not exist').waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);
    await dialog.getByRole('textbox', { name: 'Bucket' }).fill(bucket.bucket);
    await page.keyboard.press('Enter');
    await page.getByText(`“${bucket.bucket}” is connected.`).waitFor();
    await page.getByText('Connected', { exact: true }).waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);
  });

  it('changes the name without asking for the key again, and asks for it when the address changes', async () => {
    await page.getByRole('button', { name: `More for ${bucket.bucket}` }).click();
    await page.getByRole('menuitem', { name: 'Edit connection' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Region' }).fill('eu-central-1');
    await dialog.getByText('Enter the key again').waitFor();
    expect(await dialog.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await dialog.getByRole('textbox', { name: 'Region' }).fill('');
    await dialog.getByRole('textbox', { name: 'Display name' }).fill('Street archive');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('“Street archive” is connected.').waitFor();
  });

  it('creates a task from a prefix by the keyboard, and shows a frame of it', async () => {
    await page.getByRole('button', { name: 'New task from Street archive' }).click();
    const objects = page.getByRole('region', { name: 'Objects of the bucket' });
    await objects.getByRole('button', { name: '2026/' }).press('Enter');
    await objects.getByText('notes.txt').waitFor();
    expect(await objects.getByRole('checkbox', { name: 'Select notes.txt' }).isDisabled()).toBe(true);
    await objects.getByRole('button', { name: 'north-gate/' }).press('Backspace');
    await objects.getByText('manifest.jsonl').waitFor();
    await objects.getByRole('button', { name: '2026/' }).press('Enter');
    await objects.getByRole('checkbox', { name: 'Select north-gate' }).press('Space');
    await objects.getByText('Selected: 2026/north-gate/').waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);
    await page.getByRole('button', { name: 'Create and open' }).click();
    await page.getByTestId('canvas').waitFor();
    await page.waitForURL(/\/jobs\/\d+/);
    await expect.poll(() => bucket.requests).toContain('GET 2026/north-gate/image-000.jpg');
  });

  it('says on the frame that its object is missing', async () => {
    const job = await newJob('missing/');
    bucket.objects.delete('missing/image-002.jpg');
    await page.goto(`${job}?frame=2`);
    await page.getByText('missing/image-002.jpg is not in the bucket').waitFor();
  });

  it('takes the images of a manifest', async () => {
    await page.goto('/tasks/new');
    await page.getByText('Bucket', { exact: true }).click();
    const objects = page.getByRole('region', { name: 'Objects of the bucket' });
    await page.getByText('Select prefixes or images of a bucket, a manifest, or a pattern.').waitFor();
    await objects.getByRole('checkbox', { name: 'Select manifest.jsonl' }).click();
    await objects.getByText('All images of manifest.jsonl').waitFor();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('By manifest');
    await page.getByRole('button', { name: 'Create and open' }).click();
    await page.waitForURL(/\/jobs\/\d+/);
  });

  it('writes a manifest of a prefix to the bucket', async () => {
    await page.goto('/cloudstorages');
    await page.getByRole('button', { name: 'More for Street archive' }).click();
    await page.getByRole('menuitem', { name: 'Write manifest…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Prefix' }).fill('2026/north-gate');
    expect(await breachesInBothThemes(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Write manifest' }).click();
    await page.getByText('2026/north-gate/manifest.jsonl with').waitFor();
    await page.getByText('2 manifests', { exact: false }).waitFor();
    expect(`${bucket.objects.get('2026/north-gate/manifest.jsonl')}`).toContain('"name":"image-000"');
  });

  it('refuses to delete the connection while tasks need it', async () => {
    await page.goto('/cloudstorages');
    await page.getByRole('button', { name: 'More for Street archive' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('3 tasks have their images in it').waitFor();
  });

  it('changes the limit of the cache', async () => {
    await page.goto('/settings/storage');
    const limit = page.getByRole('textbox', { name: 'Cache limit' });
    await limit.fill('20');
    await limit.blur();
    await expect
      .poll(async () => (await page.request.get('/api/limner/settings')).json())
      .toMatchObject({ bucket_cache_gb: 20 });
    expect(await breachesInBothThemes(page)).toEqual([]);
  });

  it('says that the server cannot be reached, and is translated to German', async () => {
    await page.goto('/settings/language');
    await page.getByRole('combobox', { name: 'Language' }).click();
    await page.getByRole('option', { name: 'Deutsch' }).click();
    const job = await newJob('offline/');
    await bucket.stop();
    await page.goto(`${job}?frame=1`);
    await page.getByText('Frame 1 is not in the cache; connect to see it.').waitFor();
    await page.goto('/cloudstorages');
    await page.getByText('Keine Verbindung.').waitFor();
    await page.getByText('it refuses connections').waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);
  });
});
