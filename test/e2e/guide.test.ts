import { describe, expect, it } from 'vitest';
import { breachesInBothThemes } from './support/accessibility.ts';
import { waitFrame } from './support/annotate-screen.ts';
import { useWorkbench } from './support/workbench.ts';

const markdown = `# How to weigh fruit

Draw a box around **every** fruit, see [the rules](https://example.org/rules).

1. Boxes touch the edge of the fruit
2. Leaves do not count
   - unless they hide it

> When in doubt, ask.

<img src="x" onerror="document.body.dataset.broken = 'yes'">
`;

const { page, service } = await useWorkbench();
const tasks = [await service.makeTask('guided', {}), await service.makeTask('alone', {})];
await service.ask('POST', '/api/guides', { task_id: tasks[0], markdown });
const [guided = '', alone = ''] = await Promise.all(
  tasks.map(async (task) => `/tasks/${task}/jobs/${(await service.jobsOf(task))[0]}`),
);

describe('the guide', () => {
  it('is beside the image, opens by pointer and by keys, and runs no scripts', async () => {
    await page.goto(guided);
    await waitFrame(page, 0, 2);
    await page.getByTestId('guide').click();
    const guide = page.getByRole('region', { name: 'Guide' });
    await guide.getByRole('heading', { name: 'How to weigh fruit' }).waitFor();
    await expect
      .poll(() => guide.getByRole('listitem').evaluateAll((items) => items.map((item) => item.firstChild?.textContent)))
      .toEqual(['Boxes touch the edge of the fruit', 'Leaves do not count', 'unless they hide it']);
    expect(await guide.locator('li li').count()).toBe(1);
    await expect.poll(() => guide.getByRole('link', { name: 'the rules' }).getAttribute('rel')).toBe('noreferrer');
    await expect.poll(() => guide.getByText('onerror').count()).toBe(1);
    expect(await page.evaluate(() => document.body.dataset['broken'])).toBeUndefined();
    expect(await breachesInBothThemes(page)).toEqual([]);
    await page.keyboard.press('Alt+g');
    await guide.waitFor({ state: 'detached' });
    await page.getByRole('tab', { name: /Objects/, selected: true }).waitFor();
  });

  it('has no button in a job without one', async () => {
    await page.goto(alone);
    await waitFrame(page, 0, 2);
    await expect.poll(() => page.getByTestId('guide').count()).toBe(0);
    await page.keyboard.press('Alt+g');
    await expect.poll(() => page.getByRole('region', { name: 'Guide' }).count()).toBe(0);
  });
});
