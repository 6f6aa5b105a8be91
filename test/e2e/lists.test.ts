import { describe, expect, it } from 'vitest';
import { breachesInBothThemes } from './support/accessibility.ts';
import { useWorkbench } from './support/workbench.ts';

const ids = { project: 0, other: 0 };

const { page, service } = await useWorkbench();
ids.project = await service.makeProject('Street scenes');
ids.other = (await service.ask<{ id: number }>('POST', '/api/projects', { name: 'Fruit', labels: [] })).id;
for (let index = 0; index < 23; index += 1) {
  const subset = index % 2 === 0 ? 'Train' : 'Test';
  await service.ask('POST', '/api/tasks', { name: `camera ${index}`, project_id: ids.project, subset });
}
await service.makeTask('crossing', { images: 4, segment_size: 2, project_id: ids.project });

const rows = () =>
  page
    .locator('#content')
    .getByRole('listitem')
    .filter({ has: page.getByRole('checkbox') });
const waitCount = (count: number) => expect.poll(() => rows().count()).toBe(count);
const box = (name: string) => page.getByRole('checkbox', { name: `Select ${name}`, exact: true });
const bar = () => page.getByRole('toolbar', { name: 'Bulk actions' });
const chip = (condition: string) => page.getByRole('button', { name: `Edit condition ${condition}` });

describe('filters of a list', () => {
  it('are built in a form, shown as sentences above the list and in the address, and saved as views', async () => {
    await page.goto('/tasks');
    await waitCount(20);
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    const card = page.getByRole('dialog', { name: 'Filter' });
    const rule = card.getByTestId('filter-rule').first();
    await rule.getByRole('combobox', { name: 'Field' }).click();
    await page.getByRole('option', { name: 'Subset' }).click();
    await rule.getByRole('textbox', { name: 'Value' }).fill('Test');
    await waitCount(11);
    expect(await breachesInBothThemes(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await card.waitFor({ state: 'detached' });
    await chip('Subset contains Test').waitFor();
    expect(new URL(page.url()).searchParams.get('filter')).toBe('{"and":[{"in":["Test",{"var":"subset"}]}]}');
    await page.getByRole('button', { name: 'Save as view' }).click();
    await page.getByRole('textbox', { name: 'View name' }).fill('Test only');
    await page.keyboard.press('Enter');
    const views = page.getByRole('navigation', { name: 'Views' });
    await views.getByRole('button', { name: 'Test only', exact: true }).waitFor();

    await page.getByRole('combobox', { name: 'Sort' }).click();
    await page.getByRole('option', { name: 'Name, A to Z' }).click();
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get('sort')).toBeNull();
    await page.reload();
    await waitCount(11);
    await views.getByRole('button', { name: 'All', exact: true }).click();
    await waitCount(20);
    await views.getByRole('button', { name: 'Test only', exact: true }).click();
    await waitCount(11);
    await page.getByRole('button', { name: 'Remove condition Subset contains Test' }).click();
    await waitCount(20);
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await waitCount(11);
    await page.getByRole('button', { name: 'Delete view Test only' }).click();
    await expect.poll(() => views.getByRole('button', { name: 'Test only', exact: true }).count()).toBe(0);
  });

  it('match calendar days, are read and written as JSON Logic, and report errors', async () => {
    const week = JSON.stringify({ and: [{ '>=': [{ var: 'updated_date' }, '-P7D'] }] });
    await page.goto(`/tasks?filter=${encodeURIComponent(week)}`);
    await chip('Updated in the last 7 days').waitFor();
    await waitCount(20);
    await chip('Updated in the last 7 days').click();
    const card = page.getByRole('dialog', { name: 'Filter' });
    await card.getByText('JSON Logic').click();
    const text = card.getByRole('textbox', { name: 'JSON Logic' });
    await text.fill('{"and": [{"<": [{"var": "created_date"}, "2020-01-01"]}]}');
    await page.getByText('No results for this search and these filters.').waitFor();
    await text.fill('{"==": [{"var": "dimension"}, "2d"]}');
    // The service accepts more than the form can show.
    await waitCount(1);
    await text.fill('{"==": [{"var": "nothing"}, 1]}');
    await page.getByText('"nothing" is not a field of this list').waitFor();
    await card.getByRole('button', { name: 'Clear' }).click();
    await waitCount(20);
  });
});

describe('several rows at once', () => {
  it('are selected by boxes, Shift, keys and all pages, and moved and deleted with one confirmation', async () => {
    await page.goto('/tasks?q=camera&sort=name');
    await waitCount(20);
    await box('camera 0').click();
    await box('camera 11').click({ modifiers: ['Shift'] });
    await bar().getByText('4 selected').waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await expect.poll(() => bar().count()).toBe(0);
    await page.getByRole('link', { name: /^camera 0/ }).focus();
    await page.keyboard.press('x');
    await page.keyboard.press('Shift+ArrowDown');
    await bar().getByText('2 selected').waitFor();
    await page.keyboard.press('Control+a');
    await bar().getByText('20 selected').waitFor();
    await bar().getByRole('button', { name: 'Select all 23' }).click();
    await bar().getByText('23 selected').waitFor();
    await page.keyboard.press('Escape');

    // A project without their label takes none of them, and reports each.
    await service.makeTask('labelled', { images: 1 });
    await page.goto('/tasks?sort=name');
    await waitCount(20);
    await box('camera 0').click();
    await bar().getByRole('button', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete 1 task?' });
    await dialog.getByText('camera 0').waitFor();
    await service.ask('DELETE', `/api/tasks/${await idOf('camera 0')}`);
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByText('0 of 1 done. These failed:').waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Close' }).last().click();

    await box('camera 1').click();
    await box('camera 10').click();
    await bar().getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('All 2 done.').waitFor();
    await expect.poll(() => box('camera 1').count()).toBe(0);
    expect((await service.ask<{ count: number }>('GET', '/api/tasks?search=camera')).count).toBe(20);
  });

  it('moves tasks, changes jobs, and exports as requests that are cancelled or done', async () => {
    await page.goto('/tasks?q=labelled');
    await waitCount(1);
    await box('labelled').click();
    await bar().getByRole('button', { name: 'Move' }).click();
    await page.getByRole('combobox', { name: 'Project' }).click();
    await page.getByRole('option', { name: 'Street scenes' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Move' }).click();
    await page.getByText('1 done.').waitFor();
    await expect
      .poll(
        async () =>
          (await service.ask<{ project_id: number }>('GET', `/api/tasks/${await idOf('labelled')}`)).project_id,
      )
      .toBe(ids.project);

    await page.goto('/jobs?q=crossing');
    await waitCount(2);
    await page.keyboard.press('Control+a');
    await bar().getByRole('button', { name: 'State' }).click();
    await page.getByRole('combobox', { name: 'State' }).last().click();
    await page.getByRole('option', { name: 'In progress' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByText('All 2 done.').waitFor();
    const { results } = await service.ask<{ results: { state: string }[] }>('GET', '/api/jobs?search=crossing');
    expect(results.map(({ state }) => state)).toEqual(['in progress', 'in progress']);
    await page.keyboard.press('Control+a');
    await bar().getByRole('button', { name: 'Export' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Export' }).click();
    await page.getByText('2 requests started. See Requests.').waitFor();
    await page.goto('/requests?action=export');
    await chip('Action is Export').waitFor();
    await waitCount(2);
  });
});

describe('columns', () => {
  it('are selected, and stay selected', async () => {
    await page.goto('/tasks');
    await waitCount(20);
    await page.getByRole('button', { name: 'Display' }).click();
    await page.getByRole('checkbox', { name: 'Subset' }).check();
    await page.keyboard.press('Escape');
    await page.reload();
    await expect.poll(() => rows().filter({ hasText: 'Train' }).count()).toBeGreaterThan(0);
    await expect.poll(() => rows().filter({ hasText: 'Train' }).first().getByText('Train').isVisible()).toBe(true);
  });
});

describe('a project', () => {
  it('lists its tasks with the same filters, counts its jobs, and shows what reviewers found in them', async () => {
    const jobIds = await service.jobsOf(await idOf('crossing'));
    for (const id of jobIds) await service.ask('PATCH', `/api/jobs/${id}`, { state: 'in progress' });
    const [job] = jobIds;
    const position = [0, 0, 10, 10];
    await service.ask('POST', '/api/issues', { job, frame: 1, position, message: 'The box cuts the pole' });
    await page.goto(`/projects/${ids.project}`);
    const jobs = page.getByRole('region', { name: 'Jobs by state' });
    await jobs.getByRole('listitem').filter({ hasText: 'In progress' }).getByText('2', { exact: true }).waitFor();
    await page.getByRole('tab', { name: /^Tasks/ }).click();
    await page.getByPlaceholder('Search by name').fill('crossing');
    await waitCount(1);
    expect(await breachesInBothThemes(page)).toEqual([]);
    await page.getByRole('tab', { name: /^Issues/ }).click();
    await page.getByText('The box cuts the pole').waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);
    await page.getByRole('button', { name: 'Resolve' }).click();
    await page.getByText('No open issues').waitFor();
    await page.getByText('All', { exact: true }).click();
    await page.getByRole('link', { name: 'Open frame 1' }).click();
    await page.waitForURL(`**/jobs/${job}?frame=1`);
  });
});

async function idOf(name: string): Promise<number> {
  const { results } = await service.ask<{ results: { id: number; name: string }[] }>(
    'GET',
    `/api/tasks?search=${encodeURIComponent(name)}&page_size=all`,
  );
  return results.find((one) => one.name === name)?.id ?? 0;
}
