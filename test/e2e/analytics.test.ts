import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type { AnalyticsReport } from '../../preload/contract/schema/analytics.ts';
import { breachesInBothThemes } from './support/accessibility.ts';
import { waitFrame, waitSaved } from './support/annotate-screen.ts';
import { downloadBy } from './support/files.ts';
import { drag } from './support/pointer.ts';
import { useWorkbench } from './support/workbench.ts';

const { page, service } = await useWorkbench();
const project = await service.makeProject('streets');
const task = await service.makeTask('yard', { images: 3, project_id: project });
const job = (await service.jobsOf(task))[0] ?? 0;
const label = (await service.labels(task))[0]?.id ?? 0;
const bars = async (title: string): Promise<string[]> => {
  const region = page.getByRole('region', { name: title, exact: true });
  return (await region.getByRole('listitem').allInnerTexts()).map((bar) => bar.replaceAll(/\s+/g, ' ').trim());
};

describe('analytics', () => {
  it('is off, explains itself, and can be switched on in the settings', async () => {
    await page.goto('/analytics');
    await page.getByText('Analytics is off').waitFor();
    await expect.poll(() => page.getByRole('link', { name: 'Analytics' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Open settings' }).click();
    await page.getByRole('switch', { name: 'Record events' }).press('Space');
    await page.getByText(/ events?, /).waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);
  });

  it('shows the work in the workspace and over the API, as plots, CSV and JSON', async () => {
    await service.changeAnnotations('jobs', job, 'create', {
      shapes: [10, 20, 30].map((x) => ({ type: 'rectangle', frame: 0, label_id: label, points: [x, 10, x + 5, 20] })),
    } as never);
    await page.goto(`/tasks/${task}/jobs/${job}`);
    await waitFrame(page, 0, 3);
    await page.keyboard.press('f');
    await waitFrame(page, 1, 3);
    await page.keyboard.press('w');
    await drag(page, [0.3, 0.3], [0.5, 0.6]);
    await waitSaved(page);
    const told = page.waitForResponse((answer) => answer.url().endsWith('/api/events') && answer.status() === 201);
    await page.goto('/tasks');
    await told;
    await page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link', { name: 'Analytics' }).click();
    await page.getByRole('region', { name: 'Objects by type', exact: true }).waitFor();
    expect(await bars('Objects by type')).toEqual(['Rectangle 4']);
    expect(await bars('Objects by label')).toEqual(['thing 4']);
    expect(await bars('Objects drawn, by tool')).toEqual(['Rectangle 1']);
    expect((await bars('Working time by project')).map((bar) => bar.split(' ')[0])).toContain('streets');
    const objects = page.getByRole('region', { name: 'Objects per day', exact: true });
    await objects.getByRole('application').focus();
    await expect.poll(() => objects.getByRole('status').textContent()).toMatch(/: 4$/);
    await objects.getByText('Show as table').click();
    await expect.poll(() => objects.getByRole('cell').allTextContents()).toEqual(['4']);
    expect(await breachesInBothThemes(page)).toEqual([]);

    const csv = await downloadBy(page.getByRole('button', { name: 'CSV' }));
    expect((await readFile(await csv.path(), 'utf8')).split('\r\n')).toContain('objects by label,thing,,4');
    const json = await downloadBy(page.getByRole('button', { name: 'JSON' }));
    const report = JSON.parse(await readFile(await json.path(), 'utf8')) as AnalyticsReport;
    expect(report.totals).toMatchObject({ objects: 4, drawn: 1 });
  });

  it('shows nothing of another period', async () => {
    await page.getByLabel('From', { exact: true }).fill('2020-01-01');
    await page.getByLabel('To', { exact: true }).fill('2020-01-31');
    await page.getByText('No events in this period').waitFor();
  });

  it('switched off asks before it deletes the events', async () => {
    await page.goto('/settings/analytics');
    await page.getByRole('switch', { name: 'Record events' }).press('Space');
    const question = page.getByRole('dialog', { name: 'Turn off analytics?' });
    await question.getByText('permanently').waitFor();
    await question.getByText('Cancel', { exact: true }).click();
    await question.waitFor({ state: 'detached' });
    await expect.poll(() => page.getByRole('switch', { name: 'Record events' }).isChecked()).toBe(true);
    await page.getByRole('switch', { name: 'Record events' }).press('Space');
    await question.getByRole('button', { name: 'Turn off and delete' }).click();
    await expect.poll(() => page.getByRole('switch', { name: 'Record events' }).isChecked()).toBe(false);
    await expect.poll(() => page.getByRole('link', { name: 'Analytics' }).count()).toBe(1);
    expect(await service.good('GET', '/api/limner/analytics')).toMatchObject({ enabled: false, events: 0 });
  });
});
