import { describe, expect, it } from 'vitest';
import { useWorkbench } from './support/workbench.ts';

const count = 260;
/** More than fit on any window, fewer than the list has. */
const mostRendered = 100;

const { page, service } = await useWorkbench();
const numbers = Array.from({ length: count }, (_, index) => index);
const labels = numbers.map((index) => ({ name: `label ${index}` }));
const wide = await service.makeTask('wide', { images: count, segment_size: 1, labels });
const full = await service.makeTask('full', { images: 1, labels });
const jobs = await service.jobsOf(wide);
const [job = 0] = await service.jobsOf(full);
const issueOn = (of: number, frame: number, name: string) =>
  service.ask('POST', '/api/issues', { job: of, frame, position: [0, 0, 9, 9], message: name });
for (const index of numbers) {
  await issueOn(jobs[index] ?? 0, index, `frame ${index}`);
  await issueOn(job, 0, `issue ${index}`);
}
const shapes = (await service.labels(full)).map(({ id }, index) => ({
  type: 'rectangle' as const,
  frame: 0,
  label_id: id,
  points: [index, index, index + 8, index + 8],
}));
await service.changeAnnotations('jobs', job, 'create', { shapes });

const content = page.locator('#content');
const workspace = `/tasks/${full}/jobs/${job}`;

describe('a long list', () => {
  it.each([
    { of: 'jobs', at: `/tasks/${wide}`, rows: () => content.getByRole('listitem') },
    {
      of: 'issues of a task',
      at: `/tasks/${wide}?tab=issues`,
      rows: () => content.getByRole('region', { name: /^Frame/ }),
    },
    { of: 'issues of a frame', at: `/tasks/${full}?tab=issues`, rows: () => page.getByTestId('issue') },
    { of: 'labels of a task', at: `/tasks/${full}?tab=labels`, rows: () => content.getByRole('listitem') },
    { of: 'objects of a frame', at: workspace, rows: () => page.getByTestId('objects').getByRole('listitem') },
    { of: 'issues of a job', at: `${workspace}?mode=review`, rows: () => page.getByTestId('issue-row') },
    {
      of: 'tags of a frame',
      at: `${workspace}?mode=tags`,
      rows: () => page.getByRole('group').getByRole('button', { name: /label \d+$/ }),
    },
  ])('of $of renders the rows in view only, and the last one at its end', async ({ at, rows }) => {
    await page.goto(at);
    await rows().nth(5).waitFor();
    expect(await rows().count()).toBeLessThan(mostRendered);
    const first = await rows().first().innerHTML();
    await rows()
      .nth(1)
      .evaluate((row) => {
        let area = row.parentElement;
        while (area !== null && !/auto|scroll/.test(getComputedStyle(area).overflowY)) area = area.parentElement;
        area?.scrollTo(0, area.scrollHeight);
      });
    await expect.poll(() => rows().first().innerHTML()).not.toBe(first);
    expect(await rows().count()).toBeLessThan(mostRendered);
  });
});
