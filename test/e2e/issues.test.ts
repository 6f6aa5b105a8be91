import { describe, expect, it } from 'vitest';
import { breachesInBothThemes } from './support/accessibility.ts';
import { useWorkbench } from './support/workbench.ts';

const { page, service } = await useWorkbench();
const task = await service.makeTask('crossing', { images: 4, segment_size: 2 });

const issue = (text: string) => page.getByTestId('issue').filter({ hasText: text });
const show = (which: string) =>
  page.getByRole('radiogroup', { name: 'Issues to show' }).locator('label').filter({ hasText: which }).click();

async function openIssue(frame: number, message: string): Promise<void> {
  await page.getByRole('button', { name: 'New issue' }).click();
  await page.getByRole('textbox', { name: 'Frame' }).fill(String(frame));
  await page.getByRole('textbox', { name: 'Description' }).fill(message);
  await page.keyboard.press('Enter');
  await issue(message).waitFor();
}

describe('issues of a task', () => {
  it('are opened on a frame and listed by frame', async () => {
    await page.goto(`/tasks/${task}`);
    await page.getByRole('tab', { name: 'Issues' }).click();
    await page.waitForURL(/tab=issues/);
    await page.getByText('No issues', { exact: true }).waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);
    await openIssue(3, 'The pole is cut.');
    await openIssue(0, 'Is this a light?');
    await openIssue(0, 'The sign is missing.');
    const frames = page.getByRole('region', { name: /^Frame/ });
    await expect
      .poll(() => frames.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label'))))
      .toEqual(['Frame 0', 'Frame 3']);
    await expect.poll(() => frames.first().getByTestId('issue').count()).toBe(2);
    await frames.last().getByText('image-003.jpg').waitFor();
    await page.getByRole('tab', { name: 'Issues 3' }).waitFor();
  });

  it('have a thread of comments that can be answered, edited and deleted', async () => {
    const thread = issue('Is this a light?');
    await thread.getByRole('textbox', { name: 'Reply' }).fill('No, a reflection.');
    await page.keyboard.press('Enter');
    await thread.getByText('No, a reflection.').waitFor();
    await expect.poll(() => thread.getByRole('textbox', { name: 'Reply' }).inputValue()).toBe('');
    await thread.getByRole('button', { name: 'Comment menu' }).last().click();
    await page.getByRole('menuitem', { name: 'Edit comment' }).click();
    await thread.getByRole('textbox', { name: 'Edit comment' }).fill('No, the reflection of one.');
    await page.keyboard.press('Enter');
    await thread.getByText('No, the reflection of one.').waitFor();
    await thread.getByText('edited').waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);
    await thread.getByRole('button', { name: 'Comment menu' }).last().click();
    await page.getByRole('menuitem', { name: 'Delete comment' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await thread.getByText('No, the reflection of one.').waitFor({ state: 'detached' });
  });

  it('can be resolved, filtered, reopened and deleted', async () => {
    await issue('Is this a light?').getByRole('button', { name: 'Resolve' }).click();
    await issue('Is this a light?').waitFor({ state: 'detached' });
    await show('Resolved (1)');
    await issue('Is this a light?').getByText('Resolved', { exact: true }).waitFor();
    await issue('Is this a light?').getByRole('button', { name: 'Reopen' }).click();
    await page.getByText('No resolved issues.').waitFor();
    await show('All (3)');
    await issue('The sign is missing.').getByRole('button', { name: 'Delete issue' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await issue('The sign is missing.').waitFor({ state: 'detached' });
    await show('Open (2)');
    await expect.poll(() => page.getByTestId('issue').count()).toBe(2);
  });

  it('open their frame in the workspace, and the list of jobs links to them', async () => {
    await page.goto('/jobs');
    await page.getByRole('link', { name: '1 issue' }).first().click();
    await page.waitForURL(/tab=issues/);
    await page.getByRole('link', { name: 'Open frame 3' }).click();
    await page.waitForURL(/frame=3/);
    await page.locator('[data-testid="frame-shown"][data-frame="3"]').waitFor({ state: 'attached' });
    await page.goBack();
    await issue('The pole is cut.').waitFor();
  });
});
