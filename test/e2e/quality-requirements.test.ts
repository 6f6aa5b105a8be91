import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type { Page } from '../../preload/contract/schema/common.ts';
import type { Requirement, RequirementItem } from '../../preload/contract/schema/quality-requirements.ts';
import type { QualityReport, QualitySettings } from '../../preload/contract/schema/quality.ts';
import { breachesInBothThemes } from './support/accessibility.ts';
import { useWorkbench } from './support/workbench.ts';

const { page, service } = await useWorkbench();

const path = '/api/quality/settings/requirements';
const labels = [
  {
    name: 'boat',
    attributes: [{ name: 'name', mutable: false, input_type: 'text' as const, default_value: '', values: [''] }],
  },
  { name: 'buoy' },
];

/** A task of six frames with a completed ground truth. One boat of six is annotated as a buoy. */
async function comparedTask(name: string, project?: number): Promise<number> {
  const id = await service.makeTask(name, {
    images: 6,
    ...(project === undefined ? { labels } : { project_id: project }),
  });
  const [boat = 0, buoy = 0] = (await service.labels(id)).map((label) => label.id);
  const [own] = await service.jobs(id);
  const truth = await service.ask<{ id: number }>('POST', '/api/jobs', {
    type: 'ground_truth',
    task_id: id,
    frame_selection_method: 'manual',
    frames: [0, 1, 2, 3, 4, 5],
  });
  await service.ask('PATCH', `/api/jobs/${truth.id}`, { stage: 'acceptance', state: 'completed' });
  const shape = (frame: number, label_id: number) => ({
    frame,
    label_id,
    type: 'rectangle',
    points: [20, 20, 80, 70],
    attributes: [],
  });
  const frames = [0, 1, 2, 3, 4, 5];
  await service.ask('PUT', `/api/jobs/${truth.id}/annotations`, { shapes: frames.map((frame) => shape(frame, boat)) });
  await service.ask('PUT', `/api/jobs/${own?.id}/annotations`, {
    shapes: frames.map((frame) => shape(frame, frame === 4 ? buoy : boat)),
  });
  return id;
}

const settingsOf = async (kind: 'task' | 'project', id: number): Promise<QualitySettings> => {
  const query = `${kind}_id=${id}&parent_type=${kind}`;
  const { results } = await service.ask<Page<QualitySettings>>('GET', `/api/quality/settings?${query}`);
  return results[0]!;
};
const requirementsOf = async (kind: 'task' | 'project', id: number): Promise<readonly RequirementItem[]> =>
  (await settingsOf(kind, id)).requirements;
async function create(kind: 'task' | 'project', id: number, fields: object): Promise<number> {
  const { id: settings_id } = await settingsOf(kind, id);
  return (await service.ask<Requirement>('POST', path, { settings_id, ...fields })).id;
}
const stored = (id: number) => service.ask<Requirement>('GET', `${path}/${id}`);
const row = (name: RegExp) => page.getByRole('treeitem', { name });
const boats = JSON.stringify({ and: [{ in: [{ var: 'label' }, ['boat']] }] });

describe('quality requirements', () => {
  it('are added, scored by a report, and shown with their confusion matrix', async () => {
    const id = await comparedTask('quay');
    await page.goto(`/tasks/${id}?tab=quality`);
    await page.getByText('There is only one requirement for all annotations.').waitFor();
    await page.getByText('Compare with the ground truth to get a score and a confusion matrix.').waitFor();
    await page.getByRole('button', { name: 'Compare now' }).click();
    await row(/All annotations.*0\.83 Passed, required 0\.70/).waitFor();

    await page.getByRole('button', { name: 'Add', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Boats');
    await dialog.getByRole('combobox', { name: 'Labels' }).click();
    await page.getByRole('option', { name: 'boat' }).click();
    await page.keyboard.press('Tab');
    await dialog.getByRole('textbox', { name: 'Required score' }).fill('0.9');
    expect(await breachesInBothThemes(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await row(/Boats Label is any of boat Accuracy.*Not in this report/).waitFor();
    await page.getByText('1 requirement has changed since this report. Compare again.').waitFor();

    await page.getByRole('button', { name: 'Compare now' }).click();
    await row(/Boats.*0\.83 Failed, required 0\.90/).waitFor();
    await page.getByText('has changed since this report').waitFor({ state: 'detached' });
    const matrix = page.getByRole('region', { name: 'Confusion matrix' });
    await expect
      .poll(() =>
        matrix
          .getByRole('row', { name: /^boat \d/ })
          .getByRole('cell')
          .allTextContents(),
      )
      .toEqual(['5', '1', '0.83']);
    await page.getByText('Accuracy: mean of labels').waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);

    const reports = await service.ask<Page<QualityReport>>('GET', `/api/quality/reports?task_id=${id}&target=task`);
    const report = reports.results.toSorted((a, b) => b.id - a.id)[0]!;
    const requirement = (await requirementsOf('task', id)).find(({ name }) => name === 'Boats')!;
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'CSV' }).click(),
    ]);
    const text = await readFile(await download.path(), 'utf8');
    const answer = await page.request.get(
      `/api/quality/reports/${report.id}/confusion/matrix?requirement=${requirement.id}&format=csv`,
    );
    expect(text).toBe(await answer.text());
    expect(text).toMatch(/boat/);
  });

  it('are saved field by field, undone, inherited again, and refused in words', async () => {
    const id = await comparedTask('pier');
    const first = await create('task', id, { name: 'Boats', filter: boats });
    await create('task', id, { name: 'Small' });
    await page.goto(`/tasks/${id}?tab=quality`);
    await row(/Boats/).click();
    const form = page.getByRole('region', { name: 'Settings of Boats' });
    const score = form.getByRole('textbox', { name: 'Required score' });
    await score.fill('0.5');
    await score.press('Enter');
    await form.getByText('Saved').waitFor();
    expect(await stored(first)).toMatchObject({ required_score: 0.5 });
    await form.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(async () => (await stored(first)).required_score).toBeNull();

    await form.getByRole('combobox', { name: 'Metric' }).click();
    await page.getByRole('option', { name: 'Dice, worst label' }).click();
    await expect.poll(async () => (await stored(first)).metric).toBe('label_dice');

    await form.getByRole('button', { name: /^Thresholds/ }).click();
    const iou = form.getByRole('textbox', { name: 'Minimum IoU' });
    await iou.fill('0.6');
    await iou.press('Enter');
    await expect.poll(async () => (await stored(first)).iou_threshold).toBe(0.6);
    await form.getByRole('button', { name: 'Inherit Minimum IoU' }).click();
    await expect.poll(async () => (await stored(first)).iou_threshold).toBeNull();

    await form.getByRole('button', { name: /^Attributes/ }).click();
    await form.getByRole('combobox', { name: 'name of boat' }).click();
    await page.getByRole('option', { name: 'Similar' }).click();
    await expect
      .poll(async () => (await stored(first)).attribute_comparison.rules)
      .toMatchObject([{ enabled: true, comparator: 'levenshtein', threshold: 0.8 }]);
    await form.getByRole('textbox', { name: 'Minimum similarity, name' }).waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);

    await form.getByRole('button', { name: /^Edit filter/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Remove condition' }).click();
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect((await stored(first)).filter).toBe('');

    const name = form.getByRole('textbox', { name: 'Name', exact: true });
    await name.fill('Small');
    await name.press('Enter');
    await form.getByText('These settings already have a requirement "Small". Choose another name.').waitFor();

    await form.getByRole('switch', { name: 'Enabled' }).press('Space');
    await row(/Boats off/).waitFor();
    expect((await stored(first)).enabled).toBe(false);
  });

  it('are selected, folded, moved and deleted by the keyboard', async () => {
    const id = await comparedTask('mole');
    const boatsId = await create('task', id, { name: 'Boats', sort_order: 0 });
    await create('task', id, { name: 'Large boats', parent_requirement: boatsId });
    await create('task', id, { name: 'Buoys', sort_order: 1 });
    await page.goto(`/tasks/${id}?tab=quality`);
    await row(/All annotations/).focus();
    await page.keyboard.press('ArrowDown');
    await page.getByRole('region', { name: 'Settings of Boats' }).waitFor();
    await page.keyboard.press('ArrowLeft');
    await row(/Large boats/).waitFor({ state: 'detached' });
    await page.keyboard.press('ArrowDown');
    await page.getByRole('region', { name: 'Settings of Buoys' }).waitFor();
    await page.keyboard.press('Alt+ArrowUp');
    await expect
      .poll(() => page.getByRole('treeitem').locator('b').allTextContents())
      .toEqual(['All annotations', 'Buoys', 'Boats']);
    await page.keyboard.press('ArrowDown');
    await page.getByRole('region', { name: 'Settings of Boats' }).waitFor();
    await page.keyboard.press('Delete');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Also deletes the requirement below it.').waitFor();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await expect
      .poll(async () => (await requirementsOf('task', id)).map(({ name }) => name))
      .toEqual(['Base requirement', 'Buoys']);
  });

  it('of a project apply to its tasks, until a task uses its own', async () => {
    const { id: project } = await service.createProject('harbour', labels);
    const id = await comparedTask('basin', project);
    const parent = await create('project', project, { name: 'Boats', filter: boats, iou_threshold: 0.6 });
    await create('project', project, { name: 'Sharp boats', parent_requirement: parent, metric: 'recall' });
    await page.goto(`/projects/${project}?tab=quality`);
    await row(/Sharp boats/).waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);

    await page.goto(`/tasks/${id}?tab=quality`);
    await page.getByText('This task uses the requirements of its project.').waitFor();
    await row(/^Boats/).click();
    const form = page.getByRole('region', { name: 'Settings of Boats' });
    expect(await form.getByRole('textbox', { name: 'Name', exact: true }).isDisabled()).toBe(true);
    expect(await page.getByRole('button', { name: 'Add', exact: true }).count()).toBe(0);
    expect(await breachesInBothThemes(page)).toEqual([]);
    await page.getByRole('button', { name: 'Use own requirements' }).click();
    await page.getByRole('button', { name: 'Add', exact: true }).waitFor();
    const own = await settingsOf('task', id);
    expect(own.inherit).toBe(false);
    const copied = own.requirements.find(({ name }) => name === 'Boats');
    expect(copied).toMatchObject({ filter: boats, iou_threshold: 0.6 });
    expect(own.requirements.find(({ name }) => name === 'Sharp boats')).toMatchObject({
      parent_requirement: copied?.id,
      metric: 'recall',
    });
    expect(await requirementsOf('project', project)).toHaveLength(3);
  });
});
