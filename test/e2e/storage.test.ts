import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { signIn } from '../support/client.ts';
import { makeImages } from '../support/images.ts';
import { breachesInBothThemes } from './support/accessibility.ts';
import { useWorkbench } from './support/workbench.ts';

const workbench = await useWorkbench();
const { page, folder } = workbench;

async function useInPlace(folder: string): Promise<void> {
  mkdirSync(folder);
  for (const { name, bytes } of await makeImages(3)) writeFileSync(join(folder, name), bytes);
  const client = await signIn(workbench.server);
  const task = await client.good<{ id: number }>('POST', '/api/tasks', { json: { name: 'Fassaden', labels: [] } });
  const { rq_id: request } = await client.good<{ rq_id: string }>('POST', `/api/tasks/${task.id}/data`, {
    json: { server_files: [folder], image_quality: 70 },
  });
  await client.finished(request);
}

describe('storage on the settings', () => {
  it('shows the volumes, moves one during the session, and finds images used in place', async () => {
    const photos = join(folder, 'Straßenaufnahmen');
    await useInPlace(photos);
    renameSync(photos, join(folder, 'carried'));
    await page.goto('/settings/appearance');
    await page.getByRole('link', { name: 'Storage' }).click();
    await page.getByText('3 files of “Fassaden” are missing.').waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);

    await page.getByRole('button', { name: 'Move Media' }).click();
    const dialog = page.getByRole('dialog', { name: 'Move Media' });
    await dialog.getByRole('textbox', { name: 'New folder' }).fill(join(folder, 'none'));
    await page.keyboard.press('Enter');
    await dialog.getByText('does not exist. Create it first.').waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);
    const large = join(folder, 'large');
    mkdirSync(large);
    await dialog.getByRole('textbox', { name: 'New folder' }).fill(large);
    await page.keyboard.press('Enter');
    await page.getByText('read back and compared').waitFor();
    await page.getByText(join(large, 'data'), { exact: true }).waitFor();
    expect(existsSync(join(large, 'data'))).toBe(true);

    await page.getByRole('button', { name: `Choose folder: ${photos}` }).click();
    const relink = page.getByRole('dialog', { name: 'Re-link files' });
    await relink.getByRole('textbox', { name: 'Folder' }).fill(join(folder, 'carried'));
    await page.keyboard.press('Enter');
    await page.getByText('3 files in 1 task · all found').waitFor();
  });

  it('shows which ffmpeg reads videos, and accepts another', async () => {
    await page.goto('/settings/video');
    await page.getByText('ffprobe', { exact: true }).waitFor();
    await page.getByRole('textbox', { name: 'ffmpeg location' }).fill(folder);
    await page.keyboard.press('Enter');
    await page.getByText('Cannot find or start both ffmpeg and ffprobe').waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);
  });

  it('is translated to German', async () => {
    await page.goto('/settings/language');
    await page.getByRole('combobox', { name: 'Language' }).click();
    await page.getByRole('option', { name: 'Deutsch' }).click();
    await page.getByRole('link', { name: 'Speicher' }).click();
    await page.getByText('Am Ort verwendete Bilder').waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);
  });
});
