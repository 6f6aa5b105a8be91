import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { startSshServer } from '../support/ssh-server.ts';
import { breachesInBothThemes } from './support/accessibility.ts';
import { focusWhenShown } from './support/focus.ts';
import { typeLabel, waitSaved } from './support/annotate-screen.ts';
import { dropNewTask, jobOf, taskOf } from './support/make-task.ts';
import { drag } from './support/pointer.ts';
import { useWorkbench } from './support/workbench.ts';

const workbench = await useWorkbench();
const { page, service, folder } = workbench;
const server = await startSshServer(join(folder, 'ssh'));
afterAll(() => server.stop());

const editElsewhere = (path: string, change: (points: number[]) => number[]): Promise<void> =>
  editFile(join(path, 'frames', '000000.json'), (text) => {
    const frame = JSON.parse(text) as { objects: { points: number[] }[] };
    const objects = frame.objects.map((object) => ({ ...object, points: change(object.points) }));
    return JSON.stringify({ ...frame, objects });
  });

async function editFile(path: string, change: (text: string) => string): Promise<void> {
  const clone = mkdtempSync(join(folder, 'elsewhere-'));
  const git = (...args: string[]) => execFileSync('git', ['-C', clone, ...args], { stdio: 'pipe' });
  execFileSync('git', ['clone', '--quiet', server.repository, clone]);
  writeFileSync(join(clone, path), change(readFileSync(join(clone, path), 'utf8')));
  git('-c', 'user.name=Somebody else', '-c', 'user.email=else@example.org', 'commit', '--quiet', '-am', 'By hand');
  git('push', '--quiet');
}

describe('the repository of a task', () => {
  it('is bound, pushed, pulled, resolves conflicts with a question, and is restored from its history', async () => {
    await dropNewTask(workbench, 'harbour', 1);
    await typeLabel(page, 'boat');
    await page.keyboard.press('w');
    await drag(page, [0.3, 0.3], [0.5, 0.6]);
    await waitSaved(page);
    const [task, job] = [taskOf(workbench), jobOf(workbench)];
    const shapes = async () => (await service.annotations('jobs', job)).shapes;
    const first = await shapes();

    await page.goto('/settings/ssh-keys');
    await page.getByText('No SSH keys yet').waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);
    const field = focusWhenShown(page);
    await page.getByRole('button', { name: 'New key' }).press('Enter');
    expect(await field).toBe('For example: this computer');
    await page.keyboard.type('this computer');
    await page.keyboard.press('Enter');
    await page.getByRole('listitem').filter({ hasText: 'this computer' }).waitFor();
    const keys = (await (await page.request.get('/api/limner/ssh-keys')).json()) as {
      results: { public_key: string }[];
    };
    server.authorize(keys.results[0]!.public_key);
    expect(await breachesInBothThemes(page)).toEqual([]);

    await page.route('**/api/limner/ssh-keys*', async (route) => pause(1000).then(() => route.continue()), {
      times: 1,
    });
    await page.goto(`/tasks/${task}?tab=repository`);
    await page.getByLabel('Address').fill('https://example.org/data.git');
    await page.getByRole('button', { name: 'Connect' }).click();
    await page.getByText('Repositories are accessed by SSH, not by HTTP').waitFor();
    await page.getByLabel('Address').fill(server.address());
    await page.getByRole('textbox', { name: 'Folder', exact: true }).fill('harbour');
    await page.keyboard.press('Enter');
    await page.getByText('To push: 1 added').waitFor();

    await page.getByLabel('Commit message').fill('One boat');
    await page.keyboard.press('Enter');
    const host = page.getByRole('dialog', { name: 'Is this the right server?' });
    await host.getByText(server.fingerprint()).waitFor();
    await host.getByRole('button', { name: 'Trust this key' }).click();
    await page.getByText('Pushed: 1 added').waitFor();
    await page.getByText('No changes to push since').waitFor();

    await editElsewhere('harbour', ([x = 0, y = 0, x2 = 0, y2 = 0]) => [x + 40, y, x2 + 40, y2]);
    const [shape] = await shapes();
    const mine = { ...shape, points: [100, 90, 300, 260] };
    const change = { shapes: [mine], tags: [], tracks: [] };
    await service.ask('PATCH', `/api/jobs/${job}/annotations/?action=update`, change);
    await page.getByRole('button', { name: 'Pull' }).click();
    const conflicts = page.getByTestId('conflicts');
    await conflicts.getByText('Changed on both sides: position.').waitFor();
    expect((await shapes())[0]?.points).toEqual(mine.points);
    expect(await breachesInBothThemes(page)).toEqual([]);
    await conflicts.getByText('Both', { exact: true }).click();
    await service.ask('PATCH', `/api/jobs/${job}/annotations/?action=update`, {
      ...change,
      shapes: [{ ...mine, points: [100, 100, 140, 150] }],
    });
    await conflicts.getByRole('button', { name: 'Pull with these choices' }).click();
    await conflicts.getByText('Changed since your choice. Choose again.').waitFor();
    expect(await conflicts.getByRole('button', { name: 'Pull with these choices' }).isDisabled()).toBe(true);
    expect(await breachesInBothThemes(page)).toEqual([]);
    await conflicts.getByText('Both', { exact: true }).click();
    await conflicts.getByRole('button', { name: 'Pull with these choices' }).click();
    await conflicts.waitFor({ state: 'detached' });
    const [x = 0] = first[0]?.points ?? [];
    expect((await shapes()).map(({ points }) => points[0]).toSorted((a = 0, b = 0) => a - b)).toEqual(
      [100, x + 40].toSorted((a, b) => a - b),
    );

    await page.getByText('By hand').waitFor();
    const row = page.getByRole('listitem').filter({ hasText: 'One boat' });
    await row.getByRole('button', { name: 'Restore' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
    await page.getByText(/^Restored: /).waitFor();
    expect((await shapes()).map(({ points }) => points)).toEqual(first.map(({ points }) => points));
  });
});

describe('a copy in a format', () => {
  it('is selected, warns about dropped data, is pushed, resolves conflicts with another program, and is pulled', async () => {
    const project = await service.makeProject('lake');
    const task = await service.makeTask('shore', { project_id: project });
    const labels = await service.ask<{ results: { id: number }[] }>('GET', `/api/labels?project_id=${project}`);
    const label_id = labels.results[0]!.id;
    const body = {
      tags: [{ frame: 0, label_id }],
      shapes: [{ type: 'rectangle', frame: 0, label_id, points: [20, 20, 90, 80] }],
    };
    await service.ask('PATCH', `/api/tasks/${task}/annotations?action=create`, body);

    await page.goto(`/tasks/${task}?tab=repository`);
    await page.getByLabel('Address').fill(server.repository);
    await page.getByRole('textbox', { name: 'Folder', exact: true }).fill('shore');
    const format = page.getByRole('combobox', { name: 'Exported copy' });
    await format.fill('COCO');
    await page.getByRole('option', { name: 'COCO 1.0', exact: true }).click();
    await page.getByRole('button', { name: 'Connect' }).click();
    await page.getByText('To push: 2 added').waitFor();
    await page.getByText('The next push writes the copy in COCO 1.0.').waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);

    await page.getByRole('button', { name: 'Push' }).click();
    const losses = page.getByRole('dialog', { name: 'COCO 1.0 does not support everything' });
    await losses.getByText('COCO instances have no image-level labels').waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);
    await losses.getByRole('button', { name: 'Push anyway' }).click();
    await page.getByText('Pushed: 2 added').waitFor();
    await page.getByText('No changes to push since').waitFor();

    await editFile('shore/export/annotations/instances_default.json', (text) => text.replace('[20,20,', '[40,20,'));
    await page.getByRole('button', { name: 'Pull' }).click();
    const copies = page.getByTestId('git-copies');
    await copies.getByText('1 changed').waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);
    await copies.getByRole('button', { name: 'Import changes' }).click();
    await copies.waitFor({ state: 'detached' });
    const { shapes } = await service.annotations('tasks', task);
    expect(shapes.map(({ points }) => points)).toEqual([[40, 20, 110, 80]]);

    await format.fill('None');
    await page.getByRole('option', { name: 'None' }).click();
    await page.getByText('The next push deletes the existing copy.').waitFor();
  });
});

describe('the repository of a project', () => {
  it('commits all of its tasks together, and names a conflicting task and skipped ones', async () => {
    const project = await service.makeProject('coast');
    const tasks = await Promise.all(['pier', 'quay'].map((name) => service.makeTask(name, { project_id: project })));
    const empty = await service.ask<{ id: number }>('POST', '/api/tasks', { name: 'later', project_id: project });
    const labels = await service.ask<{ results: { id: number }[] }>('GET', `/api/labels?project_id=${project}`);
    const shapesOf = async (task: number) => (await service.annotations('tasks', task)).shapes;
    for (const task of tasks) {
      const box = { type: 'rectangle', frame: 0, label_id: labels.results[0]!.id, points: [20, 20, 90, 80] };
      await service.ask('PATCH', `/api/tasks/${task}/annotations?action=create`, { shapes: [box] });
    }

    await page.goto(`/projects/${project}?tab=repository`);
    await page.getByText('one folder per task').waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);
    await page.getByLabel('Address').fill(server.repository);
    await page.getByRole('textbox', { name: 'Folder', exact: true }).fill('coast');
    await page.keyboard.press('Enter');
    await page.getByText('To push: 2 added').waitFor();
    await page.getByRole('region', { name: '1 task was skipped' }).getByText('It has no images yet.').waitFor();
    await page.getByRole('button', { name: 'Push' }).click();
    await page.getByText('Pushed: 2 added').waitFor();

    await editElsewhere('coast/quay', ([x = 0, y = 0, x2 = 0, y2 = 0]) => [x + 40, y, x2 + 40, y2]);
    const quay = tasks[1] ?? 0;
    const [shape] = await shapesOf(quay);
    const mine = { ...shape, points: [5, 5, 60, 60] };
    await service.ask('PATCH', `/api/tasks/${quay}/annotations?action=update`, { shapes: [mine] });
    await page.getByRole('button', { name: 'Pull' }).click();
    const conflicts = page.getByTestId('conflicts');
    await conflicts.getByText(/^quay\b.*thing on frame 0/).waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);
    await conflicts.getByText('Theirs', { exact: true }).click();
    await conflicts.getByRole('button', { name: 'Pull with these choices' }).click();
    await conflicts.waitFor({ state: 'detached' });
    expect((await shapesOf(quay)).map(({ points }) => points[0])).toEqual([60]);
    await page.getByText('By hand').waitFor();

    await page.goto(`/tasks/${quay}?tab=repository`);
    await page.getByRole('link', { name: 'Connected through its project' }).click();
    await page.getByText('By hand').waitFor();
    await service.ask('DELETE', `/api/tasks/${empty.id}`);
  });
});
