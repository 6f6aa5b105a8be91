import { describe, expect, it } from 'vitest';
import { breachesInBothThemes } from './support/accessibility.ts';
import { useWorkbench } from './support/workbench.ts';

let crossing: number[] = [];

const { page, service } = await useWorkbench();

const rows = () => page.getByRole('listitem').filter({ hasText: /Job \d/ });
const job = (id: number | undefined) => rows().filter({ hasText: `Job ${id}` });
const names = () => rows().evaluateAll((all) => all.map((one) => /Job \d+/.exec(one.textContent)?.[0] ?? ''));
const waitCount = (count: number) => expect.poll(() => rows().count()).toBe(count);

async function choose(box: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: box }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

async function narrow(field: string, option: string): Promise<void> {
  await page.getByRole('button', { name: 'Filter', exact: true }).first().click();
  const rule = page.getByRole('dialog', { name: 'Filter' }).getByTestId('filter-rule').last();
  await rule.getByRole('combobox', { name: 'Field' }).click();
  await page.getByRole('option', { name: field, exact: true }).click();
  await rule
    .getByRole('combobox', { name: 'Values' })
    .or(rule.getByRole('textbox', { name: 'Values' }))
    .click();
  await page.getByRole('option', { name: option, exact: true }).click();
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('dialog', { name: 'Filter' }).waitFor({ state: 'detached' });
}

describe('the list of jobs', () => {
  it('says what belongs there while it is empty', async () => {
    await page.getByRole('link', { name: 'Jobs' }).click();
    await page.getByText('No jobs yet').waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);
  });

  it('shows all jobs, and filters them by search, state, stage and project', async () => {
    const project = await service.makeProject('Street signs');
    crossing = await service.jobsOf(
      await service.makeTask('crossing', { images: 6, segment_size: 2, project_id: project }),
    );
    const [market] = await service.jobsOf(await service.makeTask('market', { images: 2 }));
    await service.ask('PATCH', `/api/jobs/${crossing[1]}`, { state: 'in progress' });
    await service.ask('PATCH', `/api/jobs/${market}`, { stage: 'acceptance', state: 'completed' });
    await page.reload();
    await waitCount(4);
    await page.getByPlaceholder('Search tasks and projects').fill('street');
    await page.waitForURL(/q=street/);
    await waitCount(3);
    await narrow('State', 'In progress');
    await waitCount(1);
    expect(await names()).toEqual([`Job ${crossing[1]}`]);
    await page.reload();
    await waitCount(1);
    await page.goto('/jobs');
    await waitCount(4);
    await expect.poll(() => page.getByPlaceholder('Search tasks and projects').inputValue()).toBe('');
    await narrow('Stage', 'Acceptance');
    await waitCount(1);
    expect(await names()).toEqual([`Job ${market}`]);
    await page.goto(`/jobs?project_id=${project}`);
    await waitCount(3);
    await page.getByRole('button', { name: `Edit condition Project ID is ${project}` }).waitFor();
    await page.goto('/jobs?state=rejected');
    await page.getByText('No results for this search and these filters.').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await waitCount(4);
    expect(await breachesInBothThemes(page)).toEqual([]);
  });

  it('sorts, and shows no user if there is only one', async () => {
    expect(await names()).toEqual([...crossing, (crossing.at(-1) ?? 0) + 1].toReversed().map((id) => `Job ${id}`));
    await choose('Sort', 'By task');
    await page.waitForURL(/sort=/);
    await expect.poll(async () => (await names())[0]).toBe(`Job ${crossing[0]}`);
    await expect.poll(() => page.getByRole('combobox', { name: 'Assignee' }).count()).toBe(0);
  });

  it('changes stage and state in the row', async () => {
    const [first] = crossing;
    await job(first).getByRole('combobox', { name: 'State' }).click();
    await page.getByRole('option', { name: 'Completed' }).click();
    await job(first).getByRole('combobox', { name: 'State' }).and(page.locator('[value="Completed"]')).waitFor();
    await job(first).getByRole('combobox', { name: 'Stage' }).click();
    await page.getByRole('option', { name: 'Validation' }).click();
    await job(first).getByRole('combobox', { name: 'Stage' }).and(page.locator('[value="Validation"]')).waitFor();
    await job(first).getByRole('combobox', { name: 'State' }).and(page.locator('[value="New"]')).waitFor();
    expect(await service.ask('GET', `/api/jobs/${first}`)).toMatchObject({ stage: 'validation', state: 'new' });
  });

  it('is navigated by keys: arrows, a preview with Space, the workspace with Enter', async () => {
    await job(crossing[0]).getByRole('link', { name: /^Job/ }).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Space');
    const preview = page.getByRole('dialog');
    await preview.getByText(`Job ${crossing[1]} · crossing`).waitFor();
    await preview.getByText('Frame 2 of 2 to 3').waitFor();
    await page.keyboard.press('ArrowRight');
    await preview.getByText('Frame 3 of 2 to 3').waitFor();
    const picture = preview.getByRole('img', { name: 'Frame 3' });
    await expect.poll(() => picture.evaluate((one) => (one as HTMLImageElement).naturalWidth)).toBeGreaterThan(0);
    await page.keyboard.press('ArrowDown');
    await preview.getByText(`Job ${crossing[2]} · crossing`).waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await preview.waitFor({ state: 'detached' });
    await job(crossing[2]).getByRole('link', { name: /^Job/ }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(new RegExp(`/jobs/${crossing[2]}`));
    await page.locator('[data-testid="frame-shown"][data-frame="4"]').waitFor({ state: 'attached' });
  });
});
